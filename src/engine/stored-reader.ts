import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { partitionOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { readPartitions } from '../storage/partition-store.ts';
import { AccountView } from './account-view.ts';
import { EntryFolder, FoldTurns } from './fold-entry.ts';
import { loadAccounts } from './load-accounts.ts';
import { AccountMemory, type TrackedAccount } from './tracked-account.ts';

const PAUSE_MS = 20;
/** On SQLite a read blocks the process. */
const LOADED_AT_ONCE = 250;
/** The cost of reading an entry for one account, as a share of folding it. */
const READING_SHARE = 0.1;
/** The most commits that one question reads; beyond that the caller has to ask again later. */
const MAX_COMMITS = 20_000;

export type Question<T> = {
  accountNumber: number;
  /** The answer must include everything up to here; 0 for the available state. */
  head: number;
  /** True once no caller waits for the answer any more. */
  isLate: () => boolean;
  answer: (view: AccountView) => T;
};

/** Answers questions about accounts from the database and the log, whichever process folds them. */
export class StoredReader {
  readonly #database: Database;
  readonly #journal: Journal;
  readonly #time: Timekeeper;
  readonly #rules: TrackerRules;
  readonly #turns = new FoldTurns();

  constructor(database: Database, journal: Journal, time: Timekeeper, rules: TrackerRules) {
    this.#database = database;
    this.#journal = journal;
    this.#time = time;
    this.#rules = rules;
  }

  /** The stored account, plus the log's entries up to `head`; only the stored one if that is 0. */
  async read<T>({ accountNumber, head, isLate, answer }: Question<T>): Promise<T | undefined> {
    for (;;) {
      const account = await this.#load(accountNumber, head, isLate);
      if (account !== 'later') {
        const position = Math.max(account?.loadedPosition ?? 0, head);
        return account && answer(new AccountView(account, position, false));
      }
      await pauseUnless(this.#time, isLate);
    }
  }

  /** Calls `answer` for each of the stored accounts. */
  async readMany(
    accountNumbers: readonly number[],
    answer: (accountNumber: number, view: AccountView) => void,
  ): Promise<void> {
    for (let start = 0; start < accountNumbers.length; start += LOADED_AT_ONCE) {
      if (start > 0) await nextTurn();
      const some = accountNumbers.slice(start, start + LOADED_AT_ONCE);
      const memory = new AccountMemory(this.#rules, some.length);
      const found = await loadAccounts(this.#database, some, memory, { alsoParked: true });
      for (const { number, account, position } of found) {
        if (account) answer(number, new AccountView(account, position, false));
      }
    }
  }

  /** The stored account, plus the entries up to a position; 'later' if it is stored in a moment. */
  async #load(
    accountNumber: number,
    until: number,
    isLate: () => boolean,
  ): Promise<TrackedAccount | undefined | 'later'> {
    const partition = partitionOf(accountNumber, this.#journal.partitions);
    // Partitions first: an account read after them is stored at or after its partition's position.
    const rows = until > 0 ? await readPartitions(this.#database) : [];
    const memory = new AccountMemory(this.#rules, 1);
    const options = { alsoParked: true };
    const [found] = await loadAccounts(this.#database, [accountNumber], memory, options);
    if (!found?.account) return undefined;
    const { account, park, position } = found;
    const stored = rows.find((row) => row.partition === partition)?.position ?? 0;
    // An account in quarantine stays unchanged.
    if (until === 0 || park !== undefined) return account;
    const from = Math.max(position, stored);
    const isWhole = await this.#catchUp(account, memory, partition, { from, until, isLate });
    return isWhole ? account : 'later';
  }

  /**
   * Folds the entries of an account after a position. False if some were dropped, being stored by
   * now, or if a tracker must be seeded first, which the account's owner does.
   */
  async #catchUp(
    account: TrackedAccount,
    memory: AccountMemory,
    partition: number,
    { from, until, isLate }: { from: number; until: number; isLate: () => boolean },
  ): Promise<boolean> {
    const folder = new EntryFolder(memory.rules, { changed() {}, found() {} });
    for (let after = from; after < until; ) {
      if (isLate()) throw tooLate();
      if (after - from > MAX_COMMITS) throw new DatabaseUnavailable('The newest state lags behind');
      const commits = await this.#journal.read(after);
      if (commits[0]?.position !== after + 1) return false;
      for (const commit of commits) {
        if (commit.position > until) break;
        while (this.#turns.isOver) await this.#turns.next();
        const entry = commit.entryOf(partition);
        this.#turns.took((entry?.rowCount ?? 0) * READING_SHARE);
        const place = entry?.accounts.indexOf(account.number) ?? -1;
        if (!entry || place < 0) continue;
        const targets: (TrackedAccount | undefined)[] = [];
        targets[place] = account;
        const [failure] = folder.fold(commit.position, entry, targets);
        if (failure) throw failure.error;
        if (account.hold) return false;
      }
      after = commits.at(-1)?.position ?? until;
    }
    return true;
  }
}

/** Waits before the next check. Throws DatabaseUnavailable if it is too late for one. */
export async function pauseUnless(time: Timekeeper, isLate: () => boolean): Promise<void> {
  if (isLate()) throw tooLate();
  await sleep(time, PAUSE_MS);
}

export const tooLate = (): Error => new DatabaseUnavailable('The newest state is not known yet');
