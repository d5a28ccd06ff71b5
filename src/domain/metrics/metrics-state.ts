import type { BrokerTimeMs } from '../broker-time.ts';
import { type Deal, isTradeDeal, moneyOf } from '../deal.ts';
import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';
import { type BalanceCourse, beginCourse, moveBalance, raiseStart } from './balance-drawdown.ts';
import { type Booking, type Growth, grow, noGrowth } from './growth.ts';
import { beginDay, bookOnDay, closeOnDay, type GrowthDay, growthDayOf } from './growth-day.ts';
import { countTrade, createPartState, type PartState } from './part-state.ts';

/**
 * The state that folding the next deal into an account's statistics needs. It does not grow with
 * the history. One owner folds deals in order, each after the fold of trades.
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
  /** Of all closed positions. */
  readonly trades: PartState;
  /** The newest day, which may continue. */
  day?: GrowthDay | undefined;
};

export const createMetricsState = (): MetricsState => ({
  growth: noGrowth(),
  course: beginCourse(0),
  ...{ start: 0, hasTraded: false, commission: 0, swap: 0, fee: 0 },
  trades: createPartState(),
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
    countTrade(state.trades, trade);
  }
  return day;
}

/** Folds a booking, with or without a deal, or the balance that a report carries in. */
export function book(
  state: MetricsState,
  booking: Booking,
  isCarriedIn = false,
): GrowthDay | undefined {
  const { type, money, timeMs } = booking;
  bookInCourse(state, booking, isCarriedIn && !hasMoved(state));
  if (money === 0) return undefined;
  const day = currentDay(state, timeMs);
  const factor = grow(state.growth, booking);
  bookOnDay(day, { type, money, timeMs }, factor, state.growth);
  return day;
}

const hasMoved = ({ start, course: { balance, high, absolute } }: MetricsState): boolean =>
  balance !== start || high !== start || absolute !== 0;

/**
 * Deposits before the first trade are the start; the balance in reports ignores later ones. What
 * was carried in is the start, too, although positions may be open by then.
 */
function bookInCourse(state: MetricsState, { type, money }: Booking, isStart: boolean): void {
  if (isTradeDeal({ type })) {
    state.hasTraded = true;
    moveBalance(state.course, state.start, money);
  } else if ((isStart || !state.hasTraded) && money > 0) {
    state.start += money;
    raiseStart(state.course, money);
  }
}

function currentDay(state: MetricsState, timeMs: BrokerTimeMs): GrowthDay {
  const day = growthDayOf(timeMs);
  // A clock that is set back may show the end of a day again.
  if (!state.day || state.day.day < day) state.day = beginDay(day, state.growth);
  return state.day;
}
