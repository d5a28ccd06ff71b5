import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { LiveAccount } from './live-account.ts';
import type { FoldEffects, FoldOutcome, LiveDeal } from './live-records.ts';

/** A snapshot or deal further ahead of its receipt than this is the fault of a clock. */
export const MAX_AHEAD_MS = 86_400_000;

/**
 * Folds one snapshot with the deals of the same moment (their money is in its balance already).
 * Snapshots come in the order of receipt; each deal id must be folded once only, so the caller
 * leaves out deals that it has folded before. `receivedUtcMs` is kept with the journal entry, so
 * that a replay decides alike. Mutates the account, adds to `effects`.
 */
export function foldSnapshot(
  _account: LiveAccount,
  _timeMs: BrokerTimeMs,
  _balance: Money,
  _equity: Money,
  _deals: readonly LiveDeal[],
  _receivedUtcMs: number,
  _effects: FoldEffects,
): FoldOutcome {
  throw new Error('Not written yet');
}
