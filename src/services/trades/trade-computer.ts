import { GatheredLookups } from '../../storage/gathered-lookups.ts';
import { type HistoryVersions, readHistoryVersions } from '../../storage/history-store.ts';
import type { Context } from '../context.ts';
import { computeTrades, countWaitingDeals } from './compute-trades.ts';

/** Deals that are folded while the caller waits; more are folded in the background. */
const DEALS_WHILE_WAITING = 5000;
const DEALS_PER_SECOND = 50_000;
const MAX_RETRY_AFTER_SECONDS = 30;
/** Accounts whose computation may run or wait in this process at a time. */
const MAX_COMPUTATIONS = 1000;

export type Readiness = { ready: true } | { ready: false; retryAfterSeconds: number };

/** Computes the trades of accounts, each account once at a time, and tells whether they are current. */
export class TradeComputer {
  readonly #context: Pick<Context, 'database' | 'logger'>;
  readonly #versions: GatheredLookups<HistoryVersions>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #imports = new Map<string, number>();

  constructor(context: Pick<Context, 'database' | 'logger'>) {
    this.#context = context;
    this.#versions = new GatheredLookups((ids) => readHistoryVersions(context.database, ids));
  }

  /** How far the trades of an account are computed; 0 of 0 without any deal. */
  async versionsOf(accountId: string): Promise<HistoryVersions> {
    return (await this.#versions.find(accountId)) ?? { dealVersion: 0, tradeVersion: 0 };
  }

  /** Makes short computations at once; starts long ones and tells when to ask again. */
  async bringUpToDate(accountId: string): Promise<Readiness> {
    if (this.#imports.has(accountId)) return { ready: false, retryAfterSeconds: 1 };
    const waiting = await countWaitingDeals(
      this.#context.database,
      accountId,
      MAX_RETRY_AFTER_SECONDS * DEALS_PER_SECOND,
    );
    const computation = this.#compute(accountId);
    if (waiting <= DEALS_WHILE_WAITING) {
      await computation;
      return { ready: true };
    }
    computation.catch((error: unknown) => {
      this.#context.logger.error({ err: error, accountId }, 'computing trades failed');
    });
    return { ready: false, retryAfterSeconds: 1 + Math.floor(waiting / DEALS_PER_SECOND) };
  }

  isImporting(accountId: string): boolean {
    return this.#imports.has(accountId);
  }

  /** While `work` runs the account's trades count as being computed. */
  async during<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    this.#imports.set(accountId, (this.#imports.get(accountId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#imports.get(accountId) ?? 1) - 1;
      if (left === 0) this.#imports.delete(accountId);
      else this.#imports.set(accountId, left);
    }
  }

  /** Waits for what runs; called at the end of the process. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  #compute(accountId: string): Promise<void> {
    const running = this.#running.get(accountId);
    if (running) return running;
    if (this.#running.size >= MAX_COMPUTATIONS) return Promise.resolve();
    const computation = computeTrades(this.#context, accountId).finally(() => {
      this.#running.delete(accountId);
    });
    this.#running.set(accountId, computation);
    return computation;
  }
}
