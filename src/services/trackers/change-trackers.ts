import { moneyDigits } from '../../domain/money.ts';
import { findTracker, hideTracker, renameTrackerRow } from '../../storage/tracker-store.ts';
import { accessAccount, held } from '../accounts/access-account.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { rethrowTakenName } from './create-tracker.ts';
import { presentTracker } from './present-tracker.ts';

/** Changes a tracker's name, the only thing that can change. */
export async function renameTracker(
  context: Context,
  principal: Principal,
  accountId: string,
  id: string,
  name: string,
): Promise<void> {
  const account = await accessAccount(context, principal, accountId);
  const renamed = context.changes.make(actorOf(principal), async (tx) => {
    const { number, userId } = await held(tx, account);
    const tracker = await findTracker(tx, number, id);
    if (!tracker) throw notFound('Tracker');
    await renameTrackerRow(tx, number, id, name);
    const details = { trackerId: id, from: tracker.name, to: name };
    return {
      result: undefined,
      audit: [{ action: 'tracker.renamed', userId, accountId, details }],
    };
  });
  await renamed.catch(rethrowTakenName);
}

/** Deletes a tracker with its statistics; its events stay in the feed. */
export async function deleteTracker(
  context: Context,
  principal: Principal,
  accountId: string,
  id: string,
): Promise<void> {
  const account = await accessAccount(context, principal, accountId);
  await context.changes.make(actorOf(principal), async (tx) => {
    const { number, userId } = await held(tx, account);
    await tx.lock(`trackers:${number}`);
    const tracker = await findTracker(tx, number, id);
    if (!tracker) throw notFound('Tracker');
    await hideTracker(tx, number, id);
    await tx.tell(number, { command: { kind: 'tracker-removed', trackerId: id } });
    const details = { ...presentTracker(tracker, moneyDigits(account.currency)), trackerId: id };
    return {
      result: undefined,
      audit: [{ action: 'tracker.deleted', userId, accountId, details }],
    };
  });
}
