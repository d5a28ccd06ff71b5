import { type BrokerTimeMs, DAY_MS, formatBrokerTime } from '../broker-time.ts';
import { isTradeDeal } from '../deal.ts';
import type { Money } from '../money.ts';
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
  /** The deepest fall of the time-weighted index from its highest point until then, in percent. */
  belowPeak: number;
  /** Deposits less withdrawals. */
  transfers: Money;
  /** At the end, with all that was booked on positions that were still open. */
  balance: Money;
};

/** The balance after the last deal of a day. */
export type DayBalance = { dayStartMs: BrokerTimeMs; balance: Money };

/** @param balances of all days with deals, ascending; where there are none, those of the growth count */
export const dailyGrowthOf = (
  growth: readonly GrowthPoint[],
  balances: readonly DayBalance[] = [],
): CalendarGrowth[] => calendarGrowthOf(growth, balances, 'YYYY-MM-DD'.length);

export const monthlyGrowthOf = (
  growth: readonly GrowthPoint[],
  balances: readonly DayBalance[] = [],
): CalendarGrowth[] => calendarGrowthOf(growth, balances, 'YYYY-MM'.length);

function calendarGrowthOf(
  growth: readonly GrowthPoint[],
  balances: readonly DayBalance[],
  dateLength: number,
): CalendarGrowth[] {
  const periods = new Map<string, { period: CalendarGrowth; product: number }>();
  const periodOf = dates(periods, dateLength);
  let highIndex = 1;
  for (const { trade, factor, index, balance } of growth) {
    const current = periodOf(trade.closeTimeMs, balance);
    addTo(current.period, trade, balance);
    current.product = chained(current.product, factor);
    highIndex = Math.max(highIndex, index);
    current.period.belowPeak = Math.max(current.period.belowPeak, 1 - index / highIndex);
  }
  const sorted = addBalances(periods, periodOf, balances);
  return sorted.map(({ period, product }) => ({
    ...period,
    gain: gainPercentOf(product),
    belowPeak: Number((period.belowPeak * 100).toFixed(8)),
  }));
}

type Periods = Map<string, { period: CalendarGrowth; product: number }>;

/** Finds or begins the period of a moment. */
function dates(periods: Periods, dateLength: number) {
  let day: number | undefined;
  let date = '';
  return (timeMs: BrokerTimeMs, balance: Money) => {
    const dayOfTime = Math.floor(timeMs / DAY_MS);
    // Writing a date costs more than all the rest, so it is done once per day.
    if (day !== dayOfTime) date = formatBrokerTime(timeMs).slice(0, dateLength);
    day = dayOfTime;
    let current = periods.get(date);
    if (!current) {
      const period = { date, trades: 0, profit: 0, gain: 0, belowPeak: 0, transfers: 0, balance };
      current = { period, product: 1 };
      periods.set(date, current);
    }
    return current;
  };
}

/** Days on which nothing was closed have a balance too. Gives all in order. */
function addBalances(
  periods: Periods,
  periodOf: ReturnType<typeof dates>,
  balances: readonly DayBalance[],
) {
  for (const { dayStartMs, balance } of balances) {
    periodOf(dayStartMs, balance).period.balance = balance;
  }
  return [...periods.values()].sort((a, b) => (a.period.date < b.period.date ? -1 : 1));
}

function addTo(period: CalendarGrowth, trade: GrowthPoint['trade'], balance: Money): void {
  if (isTransfer(trade)) period.transfers += trade.profit;
  else period.profit += trade.profit;
  if (isTradeDeal(trade)) period.trades += 1;
  period.balance = balance;
}
