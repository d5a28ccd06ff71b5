import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import { bookedBy, fundsOf, type KnownDeal } from './known-deals.ts';

/*
 * Whether a balance includes a deal is decided by the balances: from one reading to the next the
 * balance moves by the money of the deals between them. Two clocks are never compared, except where
 * the time of a deal is far enough from a reading, or where no choice explains the movement.
 */

/** A state of the account at one moment. */
export type Reading = {
  timeMs: number;
  utcMs: number;
  balance: Money;
  equity: Money;
  receivedUtcMs: number;
};

/**
 * A feeder stamps its readings with a clock that may be off by less than a second of the platform.
 */
export const CLOCK_SLACK_MS = 1000;

/** Of more deals of one moment, no other order is tried: that takes all sets of them. */
const MOST_OF_MOMENT = 8;

/** Where nothing fits, this many more and fewer deals than by time are tried. */
const MOST_TRIED = 8;

type Figures = Pick<Reading, 'balance' | 'equity'>;

/**
 * The deals that no earlier reading includes, in an order in which the first ones explain a
 * reading, if there is one. Ids need not tell the order of deals of one moment, which is a second
 * where the platform books so: there the balance decides it.
 * @param pending in their own order
 */
export function inOrderOfBalance(
  pending: readonly KnownDeal[],
  before: Figures,
  reading: Reading,
): readonly KnownDeal[] {
  if (pending.length < 2 || Number.isNaN(before.balance)) return pending;
  const { least, most } = boundsOf(pending, reading.utcMs);
  if (most - least < 2 || exactCounts(pending, before, reading, least, most).length > 0) {
    return pending;
  }
  let left = reading.balance - before.balance - sumOf(pending.slice(0, least));
  for (let at = least; at < most; ) {
    const later = pending.findIndex(
      ({ utcMs }, index) => index > at && utcMs !== pending[at]?.utcMs,
    );
    const end = later < 0 ? pending.length : later;
    const ofMoment = pending.slice(at, end);
    const first = someOf(ofMoment, left);
    if (first) {
      const rest = ofMoment.filter((deal) => !first.includes(deal));
      return [...pending.slice(0, at), ...first, ...rest, ...pending.slice(end)];
    }
    left -= sumOf(ofMoment);
    at = end;
  }
  return pending;
}

/**
 * How many of the first deals that no earlier reading includes a reading is the first to include.
 * Of the counts that its time allows, one that explains the movement of the balance exactly; of
 * several, the one that is nearest by time or, where they differ in credit, that the equity shows.
 * If none does, the one of those near it by time that leaves the fewest movements of the readings
 * after it unexplained, and of several the one that is nearest by time.
 * @param pending in their own order
 * @param before the reading before; NaN before the first
 * @param after some of the readings after it, if there are any yet
 */
export function countIncluded(
  pending: readonly KnownDeal[],
  before: Figures,
  reading: Reading,
  after: readonly Reading[],
): number {
  const { least, most, byTime } = boundsOf(pending, reading.utcMs);
  if (least === most) return byTime;
  // The cause of the first reading's balance is unknown.
  const isFirst = Number.isNaN(before.balance);
  const exact = isFirst ? [] : exactCounts(pending, before, reading, least, most);
  if (exact.length > 0) return bestOf(exact, pending, before, reading, byTime);
  if (after.length === 0) return byTime;
  const lowest = Math.max(least, byTime - MOST_TRIED);
  const highest = Math.min(most, byTime + MOST_TRIED);
  const counts = Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index);
  const open = counts.map((count) => countUnexplained(pending.slice(count), reading, after));
  const fewest = Math.min(...open);
  return (
    nearest(
      counts.filter((_, index) => open[index] === fewest),
      byTime,
    ) ?? byTime
  );
}

/** The movement of the balance that no deal explains; 0 for the first reading. */
export function unexplainedBy(
  included: readonly KnownDeal[],
  before: Figures,
  reading: Reading,
): Money {
  return Number.isNaN(before.balance) ? 0 : reading.balance - before.balance - sumOf(included);
}

/** The counts that the times of the deals allow, and the one they suggest. */
function boundsOf(pending: readonly KnownDeal[], utcMs: number) {
  let [least, most, byTime] = [0, 0, 0];
  for (const [index, deal] of pending.entries()) {
    if (deal.utcMs > utcMs + CLOCK_SLACK_MS) break;
    most = index + 1;
    if (deal.utcMs <= utcMs) byTime = most;
    if (deal.endUtcMs < utcMs - CLOCK_SLACK_MS) least = most;
  }
  return { least, most, byTime };
}

function exactCounts(
  pending: readonly KnownDeal[],
  before: Figures,
  { balance }: Reading,
  least: number,
  most: number,
): number[] {
  const exact: number[] = [];
  let left = balance - before.balance;
  for (let count = 0; count <= most; count += 1) {
    if (count >= least && left === 0) exact.push(count);
    const deal = pending[count];
    if (deal) left -= bookedBy(deal);
  }
  return exact;
}

/** Some of the deals that book exactly that; undefined if none do, or there are too many. */
function someOf(deals: readonly KnownDeal[], money: Money): readonly KnownDeal[] | undefined {
  if (deals.length > MOST_OF_MOMENT) return undefined;
  // By a set's number, whose bits say which deals are in it: that of a set less its last deal is
  // smaller, so its sum is known.
  const sums = new Float64Array(2 ** deals.length);
  for (let set = 1; set < sums.length; set += 1) {
    const last = 31 - Math.clz32(set);
    sums[set] = (sums[set ^ (1 << last)] ?? 0) + bookedBy(deals[last] as KnownDeal);
    if (sums[set] === money) return deals.filter((_, index) => (set >> index) % 2 === 1);
  }
  return undefined;
}

const sumOf = (deals: readonly KnownDeal[]): Money =>
  deals.reduce((sum, deal) => sum + bookedBy(deal), 0);

/** How many readings in a row move by more than their deals, if each includes what fits. */
function countUnexplained(
  pending: readonly KnownDeal[],
  from: Figures,
  readings: readonly Reading[],
): number {
  let left = pending;
  let before = from;
  let count = 0;
  for (const reading of readings) {
    const included = countIncluded(left, before, reading, []);
    if (unexplainedBy(left.slice(0, included), before, reading) !== 0) count += 1;
    left = left.slice(included);
    before = reading;
  }
  return count;
}

/**
 * Of counts that explain the balance. Credit moves the equity alone: so far as its time leaves open
 * which reading includes it, it is the one whose equity moves least besides.
 */
function bestOf(
  exact: readonly number[],
  pending: readonly KnownDeal[],
  before: Figures,
  { equity }: Reading,
  byTime: number,
): number {
  const nearestOf = (counts: readonly number[]): number => nearest(counts, byTime) ?? byTime;
  if (!pending.slice(exact[0], exact.at(-1)).some(isCredit)) return nearestOf(exact);
  const moved = (count: number): Money => {
    const funds = pending.slice(0, count).reduce((sum, deal) => sum + fundsOf(deal), 0);
    return Math.abs(equity - before.equity - funds);
  };
  const least = Math.min(...exact.map(moved));
  return nearestOf(exact.filter((count) => moved(count) === least));
}

/** The one nearest to a count; of two equally near ones the larger. */
function nearest(counts: readonly number[], to: number): number | undefined {
  let best: number | undefined;
  for (const count of counts) {
    if (best === undefined || Math.abs(count - to) <= Math.abs(best - to)) best = count;
  }
  return best;
}
