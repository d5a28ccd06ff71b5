import type { Timekeeper } from '../domain/timekeeper.ts';
import { commitOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Persistence } from './persistence.ts';
import type { TrackedAccount } from './tracked-account.ts';

/** Commands appended at a time. */
const AT_ONCE = 32;
/** A longer timer may come from a wrong clock: check again after this. */
const MOST_MS = 60_000;

export type SettlingParts = {
  journal: Pick<Journal, 'append' | 'partitions'>;
  time: Timekeeper;
  persistence: Persistence;
};

/** An account in memory; undefined if it is unchanged since it was stored. */
type Noted = Pick<TrackedAccount, 'settleDueUtcMs' | 'isGone'> | undefined;

/**
 * Accounts of a partition with breaches that wait for an explanation of their money. When the time
 * of one is up, a command in the journal says so: folding it decides whether the breach still
 * waits. So the log alone tells when a breach was published, and a superfluous command changes
 * nothing.
 */
export class SettlingBreaches {
  readonly #parts: SettlingParts;
  /** When each is due, by time of receipt: at most one entry for each account. */
  readonly #due = new Map<number, { dueUtcMs: number; account: Noted }>();
  #cancelTimer: (() => void) | undefined;
  #timerUtcMs = Number.POSITIVE_INFINITY;

  constructor(parts: SettlingParts) {
    this.#parts = parts;
  }

  note(accountNumber: number, dueUtcMs: number, account?: Noted): void {
    this.#due.set(accountNumber, { dueUtcMs, account });
    if (dueUtcMs < this.#timerUtcMs) this.#arm(dueUtcMs);
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#due.clear();
  }

  #arm(dueUtcMs: number): void {
    const { time, persistence } = this.#parts;
    this.#cancelTimer?.();
    this.#timerUtcMs = dueUtcMs;
    const waitMs = Math.min(Math.max(0, dueUtcMs - time.now()), MOST_MS);
    this.#cancelTimer = time.after(waitMs, () => {
      this.#cancelTimer = undefined;
      this.#timerUtcMs = Number.POSITIVE_INFINITY;
      if (!persistence.isOver) this.#appendAll().catch(() => {});
    });
  }

  /** Resolves when all due ones have their commands. Throws PartitionOver. */
  async #appendAll(): Promise<void> {
    const nowMs = this.#parts.time.now();
    const due: number[] = [];
    let nextUtcMs = Number.POSITIVE_INFINITY;
    for (const [accountNumber, { dueUtcMs, account }] of this.#due) {
      if (dueUtcMs > nowMs) nextUtcMs = Math.min(nextUtcMs, dueUtcMs);
      else {
        this.#due.delete(accountNumber);
        // Deals may have explained it since.
        const isSettled = account && !account.isGone && Number.isNaN(account.settleDueUtcMs);
        if (!isSettled) due.push(accountNumber);
      }
    }
    if (Number.isFinite(nextUtcMs)) this.#arm(nextUtcMs);
    while (due.length > 0) {
      await Promise.all(due.splice(0, AT_ONCE).map((number) => this.#append(number)));
    }
  }

  async #append(accountNumber: number): Promise<void> {
    const { journal, time, persistence } = this.#parts;
    await persistence.retry('settling a breach', () => {
      const command = { kind: 'breach-settled' } as const;
      return journal.append(commitOf(time.now(), accountNumber, journal.partitions, command));
    });
  }
}
