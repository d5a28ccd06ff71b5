import type { Account } from '../../storage/account-store.ts';
import { BatchedLookup } from '../../storage/batched-lookup.ts';
import { type HistoryVersions, readHistoryVersions } from '../../storage/history-store.ts';
import type { Context } from '../context.ts';
import { computeTrades, countWaitingDeals } from './compute-trades.ts';

/** Deals that are folded while the caller waits; more are folded in the background. */
const DEALS_WHILE_WAITING = 5000;
const DEALS_PER_SECOND = 50_000;
const MAX_RETRY_AFTER_SECONDS = 30;
/** Accounts whose computation may run or wait in this process at a time, of all users and of one. */
const MAX_COMPUTATIONS = 1000;
const SHARE_OF_ONE = 4;
const BUSY_RETRY_SECONDS = 2;

export type CurrentHistory =
  /** The version counts what the stored trades have gone through. */
  { ready: true; tradeVersion: number } | { ready: false; retryAfterSeconds: number };

/** Sees to it that the trades of accounts are current; computes each account once at a time. */
export class TradeComputer {
  readonly #context: Pick<Context, 'database' | 'changes' | 'logger'>;
  readonly #maxComputations: number;
  readonly #versions: BatchedLookup<number, HistoryVersions>;
  readonly #running = new Map<number, { userId: string; done: Promise<void> }>();

  constructor(
    context: Pick<Context, 'database' | 'changes' | 'logger'>,
    maxComputations = MAX_COMPUTATIONS,
  ) {
    this.#context = context;
    this.#maxComputations = maxComputations;
    this.#versions = new BatchedLookup((numbers) => readHistoryVersions(context.database, numbers));
  }

  /** How far the trades of an account are computed; 0 of 0 without any deal. */
  async versionsOf({ number }: Account): Promise<HistoryVersions> {
    const versions = await this.#versions.find(number);
    return versions ?? { dealVersion: 0, tradeVersion: 0, isSettled: true };
  }

  /**
   * Makes short computations at once; starts long ones and tells when to ask again. Ready means that
   * every deal of before the call is in the trades; it never is while an import is being stored or
   * taken back.
   */
  async current(account: Account): Promise<CurrentHistory> {
    const { dealVersion, tradeVersion, isSettled } = await this.versionsOf(account);
    if (!isSettled) return { ready: false, retryAfterSeconds: 1 };
    if (tradeVersion === dealVersion) return { ready: true, tradeVersion };
    if (!this.#hasPlaceFor(account)) {
      return { ready: false, retryAfterSeconds: BUSY_RETRY_SECONDS };
    }
    const computation = this.#compute(account);
    const bound = MAX_RETRY_AFTER_SECONDS * DEALS_PER_SECOND;
    const waiting = await countWaitingDeals(this.#context.database, account.number, bound);
    if (waiting > DEALS_WHILE_WAITING) {
      computation.catch((error: unknown) => {
        const fields = { err: error, accountNumber: account.number };
        this.#context.logger.error(fields, 'computing trades failed');
      });
      return { ready: false, retryAfterSeconds: 1 + Math.floor(waiting / DEALS_PER_SECOND) };
    }
    await computation;
    const computed = await this.versionsOf(account);
    // It had begun before the newest of the deals was there, or more came since.
    if (computed.tradeVersion < dealVersion) return { ready: false, retryAfterSeconds: 1 };
    return { ready: true, tradeVersion: computed.tradeVersion };
  }

  /** Waits for what runs; called at the end of the process. */
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

  #compute(account: Account): Promise<void> {
    const running = this.#running.get(account.number);
    if (running) return running.done;
    const computation = computeTrades(this.#context, account).finally(() => {
      this.#running.delete(account.number);
    });
    // Whoever asked may have failed before waiting for it.
    computation.catch(() => {});
    this.#running.set(account.number, { userId: account.userId, done: computation });
    return computation;
  }
}
