import { deleteAccount as deleteAccountRow } from '../../storage/account-store.ts';
import { chartDaysLockOf } from '../../storage/chart-day-store.ts';
import { deleteDeals } from '../../storage/deal-store.ts';
import { deleteEvents } from '../../storage/event-store.ts';
import { deleteHistory } from '../../storage/history-store.ts';
import { changeDirectory } from '../../storage/journal-store.ts';
import { deleteLiveAccount } from '../../storage/live-store.ts';
import { deleteMarket } from '../../storage/market-store.ts';
import { deleteSync } from '../../storage/sync-store.ts';
import { deleteTrackers } from '../../storage/tracker-store.ts';
import type { Context, Principal } from '../context.ts';
import { appendCommand } from '../snapshots/append-to-journal.ts';
import { accessAccount } from './access-account.ts';

/** Deletes the account and all that is stored about it, in one transaction. */
export async function deleteAccount(
  context: Context,
  principal: Principal,
  accountId: string,
): Promise<void> {
  await accessAccount(context, principal, accountId);
  await context.database.transaction(async (tx) => {
    await tx.lock(`account:${accountId}`);
    await tx.lock(chartDaysLockOf(tx.kind, accountId));
    await deleteHistory(tx, accountId);
    await deleteDeals(tx, accountId);
    await deleteMarket(tx, accountId);
    await deleteSync(tx, accountId);
    await deleteTrackers(tx, accountId);
    await deleteEvents(tx, accountId);
    await deleteLiveAccount(tx, accountId);
    // What the engine has in memory must go as well, and what it wrote meanwhile.
    await appendCommand(tx, accountId, { kind: 'account-removed' });
    await changeDirectory(tx);
    await deleteAccountRow(tx, accountId);
  });
}
