import type { BrokerTimeMs } from '../broker-time.ts';
import { type Money, toUnits, type Volume } from '../money.ts';
import { type BalanceDrawdown, drawdownFrom } from './balance-drawdown.ts';
import { type CalendarGrowth, dailyGrowthOf, monthlyGrowthOf } from './calendar-growth.ts';
import { dailySeriesOf, type EquityDay } from './daily-returns.ts';
import type { ExtremePips, ExtremeTrade } from './extreme-trades.ts';
import { type Growth, gainPercentOf, rounded } from './growth.ts';
import { type GrowthDay, growthDayOf } from './growth-day.ts';
import {
  averageHoldingPeriodReturn,
  geometricHoldingPeriodReturn,
  sharpeRatioFrom,
  sortinoRatioFrom,
} from './holding-period-returns.ts';
import { type HoldingTimes, holdingTimesFrom, joinHolding } from './holding-times.ts';
import type { MetricsState, PipSum } from './metrics-state.ts';
import { deviationFrom, excessKurtosisFrom } from './moments.ts';
import { type Period, type PeriodGrowth, periodGrowthOf } from './period-growth.ts';
import { percentOf, ratioOf } from './ratio.ts';
import { type RiskFigures, riskFiguresOf } from './risk-figures.ts';
import { type RuinRisk, riskOfRuinOf } from './risk-of-ruin.ts';
import { type Streaks, streaksFrom } from './streaks.ts';
import { groupsFrom, type TradeGroup } from './trade-groups.ts';
import { type WinLoss, winLossFrom } from './win-loss.ts';
import { type YearlyGrowth, yearlyGrowthOf } from './yearly-growth.ts';
import { zScoreFrom, zScorePercentOf } from './z-score.ts';

/** Ratios of spread say nothing about fewer closed positions; 30 is the usual minimum. */
const LEAST_TRADES_FOR_RATIOS = 30;

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

/** Falls of an account, with deposits and withdrawals left out. All at least 0. */
export type MaxDrawdown = {
  /** How far the sum of the results fell below the start. */
  absolute: Money;
  /** The largest fall of the sum of the results from its highest point, the start included. */
  maximal: Money;
  /** The largest fall of the time-weighted index from its highest point so far, in percent. */
  maximalPercent: number;
};

/**
 * Statistics of an account. Money in units, volume in 1e-8 lot, percentages as 5 for 5 %. A figure
 * that is not defined (an average of nothing, a ratio to zero) is undefined. A trade is a closed
 * position, won if its net profit is above zero. Ratios are of trades; those in `risk`, of days.
 */
export type AccountMetrics = WinLoss &
  YearlyGrowth & {
    /** The earliest opening of a closed position; absent without any. */
    firstTradeTimeMs: BrokerTimeMs | undefined;
    lastTradeTimeMs: BrokerTimeMs | undefined;
    balance: Money;
    credit: Money;
    deposits: Money;
    withdrawals: Money;
    highestBalance: Money;
    highestBalanceTimeMs?: BrokerTimeMs | undefined;
    /** Result of all deals but transfers and credit, those of open positions included. */
    profit: Money;
    longTrades: WinLoss;
    shortTrades: WinLoss;
    bestTrade?: ExtremeTrade | undefined;
    worstTrade?: ExtremeTrade | undefined;
    mostPips?: ExtremePips | undefined;
    leastPips?: ExtremePips | undefined;
    streaks: Streaks;
    /** Parts of the money of all deals. */
    commission: Money;
    swap: Money;
    fee: Money;
    volume: Volume;
    pips?: number | undefined;
    wonPips?: number | undefined;
    lostPips?: number | undefined;
    averagePips?: number | undefined;
    averageWinPips?: number | undefined;
    averageLossPips?: number | undefined;
    /** If false, no gain or drawdown in percent is defined, though they stand here. */
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
    /** Of the net profits of the trades. */
    standardDeviation?: Money | undefined;
    kurtosisProfit?: number | undefined;
    sharpeRatio?: number | undefined;
    sortinoRatio?: number | undefined;
    /** In percent of the balance before a trade. */
    averageHoldingPeriodReturn?: number | undefined;
    geometricHoldingPeriodReturn?: number | undefined;
    zScore?: number | undefined;
    /** The share of random sequences whose z-score is nearer to 0, in percent. */
    probability?: number | undefined;
    riskOfRuin: RuinRisk[];
    risk: RiskFigures;
    holdingTimes: Record<'all' | 'won' | 'lost', HoldingTimes | undefined>;
    periods: Partial<Record<Period, PeriodGrowth>>;
    daily: CalendarGrowth[];
    monthly: CalendarGrowth[];
    bySymbol: TradeGroup<string>[];
    byWeekday: TradeGroup<number>[];
    byOpenHour: TradeGroup<number>[];
    byCloseHour: TradeGroup<number>[];
  };

/** Composes all statistics of an account; pure. */
export function metricsOf({ state, days, equityDays = [], nowMs }: MetricsInput): AccountMetrics {
  const { growth, extremes, wonTimes, lostTimes } = state;
  const { balance, credit, deposits, withdrawals, result: profit } = growth;
  const { highestBalance, highestBalanceTimeMs } = growth;
  const winLoss = winLossFrom(state.results);
  return {
    ...{ balance, credit, deposits, withdrawals, highestBalance, highestBalanceTimeMs, profit },
    ...winLoss,
    longTrades: winLossFrom(state.longResults),
    shortTrades: winLossFrom(state.shortResults),
    ...{ bestTrade: extremes.best, worstTrade: extremes.worst },
    ...{ mostPips: extremes.mostPips, leastPips: extremes.leastPips },
    streaks: streaksFrom(state.streaks),
    ...{ commission: state.commission, swap: state.swap, fee: state.fee, volume: state.volume },
    ...pipsOf(state),
    isFunded: growth.isFunded ?? true,
    gain: gainPercentOf(growth.index),
    absoluteGain: percentOf(profit, deposits),
    ...yearlyGrowthOf(growth, daysOfTrading(state, days)),
    drawdown: drawdownOf(growth),
    balanceDrawdown: drawdownFrom(state.course),
    recoveryFactor: ratioOf(profit, growth.maximalFall),
    ...spreadOf(state),
    riskOfRuin: riskOfRuinOf(balance, winLoss),
    risk: riskFiguresOf(dailySeriesOf(growth.isFunded === false ? [] : days, equityDays)),
    holdingTimes: {
      all: holdingTimesFrom(joinHolding(wonTimes, lostTimes)),
      won: holdingTimesFrom(wonTimes),
      lost: holdingTimesFrom(lostTimes),
    },
    ...{ firstTradeTimeMs: state.firstOpenMs, lastTradeTimeMs: state.lastCloseMs },
    periods: periodGrowthOf(days, nowMs),
    daily: dailyGrowthOf(days),
    monthly: monthlyGrowthOf(days),
    bySymbol: groupsFrom(state.bySymbol),
    byWeekday: groupsFrom(state.byWeekday),
    byOpenHour: groupsFrom(state.byOpenHour),
    byCloseHour: groupsFrom(state.byCloseHour),
  };
}

const drawdownOf = ({ absoluteFall, maximalFall, maximalFallPercent }: Growth): MaxDrawdown => ({
  ...{ absolute: absoluteFall, maximal: maximalFall, maximalPercent: rounded(maximalFallPercent) },
});

/** Whole days from the first trade to the last day on which something was booked. */
function daysOfTrading(
  { firstOpenMs }: MetricsState,
  days: readonly GrowthDay[],
): number | undefined {
  const last = days.at(-1);
  return firstOpenMs === undefined || !last
    ? undefined
    : Math.max(1, last.day - growthDayOf(firstOpenMs) + 1);
}

function pipsOf({ wonPips, lostPips }: MetricsState) {
  const all = {
    trades: wonPips.trades + lostPips.trades,
    tenths: wonPips.tenths + lostPips.tenths,
  };
  const total = ({ trades, tenths }: PipSum) => (trades === 0 ? undefined : tenths / 10);
  const average = ({ trades, tenths }: PipSum) => ratioOf(tenths / 10, trades);
  return {
    ...{ pips: total(all), wonPips: total(wonPips), lostPips: total(lostPips) },
    averagePips: average(all),
    averageWinPips: average(wonPips),
    averageLossPips: average(lostPips),
  };
}

/** Returns are on the balance just before each trade closed. */
function spreadOf({ results, profits, returns, streaks }: MetricsState) {
  const deviation = deviationFrom(profits);
  const isEnough = results.won + results.lost >= LEAST_TRADES_FOR_RATIOS;
  const average = averageHoldingPeriodReturn(returns);
  const geometric = geometricHoldingPeriodReturn(returns);
  const zScore = isEnough ? zScoreFrom(streaks) : undefined;
  return {
    standardDeviation: deviation === undefined ? undefined : toUnits(deviation, 0),
    kurtosisProfit: isEnough ? excessKurtosisFrom(profits) : undefined,
    sharpeRatio: isEnough ? sharpeRatioFrom(returns) : undefined,
    sortinoRatio: isEnough ? sortinoRatioFrom(returns) : undefined,
    averageHoldingPeriodReturn: average === undefined ? undefined : gainPercentOf(average),
    geometricHoldingPeriodReturn: geometric === undefined ? undefined : gainPercentOf(geometric),
    zScore,
    probability: zScore === undefined ? undefined : zScorePercentOf(zScore),
  };
}
