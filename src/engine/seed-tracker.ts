import { setImmediate as nextTurn } from 'node:timers/promises';
import { moneyOf } from '../domain/deal.ts';
import type { LiveAccount } from '../domain/live/live-account.ts';
import type { EquityBucket, LiveDeal } from '../domain/live/live-records.ts';
import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import {
  HOURS_BEFORE_START,
  type SeededTracker,
  startsInPast,
  TrackerSeeding,
} from '../domain/live/tracker-seeding.ts';
import { findHourBefore, readBuckets } from '../storage/bucket-store.ts';
import type { Sql } from '../storage/database.ts';
import { listDeals } from '../storage/deal-store.ts';
import { readJournalHead } from '../storage/journal-store.ts';
import { ENTRIES_PER_READ, EntryAccounts, readEntries } from './read-entries.ts';

const HOURS_PER_READ = 1000;
const DEALS_PER_READ = 2000;

/**
 * Seeds a tracker from what is stored of an account as of a position of the journal, up to which the
 * account's state is stored and given. Deals are stored when they are acknowledged, so those that the
 * journal brings only after the position are left out: they are still to be folded. Takes turns with
 * other work.
 */
export async function seedTracker(
  sql: Sql,
  partition: number,
  position: number,
  account: LiveAccount,
  definition: TrackerDefinition,
  rules: TrackerRules,
): Promise<SeededTracker> {
  const seeding = new TrackerSeeding(account, definition, rules);
  const { startTimeMs } = definition;
  if (startTimeMs === undefined || !startsInPast(account, definition)) return seeding.finish();
  const earlierMs = await findHourBefore(sql, account.id, startTimeMs, HOURS_BEFORE_START);
  const fromMs = earlierMs ?? startTimeMs;
  const later = await laterDeals(sql, partition, position, account.id);
  const hours = hoursFrom(sql, account.id, fromMs);
  const deals = dealsFrom(sql, account.id, fromMs, later);
  while (seeding.needs !== 'nothing') {
    if (seeding.needs === 'hours') seeding.takeHours((await hours.next()).value ?? []);
    else seeding.takeDeals((await deals.next()).value ?? []);
    await nextTurn();
  }
  return seeding.finish();
}

/** Pages of stored hours, none of them empty. */
async function* hoursFrom(
  sql: Sql,
  accountId: string,
  fromMs: number,
): AsyncGenerator<EquityBucket[], undefined> {
  let startMs = fromMs;
  for (;;) {
    const until = Number.MAX_SAFE_INTEGER;
    const page = await readBuckets(sql, accountId, startMs, until, HOURS_PER_READ);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    startMs = last.startTimeMs + 1;
  }
}

/** Pages of stored deals but the later ones, none of them empty. */
async function* dealsFrom(
  sql: Sql,
  accountId: string,
  fromMs: number,
  later: ReadonlySet<string>,
): AsyncGenerator<LiveDeal[], undefined> {
  let after = { timeMs: fromMs - 1, id: '\u{10ffff}' };
  for (;;) {
    const page = await listDeals(sql, accountId, after, DEALS_PER_READ);
    const last = page.at(-1);
    if (!last) return;
    const deals = page.filter(({ id }) => !later.has(id));
    if (deals.length > 0) {
      yield deals.map((deal) => {
        const { id, type, timeMs } = deal;
        return { id, type, timeMs, money: moneyOf(deal) };
      });
    }
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
