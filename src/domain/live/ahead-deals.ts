import type { DealType } from '../../words/deals.ts';
import { isCredit, isTradeDeal } from '../deal.ts';
import type { Money } from '../money.ts';
import type { LiveAccount } from './live-account.ts';
import type { LiveDeal } from './live-records.ts';
import type { LiveTracker } from './live-tracker.ts';

/*
 * Deals and snapshots may arrive by different paths. A deal that arrives alone and is newer than
 * the newest snapshot is folded at once, but the next snapshot may have been taken before it and
 * delayed. Measured with the deal, it would show a loss or a gain that never was.
 */

/** A deal that no snapshot includes yet. */
export type AheadDeal = { readonly utcMs: number; readonly type: DealType; readonly money: Money };

/** Platforms book deals by the second but quote by the millisecond. */
const COARSE_CLOCK_MS = 1000;
/** If more deals came since the last snapshot, the next one is taken to include the first. */
export const MAX_AHEAD_DEALS = 16;

const NONE: readonly AheadDeal[] = [];

/** Counts a deal that is newer than the account's last snapshot. */
export function addAhead(account: LiveAccount, { type, money }: LiveDeal, utcMs: number): void {
  count(account, { type, money });
  account.ahead = account.ahead.concat({ utcMs, type, money }).slice(-MAX_AHEAD_DEALS);
}

/** Keeps only the deals that a snapshot newer than the account's last does not include. */
export function settleAhead(account: LiveAccount, utcMs: number, balance: Money): void {
  account.ahead = account.ahead.length === 0 ? NONE : notIn(account, utcMs, balance);
}

/** Recounts the money of deals that are newer than the account's newest snapshot. */
export function countAhead(account: LiveAccount): void {
  account.newerMoney = 0;
  account.newerFunds = 0;
  for (const deal of account.ahead) count(account, deal);
}

function count(account: LiveAccount, { type, money }: Pick<AheadDeal, 'type' | 'money'>): void {
  if (!isCredit({ type })) account.newerMoney += money;
  if (!isTradeDeal({ type })) account.newerFunds += money;
}

/**
 * A snapshot includes the deals up to its moment and, as their clock is coarser, a little later.
 * But if its balance moved by exactly the first few of the later deals, it includes just those.
 */
function notIn(account: LiveAccount, utcMs: number, balance: Money): readonly AheadDeal[] {
  const later = account.ahead.filter((deal) => deal.utcMs > utcMs);
  if (later.length === 0) return NONE;
  later.sort((a, b) => a.utcMs - b.utcMs);
  const byTime = later.filter((deal) => deal.utcMs <= utcMs + COARSE_CLOCK_MS).length;
  // Try all of them, down to none. Other deals may be unknown, so a near match proves nothing.
  let unexplained = balance - account.balance - account.newerMoney;
  let held: number | undefined;
  for (let count = later.length; count >= 0; count -= 1) {
    const isNearer = held === undefined || Math.abs(count - byTime) < Math.abs(held - byTime);
    if (unexplained === 0 && isNearer) held = count;
    const last = later[count - 1];
    if (last && !isCredit(last)) unexplained += last.money;
  }
  return later.slice(held ?? byTime);
}

/** Money of deals ahead: missing from balance and equity, included in a tracker's adjustment. */
export type AheadMoney = {
  booked: Money;
  funds: Money;
  adjusted: { money: Money; credit: Money };
};

export const NO_MONEY: AheadMoney = { booked: 0, funds: 0, adjusted: { money: 0, credit: 0 } };

/** What is ahead of a moment of the tracker's running period. */
export function aheadOf(
  { ahead }: LiveAccount,
  { rule, periodStartUtcMs }: LiveTracker,
  utcMs: number,
): AheadMoney {
  const sums = { booked: 0, funds: 0, adjusted: { money: 0, credit: 0 } };
  for (const deal of ahead) {
    if (deal.utcMs <= utcMs) continue;
    if (!isCredit(deal)) sums.booked += deal.money;
    if (!isTradeDeal(deal)) sums.funds += deal.money;
    if (deal.utcMs < periodStartUtcMs || !rule.adjustDeals.includes(deal.type)) continue;
    sums.adjusted.money += deal.money;
    if (isCredit(deal)) sums.adjusted.credit += deal.money;
  }
  return sums;
}
