import { compareDeals, type Deal } from '../domain/deal.ts';
import type { Sql } from '../storage/database.ts';
import { listDeals } from '../storage/deal-store.ts';

const DEALS_PER_READ = 500;

/**
 * The deals after a place in compareDeals order, up to the end of a moment: the database orders ids
 * as text, so deals of one moment are sorted here.
 */
export async function nextDeals(
  sql: Sql,
  accountNumber: number,
  last: Pick<Deal, 'id' | 'timeMs'> | undefined,
  atMost: number,
  pause: () => Promise<unknown>,
): Promise<{ deals: Deal[]; isLast: boolean }> {
  let place = { timeMs: last?.timeMs ?? Number.MIN_SAFE_INTEGER, id: '' };
  const perRead = Math.min(atMost, DEALS_PER_READ);
  const deals: Deal[] = [];
  for (;;) {
    const read = await listDeals(sql, accountNumber, place, perRead);
    for (const deal of read) if (!last || compareDeals(deal, last) > 0) deals.push(deal);
    const final = read.at(-1);
    if (!final || read.length < perRead) return { deals: deals.sort(compareDeals), isLast: true };
    place = { timeMs: final.timeMs, id: final.id };
    if (deals.length >= atMost) {
      // More deals of the last moment may follow: all of these wait for the next slice.
      const end = deals.findLastIndex(({ timeMs }) => timeMs < final.timeMs) + 1;
      if (end > 0) return { deals: deals.slice(0, end).sort(compareDeals), isLast: false };
    }
    await pause();
  }
}
