import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Context } from '../services/context.ts';
import { listSilent, type SilentAccount } from '../storage/live-store.ts';

/** How often feeds are checked, and the shortest silence that is reported. */
export const LOOK_EVERY_MS = 5000;
const LEAST_SECONDS = 30;
/** For accounts read from a platform, unless set otherwise. */
const READ_SECONDS = 60;
const BOUNDS = { leastSeconds: LEAST_SECONDS, readSeconds: READ_SECONDS };
const ACCOUNTS_AT_ONCE = 500;
/** A feed is silent only if nothing came between two checks, whatever the clocks say. */
const STILL_MS = 2 * LOOK_EVERY_MS;

/**
 * Reports silent feeds to the live side: the fold decides whether they still are, and makes the
 * event in its place among the snapshots. A repeated report changes nothing. Receipts have the
 * clocks of the receiving processes, and a wrong clock must neither report a silence after each
 * snapshot, nor hide one: a feed must also stand still by the stopwatch.
 */
export class SilenceWatch {
  /** The feeds silent at the last check, and since when by the stopwatch. */
  #seen = new Map<number, { freshUtcMs: number; sinceMs: number }>();

  async look(
    { database, changes, now }: Pick<Context, 'database' | 'changes' | 'now'>,
    time: Pick<Timekeeper, 'elapsed'>,
    signal: AbortSignal,
  ): Promise<void> {
    const nowMs = now();
    const silent = await listSilent(database, nowMs, BOUNDS, ACCOUNTS_AT_ONCE);
    const before = this.#seen;
    this.#seen = new Map();
    for (const account of silent) {
      if (signal.aborted) return;
      const { accountNumber, freshUtcMs } = account;
      const known = before.get(accountNumber);
      const seen =
        known?.freshUtcMs === freshUtcMs ? known : { freshUtcMs, sinceMs: time.elapsed() };
      this.#seen.set(accountNumber, seen);
      if (time.elapsed() - seen.sinceMs < stillMs(account, nowMs)) continue;
      const reason = account.reason === null ? {} : { reason: account.reason };
      const command = { kind: 'feed-silent', freshUtcMs, ...reason } as const;
      await changes.record((tx) => tx.tell(accountNumber, { command }));
    }
  }
}

/** The age of a receipt by a clock that was ahead is unknown: only the stopwatch counts. */
const stillMs = ({ freshUtcMs, mayBeSilentMs }: SilentAccount, nowMs: number): number =>
  freshUtcMs > nowMs ? mayBeSilentMs : STILL_MS;
