import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { type BalanceDrawdown, drawdownFrom } from './balance-drawdown.ts';
import { type CalendarGrowth, dailyGrowthOf, monthlyGrowthOf } from './calendar-growth.ts';
import { dailySeriesOf, type EquityDay } from './daily-returns.ts';
import { type Growth, gainPercentOf, rounded } from './growth.ts';
import { type GrowthDay, growthDayOf } from './growth-day.ts';
import type { MetricsState } from './metrics-state.ts';
import { type PartMetrics, partMetricsOf } from './part-metrics.ts';
import { type Period, type PeriodGrowth, periodGrowthOf } from './period-growth.ts';
import { percentOf, ratioOf } from './ratio.ts';
import { type RiskFigures, riskFiguresOf } from './risk-figures.ts';
import { type RuinRisk, riskOfRuinOf } from './risk-of-ruin.ts';
import { type YearlyGrowth, yearlyGrowthOf } from './yearly-growth.ts';

export type MetricsInput = {
  /** The fold of all deals. */
  state: MetricsState;
  /** Its days, in order. */
  days: readonly GrowthDay[];
  /** Equity by day, in order; days without snapshots are absent. */
  equityDays?: readonly EquityDay[] | undefined;
  /** Only its day counts. */
  nowMs: BrokerTimeMs;
};

/** Drawdowns of an account, with deposits and withdrawals left out. All at least 0. */
export type MaxDrawdown = {
  /** How far the sum of the results fell below the start. */
  absolute: Money;
  /** The largest fall of the sum of the results from its highest point, the start included. */
  maximal: Money;
  /** The largest fall of the time-weighted index from its highest point so far, in percent. */
  maximalPercent: number;
};

/** Statistics of an account: of its trades and its balance. Ratios in `risk` are of days. */
export type AccountMetrics = PartMetrics &
  YearlyGrowth & {
    balance: Money;
    credit: Money;
    deposits: Money;
    withdrawals: Money;
    highestBalance: Money;
    highestBalanceTimeMs?: BrokerTimeMs | undefined;
    /** Result of all deals but transfers and credit, those of open positions included. */
    profit: Money;
    /** Parts of the money of all deals. */
    commission: Money;
    swap: Money;
    fee: Money;
    /** If false, no gain or drawdown in percent is defined, although values stand here. */
    isFunded: boolean;
    /** Time-weighted, in percent. */
    gain: number;
    /** Result in percent of all deposits. */
    absoluteGain?: number | undefined;
    drawdown: MaxDrawdown;
    /** By trades alone, as the terminals' reports state it. */
    balanceDrawdown: BalanceDrawdown;
    /** Result over the maximal drawdown. */
    recoveryFactor?: number | undefined;
    riskOfRuin: RuinRisk[];
    risk: RiskFigures;
    periods: Partial<Record<Period, PeriodGrowth>>;
    daily: CalendarGrowth[];
    monthly: CalendarGrowth[];
  };

/** Composes all statistics of an account; pure. */
export function metricsOf({ state, days, equityDays = [], nowMs }: MetricsInput): AccountMetrics {
  const { growth } = state;
  const { balance, credit, deposits, withdrawals, result: profit } = growth;
  const { highestBalance, highestBalanceTimeMs } = growth;
  const ofTrades = partMetricsOf(state.trades);
  return {
    ...{ balance, credit, deposits, withdrawals, highestBalance, highestBalanceTimeMs, profit },
    ...ofTrades,
    ...{ commission: state.commission, swap: state.swap, fee: state.fee },
    isFunded: growth.isFunded ?? true,
    gain: gainPercentOf(growth.index),
    absoluteGain: percentOf(profit, deposits),
    ...yearlyGrowthOf(growth, daysOfTrading(ofTrades, days)),
    drawdown: drawdownOf(growth),
    balanceDrawdown: drawdownFrom(state.course),
    recoveryFactor: ratioOf(profit, growth.maximalFall),
    riskOfRuin: riskOfRuinOf(balance, ofTrades),
    risk: riskFiguresOf(dailySeriesOf(growth.isFunded === false ? [] : days, equityDays)),
    periods: periodGrowthOf(days, nowMs),
    daily: dailyGrowthOf(days),
    monthly: monthlyGrowthOf(days),
  };
}

const drawdownOf = ({ absoluteFall, maximalFall, maximalFallPercent }: Growth): MaxDrawdown => ({
  ...{ absolute: absoluteFall, maximal: maximalFall, maximalPercent: rounded(maximalFallPercent) },
});

/** Whole days from the first trade to the last day on which something was booked. */
function daysOfTrading(
  { firstTradeTimeMs }: PartMetrics,
  days: readonly GrowthDay[],
): number | undefined {
  const last = days.at(-1);
  return firstTradeTimeMs === undefined || !last
    ? undefined
    : Math.max(1, last.day - growthDayOf(firstTradeTimeMs) + 1);
}
