import type { BrokerTimeMs } from '../broker-time.ts';
import { countDeal, passTime } from '../programs/fold-enrolment.ts';
import { addAhead } from './ahead-deals.ts';
import { trackDeal } from './fold-tracker.ts';
import type { LiveAccount } from './live-account.ts';
import type { FoldEffects, LiveDeal } from './live-records.ts';

/** A snapshot or deal further ahead of its receipt than this comes from a wrong clock. */
export const MAX_AHEAD_MS = 86_400_000;

/**
 * Folds deals that came without a snapshot, in the order of the feed. Each deal id must be folded
 * once only: the caller leaves out deals that it has folded before. Returns how many were ignored
 * because they are too far ahead of the receipt. Mutates the account, adds to `effects`.
 */
export function foldDeals(
  account: LiveAccount,
  deals: readonly LiveDeal[],
  receivedUtcMs: number,
  effects: FoldEffects,
): number {
  let ignored = 0;
  for (const deal of deals) {
    const utcMs = account.clock.utcOf(deal.timeMs, account.lastUtcMs);
    if (utcMs > receivedUtcMs + MAX_AHEAD_MS) ignored += 1;
    else foldDeal(account, deal, deal.timeMs, utcMs, effects);
  }
  return ignored;
}

/** Folds a deal as of a moment, which may be earlier than its own time: see foldSnapshot. */
export function foldDeal(
  account: LiveAccount,
  deal: LiveDeal,
  timeMs: BrokerTimeMs,
  utcMs: number,
  effects: FoldEffects,
): void {
  if (account.enrolments.length > 0) passTime(account, utcMs, effects);
  const { trackers } = account;
  for (const tracker of trackers) trackDeal(account, tracker, deal, timeMs, utcMs, effects);
  if (account.enrolments.length > 0) countDeal(account, deal, utcMs);
  account.forgetQuietBand();
  // Money up to the last snapshot is in its balance; before the first one it is not known yet.
  if (!(utcMs <= account.lastUtcMs)) addAhead(account, deal, utcMs);
}
