import type { Timekeeper } from '../domain/timekeeper.ts';
import { commitOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Persistence } from './persistence.ts';
import type { TrackedAccount } from './tracked-account.ts';

/** Commands that are appended at a time. */
const AT_ONCE = 32;
/** A timer that is longer may have been set by a wrong clock: it looks again. */
const MOST_MS = 60_000;

export type SettlingParts = {
  journal: Pick<Journal, 'append' | 'partitions'>;
  time: Timekeeper;
  persistence: Persistence;
};

/** An account in memory; undefined if it is as it was stored. */
type Noted = Pick<TrackedAccount, 'settleDueUtcMs' | 'isGone'> | undefined;

/**
 * Accounts of a partition with breaches that wait for what explains their money. When the time of
 * one is up, a command in the journal says so: whoever folds it decides whether the breach still
 * waits. So the log alone tells when a breach was told, and a command too many changes nothing.
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
      if (!persistence.isOver) this.#tellAll().catch(() => {});
    });
  }

  /** Resolves when all that are due are told. Throws PartitionOver. */
  async #tellAll(): Promise<void> {
    const nowMs = this.#parts.time.now();
    const due: number[] = [];
    let nextUtcMs = Number.POSITIVE_INFINITY;
    for (const [accountNumber, { dueUtcMs, account }] of this.#due) {
      if (dueUtcMs > nowMs) nextUtcMs = Math.min(nextUtcMs, dueUtcMs);
      else {
        this.#due.delete(accountNumber);
        // Deals may have explained it meanwhile.
        const isSettled = account && !account.isGone && Number.isNaN(account.settleDueUtcMs);
        if (!isSettled) due.push(accountNumber);
      }
    }
    if (Number.isFinite(nextUtcMs)) this.#arm(nextUtcMs);
    while (due.length > 0) {
      await Promise.all(due.splice(0, AT_ONCE).map((number) => this.#tell(number)));
    }
  }

  async #tell(accountNumber: number): Promise<void> {
    const { journal, time, persistence } = this.#parts;
    await persistence.insist('settling a breach', () => {
      const command = { kind: 'breach-settled' } as const;
      return journal.append(commitOf(time.now(), accountNumber, journal.partitions, command));
    });
  }
}
