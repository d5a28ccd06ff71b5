import { type AccountInformation, type PlatformAccountState, PlatformError } from '../gateway.ts';
import { marginLevel } from '../margin-level.ts';
import { batchOf } from './batches.ts';
import type { P5Client } from './client.ts';
import {
  numberOf,
  numberOrNoneOf,
  optionalNumberOf,
  type P5Record,
  requiredNumberOf,
  textOf,
  wordOf,
} from './record.ts';
import { mayTrade, toPlatformUser } from './users.ts';

/** `MarginMode` of a group in the platform's numbers 0, 1, 2. */
const MARGIN_MODES = ['RETAIL_NETTING', 'EXCHANGE', 'RETAIL_HEDGING'] as const;

export type P5Group = {
  currency: string;
  company: string;
  marginMode: string;
  /** Name of the rules by which its margin rises with what is held; '': none. */
  floatingMargin: string;
};

export async function readGroup(client: P5Client, group: string): Promise<P5Group> {
  const [row] = await batchOf(client, '/api/group/get', { group });
  if (!row)
    throw new PlatformError('forbidden', 'the manager account cannot see the group of the account');
  return {
    currency: textOf(row, 'Currency'),
    company: textOf(row, 'Company'),
    marginMode: wordOf(MARGIN_MODES, 'ACCOUNT_MARGIN_MODE', numberOf(row, 'MarginMode')),
    floatingMargin: textOf(row, 'MarginFloatingLeverage'),
  };
}

/** The state of an account with its holder and group; see `stateOf`. */
export async function readAccountInformation(
  client: P5Client,
  user: P5Record,
  group: P5Group,
): Promise<AccountInformation> {
  const login = numberOf(user, 'Login');
  const rows = await batchOf(client, '/api/user/account/get', { login });
  const account = rows.find((row) => numberOf(row, 'Login') === login);
  const state = stateOf(account, user);
  const level = account && optionalNumberOf(account, 'MarginLevel');
  return {
    platform: 'mt5',
    broker: group.company,
    currency: group.currency,
    ...state,
    leverage: numberOf(user, 'Leverage'),
    marginLevel: level ?? marginLevel(state.equity, state.margin),
    tradeAllowed: mayTrade(numberOf(user, 'Rights')),
    marginMode: group.marginMode,
    name: toPlatformUser(user).name,
    login,
  };
}

/**
 * The server knows the trading state only of accounts with positions, orders or activity since its
 * start; for the others the user's record tells everything. Throws PlatformError for a record
 * without its amounts.
 */
export function stateOf(account: P5Record | undefined, user: P5Record): PlatformAccountState {
  const balance = requiredNumberOf(account ?? user, 'Balance');
  const credit = numberOrNoneOf(account ?? user, 'Credit');
  const equity = account ? requiredNumberOf(account, 'Equity') : balance + credit;
  const margin = account ? numberOrNoneOf(account, 'Margin') : 0;
  const freeMargin = (account && optionalNumberOf(account, 'MarginFree')) ?? equity - margin;
  return { balance, equity, margin, freeMargin, credit };
}
