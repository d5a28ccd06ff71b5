import type { Duration } from '../../words/statistics.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money, Volume } from '../money.ts';
import { heldMsOf } from '../trade.ts';
import { type CountedTrade, isLong } from './counted-trade.ts';
import { addExtremes, type ExtremeTrades, joinExtremes } from './extreme-trades.ts';
import { addReturn, joinReturns, noReturns, type ReturnSums } from './holding-period-returns.ts';
import { addHolding, type HoldingSum, joinHolding, noHolding } from './holding-times.ts';
import { addValue, joinMoments, type Moments, noMoments } from './moments.ts';
import { joinCourses, moveResult, noCourse, type ResultCourse } from './result-course.ts';
import {
  addToSpans,
  joinSpans,
  noSpans,
  type SpanRuns,
  type SpanUnit,
  startDayOf,
} from './result-spans.ts';
import { addMultiple, joinMultiples, type MultipleSums, noMultiples } from './risk-multiples.ts';
import { addToStreaks, joinStreaks, noStreaks, type StreakRuns } from './streaks.ts';
import {
  addToGroup,
  durationOf,
  type GroupSums,
  groupOf,
  hourOf,
  joinGroups,
  OTHERS,
  tenthsOf,
  weekdayOf,
} from './trade-groups.ts';
import { addResult, joinWinLoss, noWinLoss, type WinLossSum } from './win-loss.ts';

/** Pips of the trades that have any, in tenths. */
export type PipSum = { trades: number; tenths: number };

/**
 * The state that folding the next trade into the statistics of a part of the trades needs: of all,
 * of a symbol, of an expert. It does not grow with the trades, and the states of two stretches of
 * time can be joined (`joinParts`). One owner folds trades in the order they closed.
 */
export type PartState = {
  results: WinLossSum;
  longResults: WinLossSum;
  shortResults: WinLossSum;
  wonPips: PipSum;
  lostPips: PipSum;
  volume: Volume;
  /** The market values that are known; 0 if none is. */
  marketValue: Money;
  /** Parts of the money of the trades. */
  swap: Money;
  commission: Money;
  fee: Money;
  course: ResultCourse;
  extremes: ExtremeTrades;
  streaks: StreakRuns;
  spans: Record<SpanUnit, SpanRuns>;
  profits: Moments;
  returns: ReturnSums;
  multiples: MultipleSums;
  wonTimes: HoldingSum;
  lostTimes: HoldingSum;
  bySymbol: GroupSums<string>;
  /** By the magic number as text; '' where it is not known. */
  byMagic: GroupSums<string>;
  byWeekday: GroupSums<number>;
  byOpenHour: GroupSums<number>;
  byCloseHour: GroupSums<number>;
  byDuration: GroupSums<Duration>;
  firstOpenMs?: BrokerTimeMs | undefined;
  lastCloseMs?: BrokerTimeMs | undefined;
};

const noPips = (): PipSum => ({ trades: 0, tenths: 0 });

export const createPartState = (): PartState => ({
  ...{ results: noWinLoss(), longResults: noWinLoss(), shortResults: noWinLoss() },
  ...{ wonPips: noPips(), lostPips: noPips(), volume: 0, marketValue: 0 },
  ...{ swap: 0, commission: 0, fee: 0 },
  ...{ course: noCourse(), extremes: {}, streaks: noStreaks() },
  spans: { day: noSpans(), week: noSpans(), month: noSpans() },
  ...{ profits: noMoments(), returns: noReturns(), multiples: noMultiples() },
  ...{ wonTimes: noHolding(), lostTimes: noHolding() },
  ...{ bySymbol: new Map(), byMagic: new Map(), byWeekday: new Map() },
  ...{ byOpenHour: new Map(), byCloseHour: new Map(), byDuration: new Map() },
});

const SPAN_UNITS: readonly SpanUnit[] = ['day', 'week', 'month'];

/** Folds a closed position. */
export function countTrade(state: PartState, trade: CountedTrade): void {
  const { profit, openTimeMs, closeTimeMs } = trade;
  const isWon = profit > 0;
  addResult(state.results, profit);
  addResult(isLong(trade) ? state.longResults : state.shortResults, profit);
  state.volume += trade.volume;
  state.marketValue += trade.marketValue ?? 0;
  state.swap += trade.swap;
  state.commission += trade.commission;
  state.fee += trade.fee;
  moveResult(state.course, profit);
  addExtremes(state.extremes, trade);
  addToStreaks(state.streaks, profit);
  for (const unit of SPAN_UNITS)
    addToSpans(state.spans[unit], { startDay: startDayOf(closeTimeMs, unit), money: profit });
  addValue(state.profits, profit);
  const before = trade.closeBalance - profit;
  if (before > 0) addReturn(state.returns, profit / before);
  addMultiple(state.multiples, trade);
  if (!trade.incomplete) addHolding(isWon ? state.wonTimes : state.lostTimes, heldMsOf(trade));
  addPips(isWon ? state.wonPips : state.lostPips, trade);
  countInGroups(state, trade);
  state.firstOpenMs = Math.min(state.firstOpenMs ?? openTimeMs, openTimeMs);
  state.lastCloseMs = Math.max(state.lastCloseMs ?? closeTimeMs, closeTimeMs);
}

function addPips(sum: PipSum, { pips }: CountedTrade): void {
  if (pips === undefined) return;
  sum.trades += 1;
  sum.tenths += tenthsOf(pips);
}

/** A magic number as the key of a group. */
export const magicKey = ({ magic }: Pick<CountedTrade, 'magic'>): string =>
  magic === undefined ? '' : String(magic);

function countInGroups(state: PartState, trade: CountedTrade): void {
  addToGroup(groupOf(state.bySymbol, trade.symbol ?? '', OTHERS), trade);
  addToGroup(groupOf(state.byMagic, magicKey(trade), OTHERS), trade);
  addToGroup(groupOf(state.byWeekday, weekdayOf(trade.closeTimeMs)), trade);
  addToGroup(groupOf(state.byOpenHour, hourOf(trade.openTimeMs)), trade);
  addToGroup(groupOf(state.byCloseHour, hourOf(trade.closeTimeMs)), trade);
  addToGroup(groupOf(state.byDuration, durationOf(trade)), trade);
}

/** Joins the state of trades and that of later ones. Neither may be used afterwards. */
export function joinParts(a: PartState, b: PartState): PartState {
  if (a.profits.count === 0 || b.profits.count === 0) return a.profits.count === 0 ? b : a;
  const times = (name: 'firstOpenMs' | 'lastCloseMs'): number[] => [a[name] ?? 0, b[name] ?? 0];
  return {
    results: joinWinLoss(a.results, b.results),
    longResults: joinWinLoss(a.longResults, b.longResults),
    shortResults: joinWinLoss(a.shortResults, b.shortResults),
    wonPips: joinPips(a.wonPips, b.wonPips),
    lostPips: joinPips(a.lostPips, b.lostPips),
    ...{ volume: a.volume + b.volume, swap: a.swap + b.swap },
    marketValue: a.marketValue + b.marketValue,
    ...{ commission: a.commission + b.commission, fee: a.fee + b.fee },
    course: joinCourses(a.course, b.course),
    extremes: joinExtremes(a.extremes, b.extremes),
    streaks: joinStreaks(a.streaks, b.streaks),
    spans: {
      day: joinSpans(a.spans.day, b.spans.day),
      week: joinSpans(a.spans.week, b.spans.week),
      month: joinSpans(a.spans.month, b.spans.month),
    },
    profits: joinMoments(a.profits, b.profits),
    returns: joinReturns(a.returns, b.returns),
    multiples: joinMultiples(a.multiples, b.multiples),
    wonTimes: joinHolding(a.wonTimes, b.wonTimes),
    lostTimes: joinHolding(a.lostTimes, b.lostTimes),
    bySymbol: joinGroups(a.bySymbol, b.bySymbol, OTHERS),
    byMagic: joinGroups(a.byMagic, b.byMagic, OTHERS),
    byWeekday: joinGroups(a.byWeekday, b.byWeekday),
    byOpenHour: joinGroups(a.byOpenHour, b.byOpenHour),
    byCloseHour: joinGroups(a.byCloseHour, b.byCloseHour),
    byDuration: joinGroups(a.byDuration, b.byDuration),
    firstOpenMs: Math.min(...times('firstOpenMs')),
    lastCloseMs: Math.max(...times('lastCloseMs')),
  };
}

const joinPips = (a: PipSum, b: PipSum): PipSum => ({
  trades: a.trades + b.trades,
  tenths: a.tenths + b.tenths,
});
