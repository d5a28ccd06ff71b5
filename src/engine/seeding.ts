import { attachTracker } from '../domain/live/tracker-changes.ts';
import type { SeededTracker } from '../domain/live/tracker-seeding.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sql } from '../storage/database.ts';
import type { Backlog } from './backlog.ts';
import { endOf } from './deals-after.ts';
import type { PartitionFold } from './partition-fold.ts';
import type { Persistence } from './persistence.ts';
import { type SeedSource, seedTracker } from './seed-tracker.ts';
import {
  type AccountMemory,
  type Hold,
  pendingHours,
  type TrackedAccount,
} from './tracked-account.ts';

export type SeedingParts = {
  database: Sql;
  journal: Journal;
  persistence: Persistence;
  memory: AccountMemory;
  backlog: Backlog;
  fold: PartitionFold;
};

/**
 * Gives an account on hold its tracker, which starts in the past, with its past periods, then ends
 * the hold. Other accounts are not held up.
 */
export async function seedHeld(
  parts: SeedingParts,
  account: TrackedAccount,
  hold: Hold,
): Promise<void> {
  const { database, persistence, memory, fold } = parts;
  const source = heldSource(parts, account, hold);
  let seeded: SeededTracker;
  try {
    seeded = await seedTracker(database, source, hold.tracker, memory.rules, (what, read) =>
      persistence.retry(what, read),
    );
  } catch (error) {
    if (persistence.isOver) throw error;
    fold.breakHeld(account, error);
    return;
  }
  fold.release(account, (effects) => {
    attachTracker(account, seeded.tracker);
    effects.completedPeriods.push(...seeded.completedPeriods);
    effects.events.push(...seeded.events);
  });
}

/**
 * The source for seeding an account on hold. Deals are stored when they are acknowledged, so the
 * database may have some that only come with waiting entries. Once the partition has folded
 * everything in the journal now, all those entries are here.
 */
function heldSource(
  { journal, persistence, backlog }: SeedingParts,
  account: TrackedAccount,
  { waiting }: Hold,
): SeedSource {
  const later = new Set<string>();
  let seen = 0;
  return {
    accountNumber: account.number,
    account,
    fresh: pendingHours(account),
    laterDeals: async () => {
      await backlog.reached(await persistence.retry('reading the journal', () => endOf(journal)));
      for (const { entry } of waiting.slice(seen)) {
        for (const [, , id] of entry.deals) later.add(id);
      }
      seen = waiting.length;
      return later;
    },
  };
}
