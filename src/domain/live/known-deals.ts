import { compareDeals, isCredit, isTradeDeal } from '../deal.ts';
import type { Money } from '../money.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import type { LiveDeal } from './live-records.ts';

/** A deal with its time as an interval of UTC, both ends inclusive. */
export type KnownDeal = LiveDeal & { utcMs: number; endUtcMs: number };

/** A time without milliseconds may be any moment of its second: p4 and many bridges book so. */
const WHOLE_SECOND_MS = 1000;
/**
 * Most deals that wait for a reading; of more, the oldest count as included by the newest reading.
 */
export const MAX_WAITING = 64;

export function knownDeal(
  { clock, lastUtcMs }: { clock: BrokerClockView; lastUtcMs: number },
  deal: LiveDeal,
): KnownDeal {
  const utcMs = clock.utcOf(deal.timeMs, lastUtcMs);
  const isWhole = deal.timeMs % WHOLE_SECOND_MS === 0;
  return { ...deal, utcMs, endUtcMs: isWhole ? utcMs + WHOLE_SECOND_MS - 1 : utcMs };
}

/** In their own order: that of their times, then of their ids. */
export const inOrder = (deals: readonly KnownDeal[]): KnownDeal[] =>
  deals.toSorted((a, b) => a.utcMs - b.utcMs || compareDeals(a, b));

/** A deal's effect on the balance; credit is not part of it. */
export const bookedBy = (deal: KnownDeal): Money => (isCredit(deal) ? 0 : deal.money);

/** A deal's effect on the equity; that of a trade is in it since the position was opened. */
export const fundsOf = (deal: KnownDeal): Money => (isTradeDeal(deal) ? 0 : deal.money);

/**
 * Whether a deal is certainly from before a moment: one booked in whole seconds may be from the
 * second's end.
 */
export const isBefore = (deal: KnownDeal, utcMs: number): boolean => deal.endUtcMs < utcMs;

/** Sums up the deals before a moment. */
export function sumBefore(
  deals: readonly KnownDeal[],
  utcMs: number,
  moneyOf: (deal: KnownDeal) => Money,
): Money {
  let sum = 0;
  for (const deal of deals) if (isBefore(deal, utcMs)) sum += moneyOf(deal);
  return sum;
}
