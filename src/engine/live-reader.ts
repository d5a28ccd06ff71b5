import { ClockViews } from '../domain/live/clock-views.ts';
import { TrackerRules } from '../domain/live/tracker-rule.ts';
import { startsInPast } from '../domain/live/tracker-seeding.ts';
import { sleep, type Timekeeper, within } from '../domain/timekeeper.ts';
import { partitionOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { readPartitions } from '../storage/partition-store.ts';
import { AccountView } from './account-view.ts';
import { dealsAfter } from './deals-after.ts';
import type { Engine } from './engine.ts';
import { EntryFolder } from './fold-entry.ts';
import { FoldTurns } from './fold-turns.ts';
import { loadAccounts } from './load-accounts.ts';
import { obeyCommand } from './obey-command.ts';
import { PartitionOver } from './persistence.ts';
import type { SeedSource } from './seed-tracker.ts';
import { AccountMemory, type TrackedAccount } from './tracked-account.ts';

/** How long an answer as of this moment may take. */
const REAL_TIME_MS = 3000;
const PAUSE_MS = 20;
/**
 * While a partition folds what it was taken over with, which may take long for all its accounts, so
 * many questions at a time are answered from the database. More wait for the partition: each reads
 * all of these commits.
 */
const MAX_BESIDE = 2;
/** An entry that is read for one account takes so much of what folding it takes. */
const READING_SHARE = 0.1;
/** Commits that one question reads at most; whoever is so far behind is asked again later. */
const MAX_COMMITS = 20_000;

/**
 * Answers what accounts look like: from the memory of this process where it folds them, else from
 * the database, and with `realTime` from the entries that came since, folded for the answer alone.
 * So all processes answer alike.
 */
export class LiveReader {
  readonly #database: Database;
  readonly #journal: Journal;
  readonly #time: Timekeeper;
  readonly #engine: Engine | undefined;
  readonly #rules = new TrackerRules();
  readonly #clocks = new ClockViews();
  readonly #turns = new FoldTurns();
  #beside = 0;

  /** `engine` is absent in a process that folds nothing. */
  constructor(database: Database, journal: Journal, time: Timekeeper, engine: Engine | undefined) {
    this.#database = database;
    this.#journal = journal;
    this.#time = time;
    this.#engine = engine;
  }

  /**
   * What `answer` makes of the account: with `realTime` as of all that was acknowledged before the
   * call, else as it is at hand. Undefined where the account does not exist. `answer` must not keep
   * the view. Throws DatabaseUnavailable when the answer takes too long.
   */
  read<T>(
    accountNumber: number,
    realTime: boolean,
    answer: (view: AccountView) => T,
  ): Promise<T | undefined> {
    const answered = this.#read(accountNumber, realTime, answer);
    return within(this.#time, REAL_TIME_MS, answered, tooLate);
  }

  /** What a tracker is seeded from that shall show all that was acknowledged before the call. */
  async seedSource(accountNumber: number): Promise<SeedSource | undefined> {
    const source = await this.read(accountNumber, true, (view) => ({
      account: view.copy(),
      fresh: view.pendingHours(),
      laterDeals: dealsAfter(this.#journal, accountNumber, view.position),
    }));
    return source && { accountNumber, ...source };
  }

  async #read<T>(
    accountNumber: number,
    realTime: boolean,
    answer: (view: AccountView) => T,
  ): Promise<T | undefined> {
    const deadlineMs = this.#time.elapsed() + REAL_TIME_MS;
    const head = realTime ? await this.#journal.head() : 0;
    const owner = this.#engine?.ownerOf(accountNumber);
    if (owner && realTime && !owner.hasBegun && this.#beside < MAX_BESIDE) {
      this.#beside += 1;
      try {
        return await this.#readStored(accountNumber, head, deadlineMs, answer);
      } finally {
        this.#beside -= 1;
      }
    }
    if (owner) {
      try {
        if (realTime) await this.#engine?.reach(accountNumber, head);
        let account = owner.find(accountNumber);
        while (realTime && account?.hold) {
          await this.#pause(deadlineMs);
          account = owner.find(accountNumber);
        }
        if (account) return answer(new AccountView(account, owner.position, true));
        // Nothing of one that is not in memory has changed since it was stored.
        return await this.#readStored(accountNumber, 0, deadlineMs, answer);
      } catch (error) {
        if (!(error instanceof PartitionOver)) throw error;
      }
    }
    return await this.#readStored(accountNumber, head, deadlineMs, answer);
  }

  /** As stored, with what the log has up to a position; as stored alone where that is 0. */
  async #readStored<T>(
    accountNumber: number,
    head: number,
    deadlineMs: number,
    answer: (view: AccountView) => T,
  ): Promise<T | undefined> {
    for (;;) {
      const account = await this.#load(accountNumber, head, deadlineMs);
      if (account !== 'later') {
        const position = Math.max(account?.loadedPosition ?? 0, head);
        return account && answer(new AccountView(account, position, false));
      }
      await this.#pause(deadlineMs);
    }
  }

  async #pause(deadlineMs: number): Promise<void> {
    if (this.#time.elapsed() >= deadlineMs) throw tooLate();
    await sleep(this.#time, PAUSE_MS);
  }

  /** As stored, with the entries up to a position; 'later' when it will be stored in a moment. */
  async #load(
    accountNumber: number,
    until: number,
    deadlineMs: number,
  ): Promise<TrackedAccount | undefined | 'later'> {
    const partition = partitionOf(accountNumber, this.#journal.partitions);
    // First: what is stored of an account is at or after its partition's position.
    const rows = until > 0 ? await readPartitions(this.#database) : [];
    const memory = new AccountMemory(this.#clocks, this.#rules, 1);
    const options = { alsoParked: true };
    const [found] = await loadAccounts(this.#database, [accountNumber], memory, options);
    if (!found?.account) return undefined;
    const { account, park, position } = found;
    const stored = rows.find((row) => row.partition === partition)?.position ?? 0;
    // One in quarantine stands where it stood.
    if (until === 0 || park !== undefined) return account;
    const from = Math.max(position, stored);
    const isLate = (): boolean => this.#time.elapsed() >= deadlineMs;
    const isWhole = await this.#catchUp(account, memory, partition, { from, until, isLate });
    return isWhole ? account : 'later';
  }

  /**
   * Folds the entries of an account after a position; false when some were dropped, as they are
   * stored by now, or a tracker must be seeded first, which its owner does.
   */
  async #catchUp(
    account: TrackedAccount,
    memory: AccountMemory,
    partition: number,
    { from, until, isLate }: { from: number; until: number; isLate: () => boolean },
  ): Promise<boolean> {
    const folder = new EntryFolder({
      changed() {},
      found() {},
      failed(_, error) {
        throw error;
      },
    });
    for (let after = from; after < until; ) {
      // Nobody waits for it any more.
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
        folder.fold(entry, targets);
        const { command } = entry;
        if (place !== 0 || !command) continue;
        if (command.kind === 'tracker-added' && startsInPast(account, command.definition)) {
          return false;
        }
        const { receivedUtcMs } = entry;
        folder.step(account, (effects) =>
          obeyCommand(account, command, receivedUtcMs, memory, effects),
        );
      }
      after = commits.at(-1)?.position ?? until;
    }
    return true;
  }
}

const tooLate = (): Error => new DatabaseUnavailable('The newest state is not known yet');
