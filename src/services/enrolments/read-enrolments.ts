import type {
  EnrolmentDetailsRecord,
  EnrolmentRecord,
} from '../../contract/operations/enrolments.ts';
import type { ProgramPhaseRecord } from '../../contract/operations/programs.ts';
import { moneyDigits } from '../../domain/money.ts';
import {
  type EnrolmentProgress,
  objectivesProgress,
} from '../../domain/programs/enrolment-records.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import {
  findEnrolment,
  listEnrolments,
  type StoredEnrolment,
} from '../../storage/enrolment-store.ts';
import { findProgram } from '../../storage/program-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { notFound } from '../errors.ts';
import { type Changed, transitionsOf } from './enrolment-states.ts';
import {
  presentEnrolment,
  presentFigures,
  presentObjective,
  presentPayout,
  presentRule,
  presentTransition,
  presentViolations,
} from './present-enrolment.ts';

/** The enrolments of an account in order of creation. */
export async function readEnrolments(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
): Promise<EnrolmentRecord[]> {
  const { database, live } = context;
  const { number, currency } = await accessAccount(context, principal, accountId);
  const enrolments = await listEnrolments(database, number);
  const ids = enrolments.map(({ definition: { id } }) => id);
  // First, as in readEnrolment.
  const progress = await live.read(number, false, (view) =>
    ids.map((id) => view.enrolmentProgress(id)),
  );
  const changes = await transitionsOf(database, number);
  const digits = moneyDigits(currency);
  return enrolments.map((enrolment, index) =>
    presentEnrolment(enrolment, changes.get(ids[index] ?? '') ?? [], digits, progress?.[index]),
  );
}

/** An enrolment with its progress and history. Throws `notFound`. */
export async function readEnrolment(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  enrolmentId: string,
  realTime: boolean,
): Promise<EnrolmentDetailsRecord> {
  const { database, live } = context;
  const { number, currency } = await accessAccount(context, principal, accountId);
  const enrolment = await findEnrolment(database, number, enrolmentId);
  if (!enrolment) throw notFound('Enrolment');
  const digits = moneyDigits(currency);
  // Memory first: what it tells no more, such as an end, is stored or about to be.
  const progress = await live.read(number, realTime, (view) => view.enrolmentProgress(enrolmentId));
  const changes = (await transitionsOf(database, number)).get(enrolmentId) ?? [];
  const { programId, version, phase } = enrolment;
  const userId = userOf(principal);
  const program = await findProgram<ProgramPhaseRecord[]>(database, userId, programId, version);
  const rulebook = program?.phases[phase - 1];
  if (!rulebook) throw new Error(`Invariant: the program of the enrolment ${enrolmentId} is gone`);
  return {
    ...presentEnrolment(enrolment, changes, digits, progress),
    ...enrolmentStandingOf(enrolment, changes, progress, digits),
    ...presentPayout(progress?.payout, digits),
    ...presentViolations(violationsOf(changes, progress), enrolment.definition.phase.rules, digits),
    rulebook,
    transitions: changes.map(presentTransition),
  };
}

/** Those known now or, after its end, the one that ended it. */
function violationsOf(changes: readonly Changed[], progress: EnrolmentProgress | undefined) {
  const told = changes.findLast(({ transition }) => transition.violation)?.transition.violation;
  return progress?.violations ?? (told && [told]);
}

/** The state of the enrolment: as of now, or as of its end. */
export function enrolmentStandingOf(
  { definition }: StoredEnrolment,
  changes: readonly Changed[],
  progress: EnrolmentProgress | undefined,
  digits: number,
): Pick<EnrolmentDetailsRecord, 'figures' | 'rules' | 'objectives'> {
  const figures = progress?.figures ?? changes.at(-1)?.transition.figures;
  const objectives = figures ? objectivesProgress(definition, figures) : [];
  return {
    ...(figures ? { figures: presentFigures(figures, digits) } : {}),
    rules: (progress?.rules ?? []).map((rule) => presentRule(rule, digits)),
    objectives: objectives.map((objective) => presentObjective(objective, digits)),
  };
}
