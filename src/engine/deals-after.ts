import { partitionOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { DatabaseUnavailable } from '../storage/database.ts';

/** A position by which the journal has every deal that the database has at the time of the call. */
export async function endOf(journal: Journal): Promise<number> {
  await journal.settle();
  return journal.head();
}

/**
 * A function that returns the ids of the deals that the journal has for an account from a position
 * on (exclusive). Call it often: entries are dropped once they are folded and stored. It throws
 * DatabaseUnavailable if some are gone.
 */
export function dealsAfter(
  journal: Journal,
  accountNumber: number,
  position: number,
): () => Promise<ReadonlySet<string>> {
  const partition = partitionOf(accountNumber, journal.partitions);
  const ids = new Set<string>();
  let after = position;
  return async () => {
    const head = await endOf(journal);
    while (after < head) {
      const commits = await journal.read(after);
      if (commits[0]?.position !== after + 1) {
        throw new DatabaseUnavailable('The journal was trimmed before its new deals were read');
      }
      for (const commit of commits) {
        const entry = commit.entryOf(partition);
        const place = entry?.accounts.indexOf(accountNumber) ?? -1;
        for (const [account, , id] of entry?.deals ?? []) if (account === place) ids.add(id);
        after = commit.position;
      }
    }
    return ids;
  };
}
