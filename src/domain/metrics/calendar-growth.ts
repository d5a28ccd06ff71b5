import { DAY_MS, formatBrokerTime } from '../broker-time.ts';
import { isTradeDeal } from '../deal.ts';
import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';
import { chained, type GrowthPoint, gainPercentOf } from './growth.ts';
import { isTransfer } from './transfers.ts';

/** What an account did in a day or month of broker time on which something was booked. */
export type CalendarGrowth = {
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  date: string;
  /** Closed positions. */
  trades: number;
  /** Result of the trades, costs and income. */
  profit: Money;
  /** Time-weighted within the day or month, in percent. */
  gain: number;
  /** Deposits less withdrawals. */
  transfers: Money;
  /** At the end. */
  balance: Money;
};

export const dailyGrowthOf = (growth: readonly GrowthPoint[]): CalendarGrowth[] =>
  calendarGrowthOf(growth, 'YYYY-MM-DD'.length);

export const monthlyGrowthOf = (growth: readonly GrowthPoint[]): CalendarGrowth[] =>
  calendarGrowthOf(growth, 'YYYY-MM'.length);

function calendarGrowthOf(growth: readonly GrowthPoint[], dateLength: number): CalendarGrowth[] {
  const periods: { period: CalendarGrowth; product: number }[] = [];
  let day: number | undefined;
  for (const { trade, factor, balance } of growth) {
    const dayOfTrade = Math.floor(trade.closeTimeMs / DAY_MS);
    let current = periods.at(-1);
    // Writing a date costs more than all the rest, so it is done once per day.
    const date =
      current && day === dayOfTrade
        ? current.period.date
        : formatBrokerTime(trade.closeTimeMs).slice(0, dateLength);
    day = dayOfTrade;
    if (current?.period.date !== date) {
      current = {
        period: { date, trades: 0, profit: 0, gain: 0, transfers: 0, balance },
        product: 1,
      };
      periods.push(current);
    }
    addTo(current.period, trade, balance);
    current.product = chained(current.product, factor);
  }
  return periods.map(({ period, product }) => ({ ...period, gain: gainPercentOf(product) }));
}

function addTo(period: CalendarGrowth, trade: Trade, balance: Money): void {
  if (isTransfer(trade)) period.transfers += trade.profit;
  else period.profit += trade.profit;
  if (isTradeDeal(trade)) period.trades += 1;
  period.balance = balance;
}
