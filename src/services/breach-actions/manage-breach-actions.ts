import type { BreachActionRecord } from '../../contract/operations/breach-actions.ts';
import { MAX_ENTRIES_WITH_NOTE } from '../../contract/operations/incidents.ts';
import { findNumbered } from '../../storage/account-store.ts';
import {
  countActions,
  listActions,
  readSwitch,
  retryActions,
  setSwitch,
} from '../../storage/breach-action-store.ts';
import type { BreachActionState } from '../../words/actions.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { profileUserOf } from '../profiles/access-profile.ts';
import { readTrackerNames } from '../trackers/tracker-names.ts';
import { presentAction } from './present-action.ts';

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
  const numbers = [...new Set(listed.map(({ action }) => action.accountNumber))];
  const found = await findNumbered(database, numbers);
  const accounts = new Map(found.map((each) => [each.number, each]));
  const names = await readTrackerNames(database, numbers);
  // A deleted account has no actions.
  return listed.flatMap(({ action, sequenceNumber }) => {
    const of = accounts.get(action.accountNumber);
    const trackerName = names.get(action.trackerId);
    return of ? [presentAction(action, { account: of, trackerName, sequenceNumber })] : [];
  });
}

/** Whether actions are switched on, and how many of the user's are pending. */
export async function readBreachActionState(
  { database, now }: Context,
  principal: Principal,
): Promise<{ enabled: boolean; open: number; escalated: number }> {
  const counts = await countActions(database, now(), profileUserOf(principal));
  return { enabled: await readSwitch(database), ...counts };
}

/** Retries escalated actions, some or all. Returns how many. */
export async function retryBreachActions(
  { changes }: Context,
  principal: Principal,
  ids: readonly number[] | undefined,
): Promise<{ retried: number }> {
  const userId = profileUserOf(principal);
  return changes.make(actorOf(principal), async (tx) => {
    const retried = await retryActions(tx, userId, { ids, entriesBelow: MAX_ENTRIES_WITH_NOTE });
    const result = { retried: retried.length };
    if (retried.length === 0) return { result, audit: 'unchanged' };
    const details = { breachActionIds: retried.slice(0, 100), retried: retried.length };
    return { result, audit: [{ action: 'breach-action.retried', userId, details }] };
  });
}

export const readBreachActionSwitch = async ({
  database,
}: Context): Promise<{ enabled: boolean }> => ({ enabled: await readSwitch(database) });

/** Stops all actions of all users in every process, or resumes them. */
export async function setBreachActionSwitch(
  { changes }: Context,
  principal: Principal,
  enabled: boolean,
): Promise<void> {
  await changes.make(actorOf(principal), async (tx) => {
    const isChanged = await setSwitch(tx, enabled);
    const action = enabled ? 'breach-actions.enabled' : 'breach-actions.disabled';
    return { result: undefined, audit: isChanged ? [{ action, details: {} }] : 'unchanged' };
  });
}
