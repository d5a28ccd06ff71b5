import type { OracleDeal, SnapshotItem } from './oracle-items.ts';

/** Clocks of platforms and feeders may differ by that much. */
const SLACK_MS = 1000;

/** How deals are dealt out to the readings up to one of them: the best way found. */
type Way = {
  unexplained: number;
  unclear: number;
  apart: number;
  previous: Way | undefined;
  count: number;
};

/**
 * The first reading that includes each deal, by place; beyond the last one where none does. Of all
 * ways to cut the deals, in the order of their times, into those of one reading and those of the
 * next, within what their times allow, it is the one that leaves the fewest movements of the
 * balance unexplained; of several, the one whose credit no equity shows elsewhere; of
 * several, the one that is nearest to the times.
 */
export function placesOf(
  deals: readonly OracleDeal[],
  readings: readonly SnapshotItem[],
): number[] {
  let ways: Way[] = [{ unexplained: 0, unclear: 0, apart: 0, previous: undefined, count: 0 }];
  readings.forEach(({ utcMs, balance, equity }, index) => {
    const least = deals.findLastIndex(({ endUtcMs }) => endUtcMs < utcMs - SLACK_MS) + 1;
    const most = deals.findLastIndex((deal) => deal.ownUtcMs <= utcMs + SLACK_MS) + 1;
    const byTime = deals.findLastIndex((deal) => deal.ownUtcMs <= utcMs) + 1;
    const moved = balance - (readings[index - 1]?.balance ?? Number.NaN);
    const rose = equity - (readings[index - 1]?.equity ?? Number.NaN);
    const next: Way[] = [];
    for (let count = Math.min(least, most); count <= most; count += 1) {
      const found = ways
        .filter((way) => way.count <= count)
        .map((previous) => {
          const explains = (to: number): boolean => !isLeft(moved, deals.slice(previous.count, to));
          const left = (to: number): number => equityLeft(rose, deals.slice(previous.count, to));
          const isClearer = (to: number): boolean =>
            explains(to) &&
            left(to) < left(count) &&
            deals.slice(Math.min(to, count), Math.max(to, count)).some(({ isCredit }) => isCredit);
          const others = Array.from({ length: most + 1 }, (_, to) => to);
          const isUnclear =
            explains(count) &&
            others.slice(Math.max(least, previous.count)).some((to) => isClearer(to));
          return {
            count,
            previous,
            unexplained: previous.unexplained + Number(!explains(count)),
            unclear: previous.unclear + Number(isUnclear),
            apart: previous.apart + Math.abs(count - byTime),
          };
        });
      const [best] = found.sort(byWorth);
      if (best) next.push(best);
    }
    ways = next;
  });
  const counts: number[] = [];
  for (let way = ways.sort(byWorth)[0]; way?.previous; way = way.previous) counts.push(way.count);
  counts.reverse();
  return deals.map((_, index) => {
    const place = counts.findIndex((count) => count > index);
    return place < 0 ? readings.length : place;
  });
}

/** The cause of the first reading's balance is unknown. */
const isLeft = (moved: number, deals: readonly OracleDeal[]): boolean =>
  deals.reduce((left, { isCredit, money }) => left - (isCredit ? 0 : money), moved) !== 0 &&
  !Number.isNaN(moved);

/** How far the equity moved by more than money in or out. */
const equityLeft = (rose: number, deals: readonly OracleDeal[]): number =>
  Math.abs(deals.reduce((left, { isTrade, money }) => left - (isTrade ? 0 : money), rose));

const byWorth = (a: Way, b: Way): number =>
  a.unexplained - b.unexplained || a.unclear - b.unclear || a.apart - b.apart || b.count - a.count;
