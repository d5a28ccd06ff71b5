import type { Account } from '../../storage/account-store.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { notFound } from '../errors.ts';

export type { Account };

/**
 * The account, if it belongs to who asks and the token reaches it. Throws `notFound` otherwise, in
 * the same words as for an account that does not exist.
 */
export async function accessAccount(
  { catalogue }: Pick<Context, 'catalogue'>,
  principal: Principal,
  accountId: string,
): Promise<Account> {
  const userId = userOf(principal);
  if (principal.accountIds && !principal.accountIds.has(accountId)) throw notFound('Account');
  const account = await catalogue.account(accountId);
  if (!account || account.userId !== userId) throw notFound('Account');
  return account;
}
