import { compareDeals, type Deal, tradeOf } from '../domain/deal.ts';
import { inOrderOfExecution } from '../domain/deal-order.ts';
import type { BrokerClockView } from '../domain/live/broker-clock-view.ts';
import type { Sql } from '../storage/database.ts';
import { listDeals } from '../storage/deal-store.ts';

const DEALS_PER_READ = 500;

type Place = Pick<Deal, 'id' | 'timeMs'>;

/** What was folded: the newest deal by its time, and the positions that it left open. */
type Folded = { last: Place | undefined; isOpen: (positionId: string) => boolean };

type NextDeals = { deals: Deal[]; last: Place | undefined; isLast: boolean };

/**
 * The deals after those that were folded, in order of execution, up to the end of a moment, or of
 * the wall times that the clock shows twice: the database orders ids as text, and knows no clock.
 */
export async function nextDeals(
  sql: Sql,
  accountNumber: number,
  clock: BrokerClockView,
  { last, isOpen }: Folded,
  atMost: number,
  pause: () => Promise<unknown>,
): Promise<NextDeals> {
  let place = { timeMs: last?.timeMs ?? Number.MIN_SAFE_INTEGER, id: '' };
  const perRead = Math.min(atMost, DEALS_PER_READ);
  const deals: Deal[] = [];
  const next = (some: readonly Deal[], isLast: boolean): NextDeals => {
    let newest = last;
    for (const deal of some) if (!newest || compareDeals(deal, newest) > 0) newest = deal;
    return { deals: inOrderOfExecution(some, clock, tradeOf, isOpen), last: newest, isLast };
  };
  for (;;) {
    const read = await listDeals(sql, accountNumber, place, perRead);
    for (const deal of read) if (!last || compareDeals(deal, last) > 0) deals.push(deal);
    const final = read.at(-1);
    if (!final || read.length < perRead) return next(deals, true);
    place = { timeMs: final.timeMs, id: final.id };
    if (deals.length >= atMost) {
      // More deals of the last moment may follow: all of these wait for the next slice.
      const fromMs = clock.shownTwice(final.timeMs)?.fromMs ?? final.timeMs;
      const end = deals.findLastIndex(({ timeMs }) => timeMs < fromMs) + 1;
      if (end > 0) return next(deals.slice(0, end), false);
    }
    await pause();
  }
}
