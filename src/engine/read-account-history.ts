import type { BrokerTimeMs } from '../domain/broker-time.ts';
import { HOUR_MS } from '../domain/broker-time.ts';
import { moneyOf } from '../domain/deal.ts';
import type { LiveDeal } from '../domain/live/live-records.ts';
import type { AccountHistory } from '../domain/live/tracker-seed.ts';
import { readBuckets } from '../storage/bucket-store.ts';
import type { Sql } from '../storage/database.ts';
import { listDeals } from '../storage/deal-store.ts';
import { readJournalHead } from '../storage/journal-store.ts';
import { ENTRIES_PER_READ, EntryAccounts, readEntries } from './read-entries.ts';

const DEALS_PER_READ = 2000;

/**
 * What is stored of an account since a time, as of a position of the journal up to which its state
 * is stored. Deals are stored when they are acknowledged, so those that the journal brings only
 * after the position are left out: they are still to be folded.
 */
export async function readAccountHistory(
  sql: Sql,
  partition: number,
  position: number,
  accountId: string,
  sinceMs: BrokerTimeMs,
): Promise<AccountHistory> {
  const hourMs = Math.floor(sinceMs / HOUR_MS) * HOUR_MS;
  const buckets = await readBuckets(
    sql,
    accountId,
    hourMs,
    Number.MAX_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER,
  );
  const stored = await readLiveDeals(sql, accountId, sinceMs);
  const later = await laterDeals(sql, partition, position, accountId);
  return { buckets, deals: stored.filter(({ id }) => !later.has(id)) };
}

async function readLiveDeals(
  sql: Sql,
  accountId: string,
  sinceMs: BrokerTimeMs,
): Promise<LiveDeal[]> {
  const deals: LiveDeal[] = [];
  let after = { timeMs: sinceMs - 1, id: '\u{10ffff}' };
  for (;;) {
    const page = await listDeals(sql, accountId, after, DEALS_PER_READ);
    for (const deal of page) {
      deals.push({ id: deal.id, type: deal.type, timeMs: deal.timeMs, money: moneyOf(deal) });
    }
    const last = page.at(-1);
    if (page.length < DEALS_PER_READ || !last) return deals;
    after = { timeMs: last.timeMs, id: last.id };
  }
}

async function laterDeals(
  sql: Sql,
  partition: number,
  position: number,
  accountId: string,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const head = await readJournalHead(sql);
  const known = new EntryAccounts();
  let after = position;
  for (;;) {
    const read = await readEntries(sql, partition, after, head.position, known);
    for (const { position: at, entry } of read) {
      const { accounts, deals } = entry;
      const place = accounts.findIndex(({ id }) => id === accountId);
      for (const [account, , id] of deals) if (account === place) ids.add(id);
      after = at;
    }
    if (read.length < ENTRIES_PER_READ) return ids;
  }
}
