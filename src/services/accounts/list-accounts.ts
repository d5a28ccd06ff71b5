import { type Account, findNumbered, listAccountRows } from '../../storage/account-store.ts';
import { type Context, type Principal, userOf } from '../context.ts';

/** A page of the accounts that the caller may see, in order of id. */
export async function listAccounts(
  { database }: Context,
  principal: Principal,
  page: { limit: number; offset: number },
): Promise<Account[]> {
  const userId = userOf(principal);
  if (!principal.accountNumbers) return listAccountRows(database, userId, page.limit, page.offset);
  const found = await findNumbered(database, [...principal.accountNumbers]);
  return found.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(page.offset, page.offset + page.limit);
}
