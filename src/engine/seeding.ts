import type { BrokerTimeMs } from '../domain/broker-time.ts';
import { HOUR_MS } from '../domain/broker-time.ts';
import { moneyOf } from '../domain/deal.ts';
import { correctBucket } from '../domain/live/equity-bucket.ts';
import type { EquityBucket, LiveDeal } from '../domain/live/live-records.ts';
import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import { addSeededTracker } from '../domain/live/tracker-seed.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sql } from '../storage/database.ts';
import { listDeals } from '../storage/deal-store.ts';
import { readHours } from '../storage/hour-store.ts';
import type { PartitionFold } from './partition-fold.ts';
import type { Persistence } from './persistence.ts';
import type { AccountMemory, TrackedAccount } from './tracked-account.ts';

const DEALS_PER_READ = 2000;
const HOURS_PER_READ = 2000;

export type SeedingParts = {
  database: Sql;
  journal: Journal;
  persistence: Persistence;
  memory: AccountMemory;
  fold: () => PartitionFold;
  /** Resolves when the partition is folded up to a position. */
  reached: (position: number) => Promise<void>;
};

/**
 * Gives an account that holds its entries a tracker whose start lies in the past, with the periods
 * that it would have had, then lets the account go on. Others are not held up. Deals are stored
 * when they are acknowledged: those that the account's entries bring only later are left out here.
 */
export async function seedTracker(
  parts: SeedingParts,
  account: TrackedAccount,
  definition: TrackerDefinition,
): Promise<void> {
  const { persistence, memory, fold } = parts;
  const startTimeMs = definition.startTimeMs ?? account.lastTimeMs;
  const hours = await persistence.insist('reading hours', () =>
    hoursSince(parts.database, account, startTimeMs),
  );
  const deals = await persistence.insist('reading deals', () =>
    dealsSince(parts, account, startTimeMs),
  );
  if (account.isGone) return;
  try {
    fold().release(account, (effects) => {
      addSeededTracker(account, definition, memory.rules, { buckets: hours, deals }, effects);
    });
  } catch (error) {
    fold().breakHeld(account, error);
  }
}

/** Closed hours, with what of them is not in the database yet. */
async function hoursSince(
  sql: Sql,
  account: TrackedAccount,
  sinceMs: BrokerTimeMs,
): Promise<EquityBucket[]> {
  const hours = new Map<BrokerTimeMs, EquityBucket>();
  // Before the database is read: what is on its way there is in one of the two at least.
  const fresh = [account.writing, account.pending].flatMap((records) => records ?? []);
  for (let fromMs = Math.floor(sinceMs / HOUR_MS) * HOUR_MS; ; ) {
    const untilMs = Number.MAX_SAFE_INTEGER;
    const read = await readHours(sql, account.number, fromMs, untilMs, HOURS_PER_READ);
    for (const { accountNumber: _, ...hour } of read) {
      // One that a former owner has stored ahead of the account's state is still to come.
      if (hour.startTimeMs < account.hourStartMs) {
        hours.set(hour.startTimeMs, { ...hour, accountId: account.id });
      }
    }
    const last = read.at(-1);
    if (!last || read.length < HOURS_PER_READ) break;
    fromMs = last.startTimeMs + HOUR_MS;
  }
  for (const records of fresh) {
    for (const hour of records.hours.values()) hours.set(hour.startTimeMs, hour);
    for (const late of records.corrections) {
      hours.set(late.startTimeMs, correctBucket(hours.get(late.startTimeMs), late));
    }
  }
  return [...hours.values()]
    .filter(({ startTimeMs }) => startTimeMs + HOUR_MS > sinceMs)
    .sort((a, b) => a.startTimeMs - b.startTimeMs);
}

async function dealsSince(
  { database, journal, reached }: SeedingParts,
  account: TrackedAccount,
  sinceMs: BrokerTimeMs,
): Promise<LiveDeal[]> {
  const deals: LiveDeal[] = [];
  for (let after = { timeMs: sinceMs - 1, id: '\u{10ffff}' }; ; ) {
    const page = await listDeals(database, account.number, after, DEALS_PER_READ);
    // Whatever of them is in no folded entry yet is in one that is held by then.
    await journal.settle();
    await reached(await journal.head());
    const later = new Set(account.held?.flatMap(({ entry }) => entry.deals.map(([, , id]) => id)));
    for (const deal of page) {
      if (later.has(deal.id)) continue;
      deals.push({ id: deal.id, type: deal.type, timeMs: deal.timeMs, money: moneyOf(deal) });
    }
    const last = page.at(-1);
    if (!last || page.length < DEALS_PER_READ) return deals;
    after = { timeMs: last.timeMs, id: last.id };
  }
}
