import { deleteAccount as deleteAccountRow } from '../../storage/account-store.ts';
import { deleteDeals } from '../../storage/deal-store.ts';
import { deleteHistory } from '../../storage/history-store.ts';
import { deleteMarket } from '../../storage/market-store.ts';
import { deleteSync } from '../../storage/sync-store.ts';
import type { Context, Principal } from '../context.ts';
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
    await deleteHistory(tx, accountId);
    await deleteDeals(tx, accountId);
    await deleteMarket(tx, accountId);
    await deleteSync(tx, accountId);
    await deleteAccountRow(tx, accountId);
  });
}
