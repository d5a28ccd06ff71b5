import { type Deal, isCredit, moneyOf } from '../../domain/deal.ts';
import { type Money, moneyDigits, toUnits } from '../../domain/money.ts';
import type { PlatformAccountState } from '../../platforms/gateway.ts';
import type { AccountSync } from '../../storage/sync-store.ts';
import type { BoundAccount } from './account-reading.ts';

/** An account's data on its platform, in units of its currency. */
export type Funds = { balance: Money; credit: Money };

/** An account read through a profile, and its reader's knowledge of it. */
export type Member = {
  readonly account: BoundAccount;
  readonly login: number;
  readonly moneyDigits: number;
  sync: AccountSync;
  /** The funds explained by the stored deals; undefined until first read together with them. */
  explained: Funds | undefined;
  /** Since when its deals do not explain its balance, by the monotonic clock. */
  doubtedSinceMs: number | undefined;
  /** The last state that was recorded, and when. */
  recorded: { state: PlatformAccountState; atMs: number } | undefined;
  /** Since when it has had no good state, by the same clock; undefined until first checked. */
  goodAtMs: number | undefined;
  /** It failed, and is not read before this time, by the same clock. */
  restUntilMs: number;
};

const LOGIN = /^[1-9]\d{0,14}$/;

/** `login` is NaN if the text is not a login: no platform has such an account. */
export const newMember = (account: BoundAccount, sync: AccountSync): Member => ({
  account,
  login: LOGIN.test(account.login) ? Number(account.login) : Number.NaN,
  moneyDigits: moneyDigits(account.currency),
  sync,
  explained: undefined,
  doubtedSinceMs: undefined,
  recorded: undefined,
  goodAtMs: undefined,
  restUntilMs: Number.NEGATIVE_INFINITY,
});

export const platformFundsOf = (
  { balance, credit }: PlatformAccountState,
  { moneyDigits: digits }: Pick<Member, 'moneyDigits'>,
): Funds => ({ balance: toUnits(balance, digits), credit: toUnits(credit, digits) });

export const isSame = (a: Funds | undefined, b: Funds): boolean =>
  a !== undefined && a.balance === b.balance && a.credit === b.credit;

/** The funds after some more deals. */
export function withDeals({ balance, credit }: Funds, deals: readonly Deal[]): Funds {
  const after = { balance, credit };
  for (const deal of deals) after[isCredit(deal) ? 'credit' : 'balance'] += moneyOf(deal);
  return after;
}
