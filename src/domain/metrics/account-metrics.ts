import type { BrokerTimeMs } from '../broker-time.ts';
import { isTradeDeal } from '../deal.ts';
import { type Money, toUnits, type Volume } from '../money.ts';
import type { Trade } from '../trade.ts';
import { type Activity, activityOf } from './activity.ts';
import {
  type CalendarGrowth,
  type DayBalance,
  dailyGrowthOf,
  monthlyGrowthOf,
} from './calendar-growth.ts';
import { standardDeviationOf } from './deviation.ts';
import { type ExtremeTrade, extremeTradesOf } from './extreme-trades.ts';
import { type GrowthPoint, gainPercentOf, growthOf, isFunded } from './growth.ts';
import {
  averageHoldingPeriodReturn,
  geometricHoldingPeriodReturn,
  sharpeRatioOf,
  sortinoRatioOf,
} from './holding-period-returns.ts';
import { type HoldingTimes, holdingTimesOf } from './holding-times.ts';
import { type MaxDrawdown, maxDrawdownOf } from './max-drawdown.ts';
import { percentOf, ratioOf, sumOf } from './ratio.ts';
import { type Streaks, streaksOf } from './streaks.ts';
import {
  byCloseHour,
  byOpenHour,
  bySymbol,
  byWeekday,
  type TradeGroup,
  totalPips,
} from './trade-groups.ts';
import { type Transfers, transfersOf } from './transfers.ts';
import { type WinLoss, winLossOf } from './win-loss.ts';
import { zScoreOf } from './z-score.ts';

/** Ratios of spread say nothing about fewer closed positions; the field's usual least number. */
const LEAST_TRADES_FOR_RATIOS = 30;

export type MetricsInput = {
  /** The account's history, balance operations included, in the order of closing. */
  trades: readonly Trade[];
  /** Balance before the first line of the history; 0 where the history is whole. */
  balanceBefore: Money;
  balance: Money;
  equity?: Money | undefined;
  credit?: Money | undefined;
  /** Balances at the ends of the days with deals; those by closed trades where absent. */
  balances?: readonly DayBalance[] | undefined;
  nowMs: BrokerTimeMs;
};

/**
 * Statistics of an account. Money in units, volume in 1e-8 lot, percentages as 5 for 5 %. A figure
 * that is not defined (an average of nothing, a ratio to zero) is undefined. A trade is a closed
 * position; it is won when its net profit is above zero. Ratios of risk are per trade.
 */
export type AccountMetrics = WinLoss &
  Transfers &
  Activity & {
    balance: Money;
    equity?: Money | undefined;
    credit?: Money | undefined;
    /** Result of trades and of costs and income without a position. */
    profit: Money;
    longTrades: WinLoss;
    shortTrades: WinLoss;
    bestTrade?: ExtremeTrade | undefined;
    worstTrade?: ExtremeTrade | undefined;
    streaks: Streaks;
    /** Parts of the money of all lines. */
    commission: Money;
    swap: Money;
    fee: Money;
    volume: Volume;
    pips?: number | undefined;
    averagePips?: number | undefined;
    /** The history begins with money: else rates in percent are not defined, though they are here. */
    isFunded: boolean;
    /** Time-weighted, in percent. */
    gain: number;
    /** Result in percent of the balance before and all deposits. */
    absoluteGain?: number | undefined;
    drawdown: MaxDrawdown;
    /** Result over the maximal drawdown. */
    recoveryFactor?: number | undefined;
    /** Of the net profits of the trades. */
    standardDeviation?: Money | undefined;
    sharpeRatio?: number | undefined;
    sortinoRatio?: number | undefined;
    averageHoldingPeriodReturn?: number | undefined;
    geometricHoldingPeriodReturn?: number | undefined;
    zScore?: number | undefined;
    holdingTimes: Record<'all' | 'won' | 'lost', HoldingTimes | undefined>;
    daily: CalendarGrowth[];
    monthly: CalendarGrowth[];
    bySymbol: TradeGroup<string>[];
    byWeekday: TradeGroup<number>[];
    byOpenHour: TradeGroup<number>[];
    byCloseHour: TradeGroup<number>[];
  };

/** Composes all statistics of an account; pure, in one pass or a sort per statistic. */
export function metricsOf(input: MetricsInput): AccountMetrics {
  const { balance, equity, credit, trades: history, balanceBefore, balances, nowMs } = input;
  const trades = history.filter(isTradeDeal);
  const results = trades.map((trade) => trade.profit);
  const growth = growthOf(history, balanceBefore);
  const { deposits, withdrawals } = transfersOf(history);
  const profit = growth.at(-1)?.result ?? 0;
  const drawdown = maxDrawdownOf(growth);
  return {
    ...{ balance, equity, credit, profit, deposits, withdrawals, drawdown },
    ...winLossOf(results),
    longTrades: winLossOf(profitsOf(trades, 'DEAL_TYPE_BUY')),
    shortTrades: winLossOf(profitsOf(trades, 'DEAL_TYPE_SELL')),
    ...extremeTradesOf(trades),
    streaks: streaksOf(results),
    commission: sumOf(history, (trade) => trade.commission),
    swap: sumOf(history, (trade) => trade.swap),
    fee: sumOf(history, (trade) => trade.fee),
    volume: sumOf(trades, (trade) => trade.volume),
    ...pipsOf(trades),
    isFunded: isFunded(growth),
    gain: gainPercentOf(growth.at(-1)?.index ?? 1),
    absoluteGain: percentOf(profit, balanceBefore + deposits),
    recoveryFactor: ratioOf(profit, drawdown.maximal),
    ...riskOf(results, growth),
    holdingTimes: {
      all: holdingTimesOf(trades),
      won: holdingTimesOf(trades.filter((trade) => trade.success === 'won')),
      lost: holdingTimesOf(trades.filter((trade) => trade.success === 'lost')),
    },
    ...activityOf(trades, nowMs),
    daily: dailyGrowthOf(growth, balances),
    monthly: monthlyGrowthOf(growth, balances),
    bySymbol: bySymbol(trades),
    byWeekday: byWeekday(trades),
    byOpenHour: byOpenHour(trades),
    byCloseHour: byCloseHour(trades),
  };
}

const profitsOf = (trades: readonly Trade[], type: Trade['type']): Money[] =>
  trades.filter((trade) => trade.type === type).map((trade) => trade.profit);

function pipsOf(trades: readonly Trade[]) {
  const counted = trades.filter((trade) => trade.pips !== undefined).length;
  const pips = totalPips(trades);
  return { pips, averagePips: pips === undefined ? undefined : ratioOf(pips, counted) };
}

/** Returns are on the balance just before each trade closed. */
function riskOf(results: readonly Money[], growth: readonly GrowthPoint[]) {
  const returns: number[] = [];
  for (const { trade, balance } of growth) {
    const before = balance - trade.profit;
    if (isTradeDeal(trade) && before > 0) returns.push(trade.profit / before);
  }
  const deviation = standardDeviationOf(results);
  const isEnough = results.length >= LEAST_TRADES_FOR_RATIOS;
  return {
    standardDeviation: deviation === undefined ? undefined : toUnits(deviation, 0),
    sharpeRatio: isEnough ? sharpeRatioOf(returns) : undefined,
    sortinoRatio: isEnough ? sortinoRatioOf(returns) : undefined,
    averageHoldingPeriodReturn: averageHoldingPeriodReturn(returns),
    geometricHoldingPeriodReturn: geometricHoldingPeriodReturn(returns),
    zScore: isEnough ? zScoreOf(results) : undefined,
  };
}
