import type { Duration } from '../../words/statistics.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import { type Money, toUnits, type Volume } from '../money.ts';
import type { ExtremePips, ExtremeTrade } from './extreme-trades.ts';
import { gainPercentOf } from './growth.ts';
import {
  averageHoldingPeriodReturn,
  geometricHoldingPeriodReturn,
  sharpeRatioFrom,
  sortinoRatioFrom,
} from './holding-period-returns.ts';
import { type HoldingTimes, holdingTimesFrom, joinHolding } from './holding-times.ts';
import { deviationFrom, excessKurtosisFrom } from './moments.ts';
import type { PartState, PipSum } from './part-state.ts';
import { ratioOf } from './ratio.ts';
import { type SpanFigures, type SpanUnit, spanFiguresFrom } from './result-spans.ts';
import { type RiskMultiples, riskMultiplesFrom } from './risk-multiples.ts';
import { type Streaks, streaksFrom } from './streaks.ts';
import { groupsFrom, type TradeGroup } from './trade-groups.ts';
import { type WinLoss, winLossFrom } from './win-loss.ts';
import { zScoreFrom, zScorePercentOf } from './z-score.ts';

/** Ratios of spread mean nothing for fewer closed positions; 30 is the usual minimum. */
const LEAST_TRADES_FOR_RATIOS = 30;

/**
 * Statistics of some closed positions: of all of an account, or of a part of them. Money in units,
 * volume in 1e-8 lot, percentages as 5 for 5 %. A figure that is not defined (an average of
 * nothing, a ratio to zero) is undefined. A trade is won if its net profit is above zero.
 */
export type PartMetrics = WinLoss & {
  /** The earliest opening of a closed position; absent without any. */
  firstTradeTimeMs: BrokerTimeMs | undefined;
  lastTradeTimeMs: BrokerTimeMs | undefined;
  longTrades: WinLoss;
  shortTrades: WinLoss;
  bestTrade?: ExtremeTrade | undefined;
  worstTrade?: ExtremeTrade | undefined;
  mostPips?: ExtremePips | undefined;
  leastPips?: ExtremePips | undefined;
  streaks: Streaks;
  volume: Volume;
  /** Of the trades whose value at their open price is known. */
  marketValue?: Money | undefined;
  pips?: number | undefined;
  wonPips?: number | undefined;
  lostPips?: number | undefined;
  averagePips?: number | undefined;
  averageWinPips?: number | undefined;
  averageLossPips?: number | undefined;
  /** Average win over the size of the average loss. */
  payoffRatio?: number | undefined;
  /**
   * The share of the capital that would grow it fastest: W − (1 − W) / payoff ratio, with the share
   * W of won trades. Source: Kelly, "A new interpretation of information rate", 1956.
   */
  kellyPercent?: number | undefined;
  /**
   * √n × mean net profit / its standard deviation. Source: Tharp, "Definitive guide to position
   * sizing", 2008, with net profits for multiples of the risk.
   */
  systemQualityNumber?: number | undefined;
  /**
   * The sum of the results of the months over the size of the sum of those below zero. Source:
   * Schwager, "Hedge fund market wizards", 2012.
   */
  gainToPainRatio?: number | undefined;
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
  holdingTimes: Record<'all' | 'won' | 'lost', HoldingTimes | undefined>;
  /** By the days, weeks and months in which trades closed. */
  spans: Record<SpanUnit, SpanFigures>;
  /** Of the trades whose stop is known. */
  riskMultiples?: RiskMultiples | undefined;
  bySymbol: TradeGroup<string>[];
  byMagic: TradeGroup<string>[];
  byWeekday: TradeGroup<number>[];
  byOpenHour: TradeGroup<number>[];
  byCloseHour: TradeGroup<number>[];
  byDuration: TradeGroup<Duration>[];
};

export function partMetricsOf(state: PartState): PartMetrics {
  const { extremes, wonTimes, lostTimes, spans } = state;
  const winLoss = winLossFrom(state.results);
  const months = spanFiguresFrom(spans.month);
  return {
    ...winLoss,
    ...{ firstTradeTimeMs: state.firstOpenMs, lastTradeTimeMs: state.lastCloseMs },
    longTrades: winLossFrom(state.longResults),
    shortTrades: winLossFrom(state.shortResults),
    ...{ bestTrade: extremes.best, worstTrade: extremes.worst },
    ...{ mostPips: extremes.mostPips, leastPips: extremes.leastPips },
    ...{ streaks: streaksFrom(state.streaks), volume: state.volume },
    marketValue: state.marketValue || undefined,
    ...pipsOf(state),
    ...expectationOf(winLoss, state),
    gainToPainRatio: ratioOf(winLoss.netProfit, -months.lost),
    ...spreadOf(state),
    holdingTimes: {
      all: holdingTimesFrom(joinHolding(wonTimes, lostTimes)),
      won: holdingTimesFrom(wonTimes),
      lost: holdingTimesFrom(lostTimes),
    },
    spans: { day: spanFiguresFrom(spans.day), week: spanFiguresFrom(spans.week), month: months },
    riskMultiples: riskMultiplesFrom(state.multiples),
    bySymbol: groupsFrom(state.bySymbol),
    byMagic: groupsFrom(state.byMagic),
    byWeekday: groupsFrom(state.byWeekday),
    byOpenHour: groupsFrom(state.byOpenHour),
    byCloseHour: groupsFrom(state.byCloseHour),
    byDuration: groupsFrom(state.byDuration),
  };
}

function pipsOf({ wonPips, lostPips }: PartState) {
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

/** Expectations of the trades, from their averages. */
function expectationOf({ trades, won, lost, grossProfit, grossLoss }: WinLoss, state: PartState) {
  const payoffRatio = ratioOf(grossProfit * lost, won * -grossLoss);
  const wonShare = won / trades;
  const { mean, count } = state.profits;
  const deviation = deviationFrom(state.profits) ?? 0;
  // Equal profits deviate by less in doubles.
  const isSpread = deviation > Math.abs(mean) * 1e-12;
  return {
    payoffRatio,
    kellyPercent: payoffRatio ? 100 * (wonShare - (1 - wonShare) / payoffRatio) || 0 : undefined,
    systemQualityNumber: isSpread ? ratioOf(Math.sqrt(count) * mean, deviation) : undefined,
  };
}

/** Returns are on the balance just before each trade closed. */
function spreadOf({ results, profits, returns, streaks }: PartState) {
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
