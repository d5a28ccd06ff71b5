import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { Account } from '../storage/account-store.ts';
import { BatchedLookup } from '../storage/batched-lookup.ts';
import type { Sql } from '../storage/database.ts';
import { countDealsFrom } from '../storage/deal-store.ts';
import {
  type HistoryVersions,
  readHistory,
  readHistoryVersions,
} from '../storage/history-store.ts';
import { computeTrades, type HistoryContext, type SliceFolder } from './compute-trades.ts';
import { foldSlice } from './fold-slice.ts';
import { type PositionReader, type PositionsAt, readPositionsAt } from './positions-at.ts';

/** Deals folded while the caller waits; more are folded in the background, in a thread. */
const DEALS_WHILE_WAITING = 5000;
/** The most slices of a short computation; one prolonged by new deals continues like a long one. */
const SLICES_WHILE_WAITING = 6;
const LONG_RETRY_SECONDS = 2;
/** How many accounts this process computes or queues, and the share of one user. */
const MAX_COMPUTATIONS = 1000;
const SHARE_OF_ONE = 4;
const BUSY_RETRY_SECONDS = 2;
/** Readings that deals may overtake before the caller is asked to retry. */
const READINGS = 5;
const OVERTAKEN_RETRY_SECONDS = 1;

export type NotReady = { ready: false; retryAfterSeconds: number };
export type CurrentHistory =
  /** The version of the deals in the stored trades. */
  { ready: true; tradeVersion: number } | NotReady;

/** The positions open at a moment, by all deals known now. */
export type PositionsThen = ({ ready: true } & PositionsAt) | NotReady;

/** Folds outside of the event loop: histories may be long, or have many open positions. */
export type HistoryThread = { fold: SliceFolder; positionsAt: PositionReader };

type ComputerContext = HistoryContext & {
  logger: { warn(fields: object, message: string): void };
};

export type ComputerOptions = {
  /** Where long work is done; here if absent. */
  thread?: HistoryThread | undefined;
  maxComputations?: number | undefined;
  dealsWhileWaiting?: number | undefined;
};

type Computation = {
  userId: string;
  isLong: Promise<boolean>;
  /** It was short, but more deals came than a caller should wait for. */
  hasGrown: Promise<void>;
  done: Promise<void>;
};

/** Brings the trades of accounts up to date; computes each account once at a time. */
export class TradeComputer {
  readonly #context: ComputerContext;
  readonly #thread: HistoryThread | undefined;
  readonly #maxComputations: number;
  readonly #dealsWhileWaiting: number;
  readonly #versions: BatchedLookup<number, HistoryVersions>;
  readonly #running = new Map<number, Computation>();
  readonly #stopping = new AbortController();

  constructor(context: ComputerContext, options: ComputerOptions = {}) {
    this.#context = context;
    this.#thread = options.thread;
    this.#maxComputations = options.maxComputations ?? MAX_COMPUTATIONS;
    this.#dealsWhileWaiting = options.dealsWhileWaiting ?? DEALS_WHILE_WAITING;
    this.#versions = new BatchedLookup((numbers) => readHistoryVersions(context.database, numbers));
  }

  /** The progress of computing an account's trades; 0 of 0 without deals. */
  async versionsOf({ number }: Account): Promise<HistoryVersions> {
    const versions = await this.#versions.find(number);
    return versions ?? { dealVersion: 0, tradeVersion: 0, isSettled: true };
  }

  /**
   * Makes short computations at once; starts long ones, and returns when to ask again. Ready means
   * that the trades include every deal from before the call; they never are while an import is
   * being stored or taken back.
   */
  async current(account: Account): Promise<CurrentHistory> {
    const { dealVersion, tradeVersion, isSettled } = await this.versionsOf(account);
    if (!isSettled) return { ready: false, retryAfterSeconds: 1 };
    if (tradeVersion === dealVersion) return { ready: true, tradeVersion };
    if (!this.#hasPlaceFor(account)) {
      return { ready: false, retryAfterSeconds: BUSY_RETRY_SECONDS };
    }
    const computation = this.#compute(account);
    const isLong = (await computation.isLong) || (await outlasts(computation));
    if (isLong) return { ready: false, retryAfterSeconds: LONG_RETRY_SECONDS };
    const computed = await this.versionsOf(account);
    // It was stopped, had begun before the newest deals were there, or more came since.
    if (computed.tradeVersion < dealVersion) return { ready: false, retryAfterSeconds: 1 };
    return { ready: true, tradeVersion: computed.tradeVersion };
  }

  /**
   * The result of `read` on the trades of one version. It runs again if it returns undefined, which
   * it must if `isAt` says that they have changed. For callers that keep the result; others use
   * `readWhole`.
   */
  async read<T>(
    account: Account,
    read: (tradeVersion: number) => Promise<T | undefined>,
  ): Promise<{ ready: true; value: T } | NotReady> {
    for (let reading = 0; reading < READINGS; reading += 1) {
      const current = await this.current(account);
      if (!current.ready) return current;
      const value = await read(current.tradeVersion);
      if (value !== undefined) return { ready: true, value };
    }
    return { ready: false, retryAfterSeconds: OVERTAKEN_RETRY_SECONDS };
  }

  /** The result of `read` on the trades of one version, however many statements it takes. */
  readWhole<T extends object>(
    account: Account,
    read: () => Promise<T>,
  ): Promise<{ ready: true; value: T } | NotReady> {
    return this.read(account, async (tradeVersion) => {
      const value = await read();
      return (await this.isAt(account, tradeVersion)) ? value : undefined;
    });
  }

  /** Whether the trades, and their deals, are still of this version. */
  async isAt(account: Account, tradeVersion: number): Promise<boolean> {
    const now = await this.versionsOf(account);
    return now.tradeVersion === tradeVersion && now.dealVersion === tradeVersion;
  }

  /**
   * The positions open at a moment, after the deals of that moment.
   * @param most how many positions are returned
   */
  async positionsAt(account: Account, timeMs: BrokerTimeMs, most: number): Promise<PositionsThen> {
    const { database, rules } = this.#context;
    // A deal from before the moment that came during the read would make it inconsistent.
    const positions = await this.readWhole(account, () =>
      this.#thread
        ? this.#thread.positionsAt(account, timeMs, most)
        : readPositionsAt(database, rules.clocks, account, timeMs, most),
    );
    return positions.ready ? { ready: true, ...positions.value } : positions;
  }

  /** Ends running computations after their present slice, when the process ends. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.settle();
  }

  /** Waits for all running computations. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  #hasPlaceFor({ number, userId }: Account): boolean {
    if (this.#running.has(number)) return true;
    if (this.#running.size >= this.#maxComputations) return false;
    let own = 0;
    for (const running of this.#running.values()) if (running.userId === userId) own += 1;
    return own < this.#maxComputations / SHARE_OF_ONE;
  }

  #compute(account: Account): Computation {
    const running = this.#running.get(account.number);
    if (running) return running;
    const isLong = this.#isLong(account.number);
    const grown = Promise.withResolvers<void>();
    const done = isLong
      .then((long) => {
        const fold = this.#folder(long, grown.resolve);
        return computeTrades(this.#context, account, {
          fold,
          signal: this.#stopping.signal,
        });
      })
      .finally(() => this.#running.delete(account.number));
    // The caller may have failed before waiting for this, or been asked to retry.
    done.catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return;
      const fields = { err: error, accountNumber: account.number };
      this.#context.logger.warn(fields, 'computing trades failed');
    });
    const computation = { userId: account.userId, isLong, hasGrown: grown.promise, done };
    this.#running.set(account.number, computation);
    return computation;
  }

  /** Folds long computations in the thread, and those that became long while folded here. */
  #folder(isLong: boolean, hasGrown: () => void): SliceFolder {
    let slices = 0;
    return (account) => {
      slices += 1;
      const isHere = !isLong && slices <= SLICES_WHILE_WAITING;
      if (!isHere) hasGrown();
      return this.#thread && !isHere
        ? this.#thread.fold(account)
        : foldSlice(this.#context.database, this.#context.rules.clocks, account);
    };
  }

  /** Whether there are more deals to fold than the caller should wait for. */
  async #isLong(accountNumber: number): Promise<boolean> {
    const sql: Sql = this.#context.database;
    const { mustRebuild, last } = await readHistory(sql, accountNumber);
    const fromMs = mustRebuild || !last ? Number.MIN_SAFE_INTEGER : last.timeMs;
    const bound = this.#dealsWhileWaiting + 1;
    return (await countDealsFrom(sql, accountNumber, fromMs, bound)) === bound;
  }
}

const outlasts = ({ done, hasGrown }: Computation): Promise<boolean> =>
  Promise.race([done.then(() => false), hasGrown.then(() => true)]);
