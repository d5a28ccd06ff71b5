import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { sleep, type Timekeeper, within } from '../domain/timekeeper.ts';
import type { Journal } from '../journal/journal.ts';
import type { Database } from '../storage/database.ts';
import { AccountView } from './account-view.ts';
import { dealsAfter } from './deals-after.ts';
import type { Engine } from './engine.ts';
import type { Partition } from './partition.ts';
import { PartitionOver } from './persistence.ts';
import type { SeedSource } from './seed-tracker.ts';
import { pauseUnless, type Question, StoredReader, tooLate } from './stored-reader.ts';

/** How long an answer may take. */
const REAL_TIME_MS = 3000;
/**
 * If a partition stays behind for longer (at a start, say, when all accounts send at once), the
 * account is also read from the database and the log, and the first result is the answer.
 */
const BESIDE_AFTER_MS = 200;
/** At most this many of these reads run at a time, as each reads all the commits in question. */
const MAX_BESIDE = 2;

/**
 * Answers questions about accounts. If this process folds the account, from memory; otherwise from
 * the database, and with `realTime` also from the entries since, folded for this answer only. So
 * with `realTime` all processes give the same answers.
 */
export class LiveReader {
  readonly #journal: Journal;
  readonly #time: Timekeeper;
  readonly #engine: Engine | undefined;
  readonly #stored: StoredReader;
  #beside = 0;
  /** Reads waiting for one of the MAX_BESIDE places. */
  readonly #queue: (() => void)[] = [];

  /** `engine` is absent in a process that folds nothing. */
  constructor(
    database: Database,
    journal: Journal,
    time: Timekeeper,
    rules: TrackerRules,
    engine: Engine | undefined,
  ) {
    this.#journal = journal;
    this.#time = time;
    this.#engine = engine;
    this.#stored = new StoredReader(database, journal, time, rules);
  }

  /**
   * The result of `answer` for the account: with `realTime`, including everything acknowledged
   * before the call; otherwise in its available state. Undefined if the account does not exist.
   * `answer` must not keep the view. Throws DatabaseUnavailable if the answer takes too long.
   */
  read<T>(
    accountNumber: number,
    realTime: boolean,
    answer: (view: AccountView) => T,
  ): Promise<T | undefined> {
    const answered = this.#read(accountNumber, realTime, answer);
    return within(this.#time, REAL_TIME_MS, answered, tooLate);
  }

  /** Whether this process folds the account, and so hears of each change (`Engine.onFolded`). */
  isFolded = (accountNumber: number): boolean => this.#engine?.ownerOf(accountNumber) !== undefined;

  /**
   * Calls `answer` for each account that exists, in its available state: of one that is folded
   * here, that is the newest; of others, as of the last checkpoint.
   */
  async readMany(
    accountNumbers: readonly number[],
    answer: (accountNumber: number, view: AccountView) => void,
  ): Promise<void> {
    const stored = accountNumbers.filter((number) => !this.#answerFolded(number, answer));
    await this.#stored.readMany(stored, answer);
  }

  #answerFolded(
    accountNumber: number,
    answer: (accountNumber: number, view: AccountView) => void,
  ): boolean {
    try {
      const owner = this.#engine?.ownerOf(accountNumber);
      const account = owner?.find(accountNumber);
      if (!owner || !account) return false;
      answer(accountNumber, new AccountView(account, owner.backlog.position, true));
      return true;
    } catch (error) {
      if (error instanceof PartitionOver) return false;
      throw error;
    }
  }

  /** The source for seeding a tracker with everything acknowledged before the call. */
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
    const isLate = (): boolean => this.#time.elapsed() >= deadlineMs;
    const head = realTime ? await this.#journal.head() : 0;
    const question = { accountNumber, head, isLate, answer };
    const owner = this.#engine?.ownerOf(accountNumber);
    if (!owner) return await this.#stored.read(question);
    if (owner.backlog.position >= head) return await this.#readFolded(owner, question);
    const settled = new AbortController();
    const { signal } = settled;
    const folded = this.#readFolded(owner, question);
    try {
      return await Promise.any([folded, this.#readBeside(question, signal)]);
    } catch {
      return await folded;
    } finally {
      settled.abort();
    }
  }

  /** Answers from memory, as soon as the partition has folded up to `head`. */
  async #readFolded<T>(owner: Partition, question: Question<T>): Promise<T | undefined> {
    const { accountNumber, head, isLate, answer } = question;
    try {
      if (head > 0) await this.#engine?.reach(accountNumber, head);
      let account = owner.find(accountNumber);
      while (head > 0 && account?.hold) {
        await pauseUnless(this.#time, isLate);
        account = owner.find(accountNumber);
      }
      if (account) return answer(new AccountView(account, owner.backlog.position, true));
      // An account not in memory is unchanged since it was stored.
      return await this.#stored.read({ ...question, head: 0 });
    } catch (error) {
      if (!(error instanceof PartitionOver)) throw error;
      return await this.#stored.read(question);
    }
  }

  /** Reads the account while its partition is behind, unless the partition answers first. */
  async #readBeside<T>(question: Question<T>, settled: AbortSignal): Promise<T | undefined> {
    await sleep(this.#time, BESIDE_AFTER_MS, settled);
    if (this.#beside < MAX_BESIDE) this.#beside += 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      const isLate = (): boolean => settled.aborted || question.isLate();
      if (isLate()) throw tooLate();
      return await this.#stored.read({ ...question, isLate });
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#beside -= 1;
    }
  }
}
