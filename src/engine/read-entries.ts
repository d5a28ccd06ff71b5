import type { Sql } from '../storage/database.ts';
import { readNumberedAccounts } from '../storage/journal-account-store.ts';
import { readJournal } from '../storage/journal-store.ts';
import { EntryAccount } from './entry-account.ts';
import { decodeEntry } from './entry-codec.ts';
import type { JournalEntry } from './journal-entry.ts';

export const ENTRIES_PER_READ = 50;
/** Beside those of one read. */
const MAX_ACCOUNTS = 200_000;

/** Accounts that entries of the journal named, by their numbers. */
export class EntryAccounts {
  readonly #known = new Map<number, EntryAccount>();

  /** Reads those that are not known; all others are forgotten first when they are too many. */
  async load(sql: Sql, numbers: Iterable<number>): Promise<void> {
    if (this.#known.size > MAX_ACCOUNTS) this.#known.clear();
    const missing = [...new Set(numbers)].filter((number) => !this.#known.has(number));
    for (const account of await readNumberedAccounts(sql, missing)) {
      this.#known.set(account.number, new EntryAccount(account));
    }
  }

  /** One that was loaded. */
  of(number: number): EntryAccount {
    const account = this.#known.get(number);
    if (!account) throw new Error(`Invariant: the journal names no account ${number}`);
    return account;
  }
}

/** The next entries of a partition with after < position ≤ until, ENTRIES_PER_READ at most, in order. */
export async function readEntries(
  sql: Sql,
  partition: number,
  after: number,
  until: number,
  accounts: EntryAccounts,
): Promise<{ position: number; entry: JournalEntry }[]> {
  const rows = await readJournal(sql, partition, after, until, ENTRIES_PER_READ);
  const stored = rows.map(({ position, body }) => ({ position, entry: decodeEntry(body) }));
  await accounts.load(
    sql,
    stored.flatMap(({ entry }) => [...entry.accounts]),
  );
  return stored.map(({ position, entry }) => ({
    position,
    entry: { ...entry, accounts: Array.from(entry.accounts, (number) => accounts.of(number)) },
  }));
}
