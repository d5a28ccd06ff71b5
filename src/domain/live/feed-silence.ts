import type { BrokerTimeMs } from '../broker-time.ts';
import type { FoldEffects } from './fold-effects.ts';
import type { LiveAccount } from './live-account.ts';

/**
 * Notes that an account's feed has been silent since its newest snapshot, at `lastUtcMs`. Does
 * nothing if there is a newer one by now, or if the silence was noted before.
 */
export function noteSilence(account: LiveAccount, lastUtcMs: number, effects: FoldEffects): void {
  if (account.lastUtcMs !== lastUtcMs || !Number.isNaN(account.silentSinceUtcMs)) return;
  account.silentSinceUtcMs = lastUtcMs;
  const { id: accountId, lastTimeMs: timeMs } = account;
  effects.feedChanges.push({ accountId, feed: 'silence', sinceUtcMs: lastUtcMs, timeMs });
}

/** Ends a silence, at a snapshot that is newer than all before. */
export function endSilence(
  account: LiveAccount,
  timeMs: BrokerTimeMs,
  utcMs: number,
  effects: FoldEffects,
): void {
  const sinceUtcMs = account.silentSinceUtcMs;
  if (Number.isNaN(sinceUtcMs)) return;
  account.silentSinceUtcMs = Number.NaN;
  const silentMs = utcMs - sinceUtcMs;
  effects.feedChanges.push({ accountId: account.id, feed: 'return', sinceUtcMs, timeMs, silentMs });
}
