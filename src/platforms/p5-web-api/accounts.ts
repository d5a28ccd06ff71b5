import { type AccountInformation, PlatformError } from '../gateway.ts';
import { batchOf } from './batches.ts';
import type { P5Client } from './client.ts';
import { numberOf, optionalNumberOf, type P5Record, textOf } from './record.ts';
import { mayTrade, toPlatformUser } from './users.ts';

/** `MarginMode` of a group in the platform's numbers 0, 1, 2. */
const MARGIN_MODES = [
  'ACCOUNT_MARGIN_MODE_RETAIL_NETTING',
  'ACCOUNT_MARGIN_MODE_EXCHANGE',
  'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
] as const;

export type P5Group = { currency: string; company: string; marginMode: string };

export async function readGroup(
  client: P5Client,
  group: string,
  signal?: AbortSignal,
): Promise<P5Group> {
  const [row] = await batchOf(client, '/api/group/get', { group }, signal);
  if (!row)
    throw new PlatformError('denied', 'The manager account does not see the group of the account');
  return {
    currency: textOf(row, 'Currency'),
    company: textOf(row, 'Company'),
    marginMode: MARGIN_MODES[numberOf(row, 'MarginMode')] ?? MARGIN_MODES[0],
  };
}

/**
 * The state of an account. The server knows the trading state only of accounts with positions,
 * orders or activity since its start; for the others the user's record tells all there is.
 */
export async function readAccountInformation(
  client: P5Client,
  user: P5Record,
  group: P5Group,
  signal?: AbortSignal,
): Promise<AccountInformation> {
  const login = numberOf(user, 'Login');
  const [account] = await batchOf(client, '/api/user/account/get', { login }, signal);
  const balance = numberOf(account ?? user, 'Balance');
  const credit = numberOf(account ?? user, 'Credit');
  const equity = account ? numberOf(account, 'Equity') : balance + credit;
  const margin = account ? numberOf(account, 'Margin') : 0;
  const level = account ? optionalNumberOf(account, 'MarginLevel') : undefined;
  return {
    platform: 'mt5',
    broker: group.company,
    currency: group.currency,
    balance,
    equity,
    margin,
    freeMargin: (account && optionalNumberOf(account, 'MarginFree')) ?? equity - margin,
    leverage: numberOf(user, 'Leverage'),
    marginLevel: margin > 0 ? level : undefined,
    tradeAllowed: mayTrade(numberOf(user, 'Rights')),
    marginMode: group.marginMode,
    name: toPlatformUser(user).name,
    login,
    credit,
  };
}
