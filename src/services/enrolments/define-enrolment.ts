import type { NewEnrolment } from '../../contract/operations/enrolments.ts';
import type { ProgramPhaseRecord } from '../../contract/operations/programs.ts';
import { parseBrokerTime } from '../../domain/broker-time.ts';
import { VALID_TIME } from '../../domain/formats.ts';
import { moneyDigits, toUnits } from '../../domain/money.ts';
import type { EnrolmentDefinition } from '../../domain/programs/program-definition.ts';
import { findEnrolment } from '../../storage/enrolment-store.ts';
import { type Account, accessAccount } from '../accounts/access-account.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { conflict, type Fault, invalid, invalidParameter, notFound } from '../errors.ts';
import { definePhase } from '../programs/define-program.ts';
import { ownProgram } from '../programs/manage-programs.ts';
import { enrolmentStateOf, transitionsOf } from './enrolment-states.ts';

/** A phase of a version of a program; counted from 1. */
type PhaseChoice = { programId: string; version: number | undefined; phase: number };

export type DefinedEnrolment = {
  programId: string;
  version: number;
  phase: number;
  definition: EnrolmentDefinition;
};

/** The faults of the given fields of a new enrolment. */
export function enrolmentFaults(input: Partial<NewEnrolment>): Fault[] {
  const { programId, version, phase, passed } = input;
  const isChosen = programId !== undefined || version !== undefined || phase !== undefined;
  if (passed && isChosen) {
    return [
      { parameter: 'passed', message: 'cannot be combined with programId, version or phase' },
    ];
  }
  if (passed || programId !== undefined) return [];
  return [{ parameter: 'programId', message: 'is required unless passed is given' }];
}

/**
 * The enrolment in a request. Throws `validation` naming the faults, `notFound` for a program or
 * enrolment that is not the user's, `conflict` if the previous one is not passed.
 */
export async function defineEnrolment(
  context: Context,
  principal: Principal,
  account: Account,
  input: NewEnrolment,
): Promise<DefinedEnrolment> {
  const choice = await phaseChoice(context, principal, input);
  const { programId, phase: number } = choice;
  const { database } = context;
  const program = await ownProgram(database, userOf(principal), programId, choice.version);
  const { version, phases } = program;
  const phase = phases[number - 1];
  if (!phase && input.passed) throw conflict('The enrolment has passed the last phase');
  if (!phase) {
    throw invalidParameter('phase', `must be from 1 to ${phases.length}, the program's last`);
  }
  const definition = define(input, phase, moneyDigits(account.currency), context.newId());
  return { programId, version, phase: number, definition };
}

async function phaseChoice(
  context: Context,
  principal: Principal,
  input: NewEnrolment,
): Promise<PhaseChoice> {
  const faults = enrolmentFaults(input);
  if (faults.length > 0) throw invalid(faults);
  const { programId = '', version, phase = 1, passed } = input;
  if (!passed) return { programId, version, phase };
  const { database } = context;
  const account = await accessAccount(context, principal, passed.accountId);
  const before = await findEnrolment(database, account.number, passed.enrolmentId);
  if (!before) throw notFound('Enrolment');
  const changes = await transitionsOf(database, account.number);
  if (enrolmentStateOf(changes.get(passed.enrolmentId)) !== 'passed') {
    throw conflict('The enrolment to continue from has not passed');
  }
  return { ...before, phase: before.phase + 1 };
}

function define(
  { initialBalance, startBrokerTime }: NewEnrolment,
  written: ProgramPhaseRecord,
  digits: number,
  id: string,
): EnrolmentDefinition {
  const { phase, faults } = definePhase(written, digits, 'phase');
  const startTimeMs = startBrokerTime === undefined ? undefined : parseBrokerTime(startBrokerTime);
  if (startBrokerTime !== undefined && startTimeMs === undefined) {
    faults.push({ parameter: 'startBrokerTime', message: VALID_TIME });
  }
  const units = unitsOf(initialBalance, digits);
  if (units === undefined || units <= 0) {
    const message = 'must be more than 0, and small enough to be stored exactly';
    faults.push({ parameter: 'initialBalance', message });
  }
  if (faults.length > 0) throw invalid(faults);
  return { id, phase, initialBalance: units ?? 0, startTimeMs };
}

function unitsOf(amount: number, digits: number): number | undefined {
  try {
    return toUnits(amount, digits);
  } catch {
    return undefined;
  }
}
