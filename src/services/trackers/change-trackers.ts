import { findTracker, hideTracker, renameTracker as rename } from '../../storage/tracker-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { appendCommand } from '../snapshots/append-to-journal.ts';
import { rethrowTakenName } from './create-tracker.ts';

/** Changes the name, the only thing of a tracker that can change. */
export async function renameTracker(
  context: Context,
  principal: Principal,
  accountId: string,
  id: string,
  name: string,
): Promise<void> {
  await accessAccount(context, principal, accountId);
  await context.database
    .transaction(async (tx) => {
      if (!(await findTracker(tx, accountId, id))) throw notFound('Tracker');
      await rename(tx, id, name);
    })
    .catch(rethrowTakenName);
}

/** Deletes a tracker with its statistics; its events stay in the feed. */
export async function deleteTracker(
  context: Context,
  principal: Principal,
  accountId: string,
  id: string,
): Promise<void> {
  await accessAccount(context, principal, accountId);
  await context.database.transaction(async (tx) => {
    await tx.lock(`trackers:${accountId}`);
    if (!(await findTracker(tx, accountId, id))) throw notFound('Tracker');
    await hideTracker(tx, id);
    await appendCommand(tx, accountId, { kind: 'tracker-removed', trackerId: id });
  });
}
