import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { EntryAccount } from '../../src/engine/entry-account.ts';
import { encodeEntry } from '../../src/engine/entry-codec.ts';
import { smallEntry } from '../../src/engine/journal-entry.ts';
import type { Database, Transaction } from '../../src/storage/database.ts';
import { readJournalAccounts } from '../../src/storage/journal-account-store.ts';
import { partitionCount, partitionOf } from '../../src/storage/journal-store.ts';
import { insertTracker } from '../../src/storage/tracker-store.ts';
import { accountId, storeAccounts, storeUser } from './user.ts';

const WORDS = ['day', 'month', 'lifetime'] as const;

/** Trackers as a prop firm has them: a loss of a day, a month and of all time, and a target. */
export const trackersOf = (id: string, count: number): TrackerDefinition[] =>
  Array.from({ length: count }, (_, number) => ({
    id: `${id}-${number}`,
    name: `Tracker ${number}`,
    period: WORDS[number % WORDS.length] ?? 'day',
    relativeDrawdownThreshold: 0.05,
    relativeProfitThreshold: 0.1,
  }));

/** A user with accounts and trackers, which the engine learns from the journal as it always does. */
export async function storeLiveAccounts(
  database: Database,
  accounts: number,
  trackersEach: number,
): Promise<void> {
  await storeUser(database);
  await database.transaction(async (tx) => {
    await storeAccounts(tx, accounts);
    const rows: { partition: number; body: Uint8Array }[] = [];
    const ids = Array.from({ length: accounts }, (_, index) => accountId(index));
    for (const [id, account] of await readJournalAccounts(tx, ids)) {
      const named = new EntryAccount(account);
      for (const definition of trackersOf(id, trackersEach)) {
        await insertTracker(tx, id, definition, 1);
        const entry = smallEntry(1, named, { command: { kind: 'tracker-added', definition } });
        const partition = partitionOf(id, partitionCount(tx.kind));
        rows.push({ partition, body: encodeEntry(entry) });
      }
    }
    await storeEntries(tx, rows);
  });
}

/** Entries at a position each, without the notice and the turn that an appender takes. */
async function storeEntries(
  tx: Transaction,
  rows: readonly { partition: number; body: Uint8Array }[],
): Promise<void> {
  for (const [index, { partition, body }] of rows.entries()) {
    await tx.run(
      `insert into journal_entry (partition_id, position, received_utc_ms, body)
       values ($1, $2, 1, $3)`,
      [partition, index + 1, body],
    );
  }
  await tx.run('update journal_head set position = $1 where id = 1', [rows.length]);
}
