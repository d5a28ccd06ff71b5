import type { BrokerTimeMs } from '../broker-time.ts';
import type { FoldEffects } from './fold-effects.ts';
import type { LiveAccount } from './live-account.ts';
import type { FeedChange } from './live-records.ts';
import { known } from './number-rows.ts';

/**
 * Notes that an account's feed has been silent since its newest snapshot came in, at `freshUtcMs`,
 * or since it was created if none came. Does nothing if one came in since, or if the silence was
 * noted before.
 */
export function noteSilence(
  account: LiveAccount,
  { freshUtcMs, reason }: { freshUtcMs: number; reason?: string },
  effects: FoldEffects,
): void {
  if ((known(account.freshUtcMs) ?? freshUtcMs) !== freshUtcMs) return;
  if (!Number.isNaN(account.silentSinceUtcMs)) return;
  account.silentSinceUtcMs = freshUtcMs;
  const change = changeOf(account, 'silence', freshUtcMs);
  effects.feedChanges.push(reason === undefined ? change : { ...change, reason });
}

/** Notes the receipt of the account's newest snapshot, new or repeated, and ends a silence. */
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

/** Notes that the account has lost its last loss limit: no loss is reported from now on. */
export function noteUnwatched(account: LiveAccount, atUtcMs: number, effects: FoldEffects): void {
  effects.feedChanges.push(changeOf(account, 'unwatched', atUtcMs));
}

/** At the time of the newest snapshot; before the first, at the time of the change. */
const changeOf = (
  { id: accountId, lastTimeMs, clock }: LiveAccount,
  feed: FeedChange['feed'],
  sinceUtcMs: number,
): FeedChange => ({
  ...{ accountId, feed, sinceUtcMs },
  timeMs: known(lastTimeMs) ?? clock.brokerTimeOf(sinceUtcMs),
});
