import { isCredit } from '../deal.ts';
import { applyVerdicts, weighDeals } from '../programs/fold-deal-rules.ts';
import { CLOCK_SLACK_MS } from './deal-placement.ts';
import { countLate, foldAgain, trimWindow } from './fold-again.ts';
import type { FoldEffects } from './fold-effects.ts';
import { inOrder, type KnownDeal, knownDeal, MAX_WAITING } from './known-deals.ts';
import type { LiveAccount } from './live-account.ts';
import type { LiveDeal } from './live-records.ts';
import { noteSettling } from './settle-breaches.ts';

/** A snapshot or deal further ahead of its receipt than this comes from a wrong clock. */
export const MAX_AHEAD_MS = 86_400_000;
/** The receipt of what is replayed: no moment is too far ahead of it. */
export const NEVER_AHEAD = Number.POSITIVE_INFINITY;

/**
 * Notes deals, whether they came with a snapshot or alone. Those that a snapshot may still be the
 * first to include wait for it; older ones are put in their place. Each deal id must be folded once
 * only: the caller leaves out deals that it has folded before. Returns how many were ignored
 * because they are too far ahead of the receipt. Mutates the account, adds to `effects`.
 */
export function foldDeals(
  account: LiveAccount,
  deals: readonly LiveDeal[],
  receivedUtcMs: number,
  effects: FoldEffects,
): number {
  const known = deals
    .map((deal) => knownDeal(account, deal))
    .filter(({ utcMs }) => !(utcMs > receivedUtcMs + MAX_AHEAD_MS));
  if (known.length > 0) {
    weighDeals(account, known);
    takeDeals(account, known, effects);
    applyVerdicts(account, effects);
  }
  return deals.length - known.length;
}

function takeDeals(account: LiveAccount, deals: KnownDeal[], effects: FoldEffects): void {
  const { window } = account;
  account.forgetQuietBand();
  const from = window?.base ?? account;
  const waiting: KnownDeal[] = [];
  for (const deal of inOrder(deals)) {
    if (!isTooLate(from, deal)) waiting.push(deal);
    else {
      countLate(from, deal);
      if (window) countLate(account, deal);
    }
  }
  if (!window) {
    const waitingDeals = inOrder([...account.waitingDeals, ...waiting]);
    account.waitingDeals = waitingDeals.slice(-MAX_WAITING);
    for (const deal of waitingDeals.slice(0, -MAX_WAITING)) countLate(account, deal);
    return;
  }
  window.deals = inOrder([...window.deals, ...waiting]);
  const reachesBack = ({ utcMs }: KnownDeal): boolean =>
    utcMs <= account.lastUtcMs + CLOCK_SLACK_MS;
  if (waiting.some(reachesBack) || waiting.length < deals.length) {
    foldAgain(account, window, effects);
  } else account.waitingDeals = inOrder([...account.waitingDeals, ...waiting]);
  trimWindow(account, window);
  noteSettling(account);
}

/** Whether the account's last reading includes a deal for certain; false before the first one. */
function isTooLate({ lastUtcMs }: LiveAccount, deal: KnownDeal): boolean {
  if (deal.endUtcMs < lastUtcMs - CLOCK_SLACK_MS) return true;
  // No balance ever shows whether credit was included.
  return isCredit(deal) && deal.utcMs <= lastUtcMs;
}
