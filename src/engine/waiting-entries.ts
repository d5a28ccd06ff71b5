import type { JournalEntry } from '../journal/entry.ts';
import type { EntryOf } from './commit-stream.ts';
import type { PartitionFold } from './partition-fold.ts';

/** What a commit has for the partition: an entry, nothing, or why it cannot be read. */
type Taken = { entry: JournalEntry | undefined; damage: unknown };

/** A commit that waits to be folded. Its entry is decoded only when needed, as that takes time. */
export type Waiting = { position: number; take: () => Taken };

/** A waiting commit whose entry is decoded once, however often it is taken. */
export function waitingEntry(position: number, partition: number, entryOf: EntryOf): Waiting {
  let taken: Taken | undefined;
  return {
    position,
    take: () => {
      taken ??= read(partition, entryOf);
      return taken;
    },
  };
}

function read(partition: number, entryOf: EntryOf): Taken {
  try {
    return { entry: entryOf(partition), damage: undefined };
  } catch (damage) {
    return { entry: undefined, damage };
  }
}

/**
 * Accounts that must be loaded for the first waiting commit, each with the position of its first
 * entry. Accounts of later commits are added while they are few; otherwise a new owner would query
 * the database for every single commit of its backlog.
 */
export function missingAccounts(
  waiting: readonly Waiting[],
  fold: Pick<PartitionFold, 'missing'>,
  few: number,
): Map<number, number> {
  const missing = new Map<number, number>();
  for (const { position, take } of waiting) {
    const { entry } = take();
    const own = entry ? fold.missing(entry) : [];
    const isFirst = missing.size === 0;
    if (isFirst ? own.length === 0 : missing.size + own.length > few) break;
    for (const number of own) if (!missing.has(number)) missing.set(number, position);
  }
  return missing;
}
