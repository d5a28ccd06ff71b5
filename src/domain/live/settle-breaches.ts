import { foldAgain } from './fold-again.ts';
import type { FoldEffects } from './fold-effects.ts';
import type { LiveAccount } from './live-account.ts';
import { isMeasuring } from './live-tracker.ts';

/** Publishes the breaches that have waited long enough, by time of receipt. */
export function settleBreaches(
  account: LiveAccount,
  receivedUtcMs: number,
  effects: FoldEffects,
): void {
  if (!(receivedUtcMs <= account.receivedUtcMs)) account.receivedUtcMs = receivedUtcMs;
  if (account.window && receivedUtcMs >= account.settleDueUtcMs) {
    foldAgain(account, account.window, effects);
  }
  noteSettling(account);
}

/** Computes when the first waiting breach has waited long enough. */
export function noteSettling(account: LiveAccount): void {
  let dueUtcMs = Number.NaN;
  for (const tracker of account.trackers) {
    const { waitingSinceUtcMs, rule } = tracker;
    if (Number.isNaN(waitingSinceUtcMs) || !isMeasuring(tracker, account.lastUtcMs)) continue;
    const ownUtcMs = waitingSinceUtcMs + rule.settleMs;
    dueUtcMs = Number.isNaN(dueUtcMs) ? ownUtcMs : Math.min(dueUtcMs, ownUtcMs);
  }
  account.settleDueUtcMs = dueUtcMs;
}
