import { type BrokerTimeMs, DAY_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money, Volume } from '../money.ts';
import type { Trade } from '../trade.ts';
import { type Booking, chained, fallOf, fallPercentOf, type Growth } from './growth.ts';
import { tenthsOf } from './trade-groups.ts';
import { isTransfer } from './transfers.ts';

/** The results of a day of broker time on which something was booked. */
export type GrowthDay = {
  /** Days since 1970-01-01. */
  day: number;
  /** Closed positions, the won ones, their volume, and the tenths of pips where they have any. */
  trades: number;
  won: number;
  volume: Volume;
  pipTenths?: number | undefined;
  /** The results, the deposits less withdrawals, and the credit that were booked. */
  profit: Money;
  transfers: Money;
  credit: Money;
  /** The product of the day's factors. */
  factor: number;
  /** At the end of the day: the balance, the sum of all results, and the time-weighted index. */
  balance: Money;
  result: Money;
  index: number;
  /** The largest falls of results and index below their highest during the day. */
  maximalFall: Money;
  maximalFallPercent: number;
  /** How far the index is below its highest at the end of the day, in percent. */
  fallPercent: number;
};

export const growthDayOf = (timeMs: BrokerTimeMs): number => Math.floor(timeMs / DAY_MS);

/** A new day, after everything before it. */
export const beginDay = (day: number, { balance, result, index }: Growth): GrowthDay => ({
  ...{ day, trades: 0, won: 0, volume: 0, profit: 0, transfers: 0, credit: 0, factor: 1 },
  ...{ balance, result, index, maximalFall: 0, maximalFallPercent: 0, fallPercent: 0 },
});

/** Adds a booking that the growth has just counted. */
export function bookOnDay(
  day: GrowthDay,
  { type, money }: Booking,
  factor: number,
  growth: Growth,
): void {
  if (isCredit({ type })) day.credit += money;
  else if (isTransfer({ type })) day.transfers += money;
  else day.profit += money;
  day.factor = chained(day.factor, factor);
  day.balance = growth.balance;
  day.result = growth.result;
  day.index = growth.index;
  day.maximalFall = Math.max(day.maximalFall, fallOf(growth));
  day.fallPercent = fallPercentOf(growth);
  day.maximalFallPercent = Math.max(day.maximalFallPercent, day.fallPercent);
}

/** Adds a position that closed on the day. */
export function closeOnDay(day: GrowthDay, { volume, pips, success }: Trade): void {
  day.trades += 1;
  if (success === 'won') day.won += 1;
  day.volume += volume;
  if (pips !== undefined) day.pipTenths = (day.pipTenths ?? 0) + tenthsOf(pips);
}
