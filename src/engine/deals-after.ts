import { partitionOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { DatabaseUnavailable } from '../storage/database.ts';

/** The position by which the journal has every deal that the database has at the call. */
export async function endOf(journal: Journal): Promise<number> {
  await journal.settle();
  return journal.head();
}

/**
 * Ids of the deals that the journal brought to an account after a position: those it has by the time
 * of each call. To be called often, since entries are dropped when they are folded and stored. Throws
 * DatabaseUnavailable when some are gone.
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
        throw new DatabaseUnavailable('The journal went on too fast to tell which deals are new');
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
