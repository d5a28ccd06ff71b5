import type { BreachActionRecord } from '../../contract/operations/breach-actions.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { findNumbered } from '../../storage/account-store.ts';
import {
  type BreachActionState,
  type ListedAction,
  listActions,
  readSwitch,
  retryActions,
  setSwitch,
} from '../../storage/breach-action-store.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { isoTime } from '../present-time.ts';
import { profileUserOf } from '../profiles/access-profile.ts';

export type BreachActionQuery = {
  state?: BreachActionState | undefined;
  accountId?: string | undefined;
  before: number;
  limit: number;
};

/** A user's actions, newest first. */
export async function listBreachActions(
  { database, catalogue }: Context,
  principal: Principal,
  { state, accountId, before, limit }: BreachActionQuery,
): Promise<BreachActionRecord[]> {
  const userId = profileUserOf(principal);
  const account = accountId === undefined ? undefined : await catalogue.account(userId, accountId);
  if (accountId !== undefined && !account) return [];
  const filter = { userId, state, accountNumber: account?.number };
  const listed = await listActions(database, filter, before, limit);
  const numbers = new Set(listed.map(({ action }) => action.accountNumber));
  const accounts = await findNumbered(database, [...numbers]);
  const ids = new Map(accounts.map(({ number, id }) => [number, id]));
  // An account that is gone has no actions any more.
  return listed.flatMap((each) => {
    const id = ids.get(each.action.accountNumber);
    return id === undefined ? [] : [present(each, id)];
  });
}

const present = (
  { action: each, sequenceNumber }: ListedAction,
  accountId: string,
): BreachActionRecord => ({
  id: each.id,
  accountId,
  trackerId: each.trackerId,
  ...(sequenceNumber === undefined ? {} : { sequenceNumber }),
  brokerTime: formatBrokerTime(each.timeMs),
  action: each.action,
  ...(each.groupName === null ? {} : { group: each.groupName }),
  dryRun: each.isDryRun,
  state: each.state,
  attempts: each.attempts,
  ...(each.message === null ? {} : { message: each.message }),
  createdAt: isoTime(each.createdAtMs),
  ...(each.endedAtMs === null ? {} : { endedAt: isoTime(each.endedAtMs) }),
});

/** Has escalated actions tried again, those named or all; how many. */
export async function retryBreachActions(
  { changes }: Context,
  principal: Principal,
  ids: readonly number[] | undefined,
): Promise<{ retried: number }> {
  const userId = profileUserOf(principal);
  return changes.make(actorOf(principal), async (tx) => {
    const retried = await retryActions(tx, userId, ids);
    const result = { retried: retried.length };
    if (retried.length === 0) return { result, audit: 'unchanged' };
    const details = { breachActionIds: retried.slice(0, 100), retried: retried.length };
    return { result, audit: [{ action: 'breach-action.retried', userId, details }] };
  });
}

export const readBreachActionSwitch = async ({
  database,
}: Context): Promise<{ enabled: boolean }> => ({ enabled: await readSwitch(database) });

/** Stops all actions of everybody in every process, or lets them go on. */
export async function setBreachActionSwitch(
  { changes }: Context,
  principal: Principal,
  enabled: boolean,
): Promise<void> {
  await changes.make(actorOf(principal), async (tx) => {
    const isChanged = await setSwitch(tx, enabled);
    const action = enabled ? 'breach-actions.enabled' : 'breach-actions.disabled';
    return { result: undefined, audit: isChanged ? [{ action }] : 'unchanged' };
  });
}
