import type { LiveAccount } from './live-account.ts';
import type { FoldEffects } from './live-records.ts';

/**
 * Publishes the breaches whose time to be explained is up at a moment of receipt, and sets the
 * account's next such moment.
 */
export function settleBreaches(
  _account: LiveAccount,
  _receivedUtcMs: number,
  _effects: FoldEffects,
): void {}
