import type { BrokerTimeMs } from '../broker-time.ts';
import { type Deal, isTradeDeal, moneyOf } from '../deal.ts';
import type { Money, Volume } from '../money.ts';
import type { Trade } from '../trade.ts';
import { type BalanceCourse, beginCourse, moveBalance, raiseStart } from './balance-drawdown.ts';
import { addExtremes, type ExtremeTrades } from './extreme-trades.ts';
import { type Booking, type Growth, grow, noGrowth } from './growth.ts';
import { beginDay, bookOnDay, closeOnDay, type GrowthDay, growthDayOf } from './growth-day.ts';
import { addReturn, noReturns, type ReturnSums } from './holding-period-returns.ts';
import { addHolding, type HoldingSum, noHolding } from './holding-times.ts';
import { addValue, type Moments, noMoments } from './moments.ts';
import { addToStreaks, noStreaks, type StreakRuns } from './streaks.ts';
import { addToGroup, type GroupSums, hourOf, tenthsOf, weekdayOf } from './trade-groups.ts';
import { addResult, noWinLoss, type WinLossSum } from './win-loss.ts';

/** How many symbols are told apart; trades of further ones are counted as OTHER_SYMBOLS. */
const MAX_SYMBOLS = 500;
export const OTHER_SYMBOLS = 'other symbols';

/** Pips of the trades that have any, in tenths. */
export type PipSum = { trades: number; tenths: number };

/**
 * Everything needed to fold the next deal into an account's statistics. It does not grow with the
 * history. It has one owner, who folds deals in order, each after the fold of trades.
 */
export type MetricsState = {
  readonly growth: Growth;
  /** The balance as the terminals' reports see it, from `start` on, by trades alone. */
  readonly course: BalanceCourse;
  start: Money;
  hasTraded: boolean;
  /** Parts of the money of all deals. */
  commission: Money;
  swap: Money;
  fee: Money;
  readonly results: WinLossSum;
  readonly longResults: WinLossSum;
  readonly shortResults: WinLossSum;
  readonly wonPips: PipSum;
  readonly lostPips: PipSum;
  volume: Volume;
  readonly extremes: ExtremeTrades;
  readonly streaks: StreakRuns;
  readonly profits: Moments;
  readonly returns: ReturnSums;
  readonly wonTimes: HoldingSum;
  readonly lostTimes: HoldingSum;
  readonly bySymbol: GroupSums<string>;
  readonly byWeekday: GroupSums<number>;
  readonly byOpenHour: GroupSums<number>;
  readonly byCloseHour: GroupSums<number>;
  firstOpenMs?: BrokerTimeMs | undefined;
  lastCloseMs?: BrokerTimeMs | undefined;
  /** The newest day, which may go on. */
  day?: GrowthDay | undefined;
};

export const createMetricsState = (): MetricsState => ({
  growth: noGrowth(),
  course: beginCourse(0),
  ...{ start: 0, hasTraded: false, commission: 0, swap: 0, fee: 0, volume: 0 },
  ...{ results: noWinLoss(), longResults: noWinLoss(), shortResults: noWinLoss() },
  ...{ wonPips: { trades: 0, tenths: 0 }, lostPips: { trades: 0, tenths: 0 } },
  ...{ extremes: {}, streaks: noStreaks(), profits: noMoments(), returns: noReturns() },
  ...{ wonTimes: noHolding(), lostTimes: noHolding() },
  ...{ bySymbol: new Map(), byWeekday: new Map() },
  ...{ byOpenHour: new Map(), byCloseHour: new Map() },
});

/**
 * Folds a deal and the trades that it completed. Returns the day that this changed, if any: the
 * same object for each deal of a day. Money counts when it is booked, like the commission of an
 * entry or the profit of a partial close; a trade, with all its money, counts when it closes.
 */
export function foldMetrics(
  state: MetricsState,
  deal: Deal,
  trades: readonly Trade[],
): GrowthDay | undefined {
  const { timeMs, type } = deal;
  state.commission += deal.commission;
  state.swap += deal.swap;
  state.fee += deal.fee;
  const booked = book(state, { timeMs, type, money: moneyOf(deal) });
  const closed = trades.filter(isTradeDeal);
  if (closed.length === 0) return booked;
  const day = currentDay(state, timeMs);
  for (const trade of closed) {
    closeOnDay(day, trade);
    countTrade(state, trade);
  }
  return day;
}

/** Folds a booking, with or without a deal. */
export function book(state: MetricsState, booking: Booking): GrowthDay | undefined {
  const { type, money, timeMs } = booking;
  bookInCourse(state, booking);
  if (money === 0) return undefined;
  const day = currentDay(state, timeMs);
  const factor = grow(state.growth, booking);
  bookOnDay(day, { type, money, timeMs }, factor, state.growth);
  return day;
}

/** Deposits before the first trade are the start; the balance of reports ignores later ones. */
function bookInCourse(state: MetricsState, { type, money }: Booking): void {
  if (isTradeDeal({ type })) {
    state.hasTraded = true;
    moveBalance(state.course, state.start, money);
  } else if (!state.hasTraded && money > 0) {
    state.start += money;
    raiseStart(state.course, money);
  }
}

function currentDay(state: MetricsState, timeMs: BrokerTimeMs): GrowthDay {
  const day = growthDayOf(timeMs);
  if (state.day?.day !== day) state.day = beginDay(day, state.growth);
  return state.day;
}

function countTrade(state: MetricsState, trade: Trade): void {
  const { profit, openTimeMs, closeTimeMs, type, success } = trade;
  addResult(state.results, profit);
  addResult(type === 'DEAL_TYPE_BUY' ? state.longResults : state.shortResults, profit);
  state.volume += trade.volume;
  addExtremes(state.extremes, trade);
  addToStreaks(state.streaks, profit);
  addValue(state.profits, profit);
  const before = state.growth.balance - profit;
  if (before > 0) addReturn(state.returns, profit / before);
  if (!trade.incomplete)
    addHolding(success === 'won' ? state.wonTimes : state.lostTimes, closeTimeMs - openTimeMs);
  addPips(success === 'won' ? state.wonPips : state.lostPips, trade);
  countInGroups(state, trade);
  state.firstOpenMs = Math.min(state.firstOpenMs ?? openTimeMs, openTimeMs);
  state.lastCloseMs = Math.max(state.lastCloseMs ?? closeTimeMs, closeTimeMs);
}

function addPips(sum: PipSum, { pips }: Trade): void {
  if (pips === undefined) return;
  sum.trades += 1;
  sum.tenths += tenthsOf(pips);
}

function countInGroups(state: MetricsState, trade: Trade): void {
  const { bySymbol, byWeekday, byOpenHour, byCloseHour } = state;
  const symbol = trade.symbol ?? '';
  const isKept = bySymbol.has(symbol) || bySymbol.size < MAX_SYMBOLS;
  addToGroup(bySymbol, isKept ? symbol : OTHER_SYMBOLS, trade);
  addToGroup(byWeekday, weekdayOf(trade.closeTimeMs), trade);
  addToGroup(byOpenHour, hourOf(trade.openTimeMs), trade);
  addToGroup(byCloseHour, hourOf(trade.closeTimeMs), trade);
}
