import { closesOnly, compareDeals, compareIds, type Deal, type DealTrade } from './deal.ts';
import type { BrokerClockView } from './live/broker-clock-view.ts';

type Timed = Pick<Deal, 'id' | 'timeMs'>;

/** The ids of deals that p5 numbers as it executes them. */
const NUMBER = /^\d+$/;

/**
 * Deals in the order of their execution: that of `compareDeals`, but for the wall times that the
 * account's clock shows twice. Of a deal from there, which pass it was in is decided by the deals
 * of both passes together, so all of them have to be given, in any order:
 *
 * - Numbers that belong to deals of two passes, each in order of time, tell where the second began.
 * - No position closes before it opens: what would, closed in the second pass, and if its time is
 *   the earlier one, it opened in the first. One that was open before may have grown meanwhile.
 * - Any other deal is of the first pass.
 *
 * @param isOpen whether a position was open before the first of the deals
 */
export function inOrderOfExecution<T extends Timed>(
  deals: readonly T[],
  clock: BrokerClockView,
  tradeOf: (deal: T) => DealTrade | undefined,
  isOpen: (positionId: string) => boolean,
): T[] {
  const sorted = deals.toSorted(compareDeals);
  if (!sorted.some(({ timeMs }) => clock.shownTwice(timeMs))) return sorted;
  const stretches = Map.groupBy(sorted, ({ timeMs }) => clock.shownTwice(timeMs)?.fromMs ?? timeMs);
  const begun = new Set<string>();
  return [...stretches].flatMap(([fromMs, some]) => {
    const isBegun = (positionId: string): boolean => begun.has(positionId) || isOpen(positionId);
    const ordered = clock.shownTwice(fromMs) ? inPasses(some, tradeOf, isBegun) : some;
    for (const deal of some) begun.add(tradeOf(deal)?.positionId ?? '');
    return ordered;
  });
}

function inPasses<T extends Timed>(
  deals: readonly T[],
  tradeOf: (deal: T) => DealTrade | undefined,
  isBegun: (positionId: string) => boolean,
): T[] {
  const second = new Set(secondByNumber(deals));
  const passes = () => [
    ...deals.filter((deal) => !second.has(deal)),
    ...deals.filter((deal) => second.has(deal)),
  ];
  const opened = new Set<string>();
  const closings = new Map<string, T[]>();
  for (const deal of passes()) {
    const { positionId, entry } = tradeOf(deal) ?? {};
    if (!positionId || opened.has(positionId) || isBegun(positionId)) continue;
    const early = closings.get(positionId) ?? [];
    if (closesOnly({ entry })) {
      early.push(deal);
      closings.set(positionId, early);
    } else {
      opened.add(positionId);
      for (const closing of early) {
        second.add(closing);
        if (closing.timeMs < deal.timeMs) second.delete(deal);
      }
    }
  }
  return passes();
}

/** The numbered deals from the one on whose time steps back; none if no or several do. */
function secondByNumber<T extends Timed>(deals: readonly T[]): T[] {
  const numbered = deals.filter(({ id }) => NUMBER.test(id)).sort((a, b) => compareIds(a.id, b.id));
  const backs = numbered.flatMap(({ timeMs }, index) =>
    timeMs < (numbered[index - 1]?.timeMs ?? timeMs) ? [index] : [],
  );
  return backs.length === 1 ? numbered.slice(backs[0]) : [];
}
