import { listSilent } from '../../storage/live-store.ts';
import type { Context } from '../context.ts';

/** How often feeds are checked, and the shortest silence that is reported. */
export const LOOK_EVERY_MS = 5000;
const LEAST_SECONDS = 30;
const ACCOUNTS_AT_ONCE = 500;

/**
 * Tells the live side of feeds that fell silent: the fold decides whether that is still so, and
 * makes the event in its place among the snapshots. Telling it twice changes nothing.
 */
export async function tellSilence(
  { database, changes, now }: Pick<Context, 'database' | 'changes' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const silent = await listSilent(database, now(), LEAST_SECONDS, ACCOUNTS_AT_ONCE);
  for (const { accountNumber, lastUtcMs } of silent) {
    if (signal.aborted) return;
    const command = { kind: 'feed-silent', lastUtcMs } as const;
    await changes.record((tx) => tx.tell(accountNumber, { command }));
  }
}
