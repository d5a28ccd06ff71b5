import type { BrokerTimeMs } from '../broker-time.ts';
import type { LiveAccount } from './live-account.ts';
import type { FoldEffects } from './live-records.ts';

/**
 * Notes that an account's feed has been silent since its newest snapshot came in, at `freshUtcMs`.
 * Does nothing if one came in since, or if the silence was noted before.
 */
export function noteSilence(account: LiveAccount, freshUtcMs: number, effects: FoldEffects): void {
  if (account.freshUtcMs !== freshUtcMs || !Number.isNaN(account.silentSinceUtcMs)) return;
  account.silentSinceUtcMs = freshUtcMs;
  const { id: accountId, lastTimeMs: timeMs } = account;
  effects.feedChanges.push({ accountId, feed: 'silence', sinceUtcMs: freshUtcMs, timeMs });
}

/** Notes that the account's newest snapshot was received, or once more, and ends a silence. */
export function noteReceipt(
  account: LiveAccount,
  timeMs: BrokerTimeMs,
  receivedUtcMs: number,
  effects: FoldEffects,
): void {
  account.freshUtcMs = receivedUtcMs;
  const sinceUtcMs = account.silentSinceUtcMs;
  if (Number.isNaN(sinceUtcMs)) return;
  account.silentSinceUtcMs = Number.NaN;
  const silentMs = receivedUtcMs - sinceUtcMs;
  effects.feedChanges.push({ accountId: account.id, feed: 'return', sinceUtcMs, timeMs, silentMs });
}
