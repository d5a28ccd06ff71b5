import type { LiveAccount } from './live-account.ts';
import type { EquityBucket, FoldEffects, LiveDeal } from './live-records.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/** What is stored of an account since a tracker's start; both ascending by time. */
export type AccountHistory = { buckets: readonly EquityBucket[]; deals: readonly LiveDeal[] };

/**
 * Adds a tracker. It measures from the account's next snapshot on; with `history`, and a start in
 * the past, from the start, as exactly as hours allow. A tracker with the id must not be there.
 */
export function addTracker(
  _account: LiveAccount,
  _definition: TrackerDefinition,
  _rules: TrackerRules,
  _history?: AccountHistory,
  _effects?: FoldEffects,
): void {
  throw new Error('Not written yet');
}

/** Whether there was such a tracker. (A new name changes nothing here: names are not live state.) */
export function removeTracker(_account: LiveAccount, _trackerId: string): boolean {
  throw new Error('Not written yet');
}
