import {
  MAX_ACTIVE_ENROLMENTS,
  MAX_ENROLMENTS_PER_ACCOUNT,
  MAX_TRANSITIONS,
  type NewEnrolment,
} from '../../contract/operations/enrolments.ts';
import { fromUnits, moneyDigits } from '../../domain/money.ts';
import { fits } from '../../domain/programs/phase-funding.ts';
import { actionsOf } from '../../domain/programs/phase-trackers.ts';
import type { EnrolmentDefinition } from '../../domain/programs/program-definition.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  endEnrolmentActions,
  findEnrolment,
  insertEnrolment,
  listEnrolments,
  type StoredEnrolment,
} from '../../storage/enrolment-store.ts';
import type { AskedState } from '../../words/programs.ts';
import { type Account, accessAccount, held } from '../accounts/access-account.ts';
import { requireActionRights } from '../breach-actions/action-rights.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { conflict, invalidParameter, notFound } from '../errors.ts';
import { lockProgram, ownProgram } from '../programs/manage-programs.ts';
import { nameOf } from '../users/read-current-token.ts';
import { defineEnrolment } from './define-enrolment.ts';
import { enrolmentStateOf, isOver, transitionsOf } from './enrolment-states.ts';

/**
 * Enrols an account; this reaches the live state through the journal, between the right snapshots.
 * Throws `validation` naming the faults, `notFound`, `conflict` if there are too many enrolments or
 * the account's balance is far from the initial one, and `forbidden` if the phase acts at breaches
 * and the caller lacks that right.
 */
export async function createEnrolment(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  input: NewEnrolment,
): Promise<{ id: string }> {
  const account = await accessAccount(context, principal, accountId);
  const enrolment = await defineEnrolment(context, principal, account, input);
  const { definition, programId, version, phase } = enrolment;
  const actions = actionsOf(definition).flatMap((each) => each.actions);
  await requireActionRights(context, principal, account, actions);
  await requireStart(context, account, definition);
  await context.changes.make(actorOf(principal), async (tx) => {
    const { number, userId } = await held(tx, account);
    await tx.lock(`enrolments:${number}`);
    await lockProgram(tx, programId);
    await ownProgram(tx, userOf(principal), programId, version);
    await requireRoom(tx, number);
    await insertEnrolment(tx, {
      ...enrolment,
      accountNumber: number,
      createdAtMs: context.now(),
    });
    await tx.tell(number, { command: { kind: 'enrolment-added', definition } });
    const details = { enrolmentId: definition.id, programId, version, phase, ...input };
    return {
      result: undefined,
      audit: [{ action: 'enrolment.created', userId, accountId, details }],
    };
  });
  return { id: definition.id };
}

/**
 * Its rules did not measure the time before an enrolment, and its initial money must be about that
 * of its rules: otherwise the difference would count as profit or loss. An account that never had
 * money waits for it, and an enrolment that starts later may be funded until then.
 */
async function requireStart(
  { live }: { live: LiveReader },
  { number, currency }: Account,
  definition: EnrolmentDefinition,
): Promise<void> {
  const now = await live.read(number, true, (view) => ({
    lastTimeMs: view.lastTimeMs,
    balance: view.ledgerBalance,
    wasFunded: view.wasFunded,
  }));
  const { lastTimeMs, balance = 0, wasFunded } = now ?? {};
  const { startTimeMs, initialBalance } = definition;
  if (lastTimeMs === undefined) return;
  if (startTimeMs !== undefined && startTimeMs < lastTimeMs) {
    const message = 'must not be before the newest snapshot; a preview can start earlier';
    throw invalidParameter('startBrokerTime', message);
  }
  if (startTimeMs !== undefined && startTimeMs > lastTimeMs) return;
  if (balance <= 0 && !wasFunded) return;
  if (fits(balance, definition)) return;
  const digits = moneyDigits(currency);
  const [has, asked] = [fromUnits(balance, digits), fromUnits(initialBalance, digits)];
  throw conflict(
    `The balance is ${has} ${currency}, the initialBalance ${asked}: more than 10 % apart. Pay in or out first, pass an initialBalance that fits, or a startBrokerTime by which the money is there`,
  );
}

async function requireRoom(tx: Transaction, accountNumber: number): Promise<void> {
  const all = await listEnrolments(tx, accountNumber);
  if (all.length >= MAX_ENROLMENTS_PER_ACCOUNT) {
    const most = MAX_ENROLMENTS_PER_ACCOUNT;
    throw conflict(`The limit of ${most} enrolments per account is reached`);
  }
  await requireRoomToRun(tx, accountNumber, all);
}

async function requireRoomToRun(
  tx: Transaction,
  accountNumber: number,
  all: readonly StoredEnrolment[],
): Promise<void> {
  const changes = await transitionsOf(tx, accountNumber);
  const active = all.filter(({ definition: { id } }) => !isOver(enrolmentStateOf(changes.get(id))));
  if (active.length >= MAX_ACTIVE_ENROLMENTS) {
    const most = MAX_ACTIVE_ENROLMENTS;
    throw conflict(`The limit of ${most} unfinished enrolments per account is reached`);
  }
}

/**
 * Pauses, resumes, reinstates or withdraws an enrolment, in the right place between the account's
 * snapshots. Throws `notFound`, `conflict` for one that has ended, unless a disputed end is to be
 * undone.
 */
export async function changeEnrolment(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  enrolmentId: string,
  to: AskedState,
): Promise<void> {
  const account = await accessAccount(context, principal, accountId);
  const by = await nameOf(context, principal);
  const canReinstate = to === 'running' && (await isDisputed(context, account.number, enrolmentId));
  await context.changes.make(actorOf(principal), async (tx) => {
    const { number, userId } = await held(tx, account);
    await tx.lock(`enrolments:${number}`);
    const enrolment = await findEnrolment(tx, number, enrolmentId);
    if (!enrolment) throw notFound('Enrolment');
    const changes = (await transitionsOf(tx, number)).get(enrolmentId);
    const state = enrolmentStateOf(changes);
    const isReinstated = isOver(state) && canReinstate;
    if (isReinstated) await requireRoomToRun(tx, number, await listEnrolments(tx, number));
    else if (isOver(state)) throw conflict(`The enrolment has ended, undisputed: it is ${state}`);
    if (to !== 'withdrawn' && changes && changes.length >= MAX_TRANSITIONS) {
      throw conflict('The enrolment was paused too often: withdraw it and enrol the account again');
    }
    if (to === 'withdrawn') await endEnrolmentActions(tx, enrolment);
    await tx.tell(number, { command: { kind: 'enrolment-changed', enrolmentId, to, by } });
    const details = { enrolmentId, to };
    const action = isReinstated ? 'enrolment.reinstated' : 'enrolment.changed';
    return {
      result: undefined,
      audit: [{ action, userId, accountId, details }],
    };
  });
}

/** Whether the enrolment ended for a reason that was revised since. */
async function isDisputed(
  { database, live }: Context & { live: LiveReader },
  accountNumber: number,
  enrolmentId: string,
): Promise<boolean> {
  const changes = (await transitionsOf(database, accountNumber)).get(enrolmentId);
  if (!isOver(enrolmentStateOf(changes))) return false;
  const progress = await live.read(accountNumber, true, (view) =>
    view.enrolmentProgress(enrolmentId),
  );
  return progress?.isDisputed ?? false;
}
