import type { LiveAccount } from './live-account.ts';
import type { FoldEffects, LiveDeal } from './live-records.ts';

/**
 * Folds deals that came without a snapshot, in the order of the feed; same duties as foldSnapshot.
 * Returns how many were ignored for being too far ahead of the receipt.
 */
export function foldDeals(
  _account: LiveAccount,
  _deals: readonly LiveDeal[],
  _receivedUtcMs: number,
  _effects: FoldEffects,
): number {
  throw new Error('Not written yet');
}
