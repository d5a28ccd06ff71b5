import {
  type Account,
  findAccount,
  listAccounts as pageOfAccounts,
} from '../../storage/account-store.ts';
import { type Context, type Principal, userOf } from '../context.ts';

/** A page of the accounts that who asks may see, in order of their ids. */
export async function listAccounts(
  { database }: Context,
  principal: Principal,
  page: { limit: number; offset: number },
): Promise<Account[]> {
  const userId = userOf(principal);
  if (!principal.accountIds) return pageOfAccounts(database, userId, page.limit, page.offset);
  const ids = [...principal.accountIds].sort().slice(page.offset, page.offset + page.limit);
  const accounts = await Promise.all(ids.map((id) => findAccount(database, id)));
  return accounts.filter((account): account is Account => account?.userId === userId);
}
