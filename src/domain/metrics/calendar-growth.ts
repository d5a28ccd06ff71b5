import { formatBrokerTime } from '../broker-time.ts';
import { isTradeDeal } from '../deal.ts';
import type { Money } from '../money.ts';
import { type GrowthPoint, gainPercentOf } from './growth.ts';
import { isTransfer } from './transfers.ts';

/** What an account did in a day or month of broker time on which something was booked. */
export type CalendarGrowth = {
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  date: string;
  /** Closed positions. */
  trades: number;
  /** Result of the trades, costs and income. */
  profit: Money;
  /** Time-weighted, in percent; absent once the account had lost everything. */
  gain?: number | undefined;
  /** Deposits less withdrawals. */
  transfers: Money;
  /** At the end. */
  balance: Money;
};

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const MONTH_LENGTH = 'YYYY-MM'.length;

export const dailyGrowthOf = (growth: readonly GrowthPoint[]): CalendarGrowth[] =>
  calendarGrowthOf(growth, DAY_LENGTH);

export const monthlyGrowthOf = (growth: readonly GrowthPoint[]): CalendarGrowth[] =>
  calendarGrowthOf(growth, MONTH_LENGTH);

function calendarGrowthOf(growth: readonly GrowthPoint[], dateLength: number): CalendarGrowth[] {
  const periods: CalendarGrowth[] = [];
  let indexBefore = 1;
  let index = 1;
  for (const point of growth) {
    const date = formatBrokerTime(point.trade.closeTimeMs).slice(0, dateLength);
    let period = periods.at(-1);
    if (period?.date !== date) {
      indexBefore = index;
      period = { date, trades: 0, profit: 0, transfers: 0, balance: 0 };
      periods.push(period);
    }
    index = point.index;
    if (isTransfer(point.trade)) period.transfers += point.trade.profit;
    else period.profit += point.trade.profit;
    if (isTradeDeal(point.trade)) period.trades += 1;
    period.gain = gainPercentOf(indexBefore, index);
    period.balance = point.balance;
  }
  return periods;
}
