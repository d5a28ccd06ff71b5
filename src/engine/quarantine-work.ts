import { StoredCommit } from '../journal/commit-codec.ts';
import { type JournalEntry, partOfCommit } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Database } from '../storage/database.ts';
import { readParkedEntries } from '../storage/live-store.ts';
import type { Backlog } from './backlog.ts';
import type { Checkpointer } from './checkpointer.ts';
import { loadAccounts } from './load-accounts.ts';
import type { PartitionFold } from './partition-fold.ts';
import type { Persistence } from './persistence.ts';
import type { Quarantine } from './quarantine.ts';
import type { Quarantines } from './quarantines.ts';
import type { AccountMemory, PlacedEntry, TrackedAccount } from './tracked-account.ts';

const ENTRIES_PER_READ = 100;

export type QuarantineParts = {
  database: Database;
  journal: Journal;
  partition: number;
  persistence: Persistence;
  memory: AccountMemory;
  backlog: Backlog;
  checkpointer: Checkpointer;
  quarantines: Quarantines;
  fold: PartitionFold;
};

/** Reads the entries after the stored state of an account that has broken from the log. */
export async function collect(
  { persistence, journal, partition, backlog, checkpointer, quarantines }: QuarantineParts,
  quarantine: Quarantine,
  account: TrackedAccount,
): Promise<void> {
  const reached = quarantine.until;
  // A running write was encoded before the account broke, so it counts.
  await checkpointer.settle();
  const from = Math.max(account.storedPosition, backlog.stored);
  const entries: PlacedEntry[] = [];
  for (let after = from; after < reached; ) {
    const commits = await persistence.retry('reading the journal', () => journal.read(after));
    for (const commit of commits) {
      const part = commit.position <= reached && readPart(commit, partition, account.number);
      if (part) entries.push({ position: commit.position, entry: part });
    }
    after = commits.at(-1)?.position ?? reached;
  }
  quarantine.collected(entries, account.storedPosition);
  quarantines.goOnWith(quarantine);
}

/** Folds the entries of a quarantine again. If one breaks the account, the quarantine continues. */
export async function refold(parts: QuarantineParts, quarantine: Quarantine): Promise<void> {
  const { accountNumber, park } = quarantine;
  const { database, persistence, memory, quarantines, fold } = parts;
  const [loaded] = await persistence.retry('loading an account', () =>
    loadAccounts(database, [accountNumber], memory, { alsoParked: true }),
  );
  if (!loaded?.account) {
    return quarantines.goOnWith(quarantine, { error: loaded?.damage, position: park.position });
  }
  const { account } = loaded;
  // Until the account is stored again, the quarantine's rows hold the entries missing in its stored
  // state.
  account.storedPosition = park.statePosition;
  let folded = park.statePosition;
  for (;;) {
    const rows = await persistence.retry('reading a quarantine', () =>
      readParkedEntries(database, accountNumber, folded, ENTRIES_PER_READ),
    );
    for (const { position, body } of rows) {
      if (park.skipped.includes(position)) continue;
      try {
        const entry = new StoredCommit(position, body).entryOf(0);
        if (entry) fold.refold(account, { position, entry });
      } catch (error) {
        account.free();
        return quarantines.goOnWith(quarantine, { error, position });
      }
    }
    folded = rows.at(-1)?.position ?? folded;
    if (rows.length < ENTRIES_PER_READ) break;
  }
  // Nothing is awaited from here on, so the next entry finds the account readmitted.
  if (!quarantines.includes(quarantine)) return account.free();
  quarantines.remove(accountNumber);
  // Some may have been stored without confirmation: those were read and folded above.
  const waiting = quarantine.takeWaiting().filter(({ position }) => position > folded);
  fold.readmit(
    account,
    quarantine,
    waiting.filter(({ position }) => !park.skipped.includes(position)),
  );
}

function readPart(
  commit: StoredCommit,
  partition: number,
  accountNumber: number,
): JournalEntry | undefined {
  try {
    const entry = commit.entryOf(partition);
    return entry && partOfCommit(entry, accountNumber);
  } catch {
    // It was unreadable when it came, too, and was set aside: see Partition.
    return undefined;
  }
}
