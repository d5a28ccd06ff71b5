import { type Account, holdAccount, lockAccount } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { notFound } from '../errors.ts';

export type { Account };

/**
 * The account, if it belongs to the caller and the token reaches it. Throws `notFound` otherwise,
 * with the same text as for an account that does not exist.
 */
export async function accessAccount(
  { catalogue }: Pick<Context, 'catalogue'>,
  principal: Principal,
  accountId: string,
): Promise<Account> {
  const userId = userOf(principal);
  const { accountNumbers } = principal;
  const account = await catalogue.account(userId, accountId);
  if (!account || (accountNumbers && !accountNumbers.has(account.number)))
    throw notFound('Account');
  return account;
}

/**
 * The account, which cannot be deleted until the end of the transaction. Everything stored for an
 * account is stored under this lock. Throws `notFound` if it is gone.
 */
export async function held(tx: Transaction, { number }: Account): Promise<Account> {
  const account = await holdAccount(tx, number);
  if (!account) throw notFound('Account');
  return account;
}

/** Locks an account that the transaction changes. */
export async function locked(tx: Transaction, { number }: Account): Promise<Account> {
  const account = await lockAccount(tx, number);
  if (!account) throw notFound('Account');
  return account;
}
