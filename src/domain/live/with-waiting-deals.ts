import { countDeal } from '../programs/fold-enrolment.ts';
import { copyAccount } from './copy-account.ts';
import { FoldEffects } from './fold-effects.ts';
import { trackWaitingDeals } from './fold-tracker.ts';
import { bookedBy, fundsOf } from './known-deals.ts';
import { type LiveAccount, NO_DEALS } from './live-account.ts';

/**
 * The account as if a snapshot included its waiting deals: for display, not for judging. Returns
 * the account itself if none wait, which is nearly always so.
 */
export function withWaitingDeals(account: LiveAccount, effects = new FoldEffects()): LiveAccount {
  const { waitingDeals } = account;
  if (waitingDeals.length === 0) return account;
  const shown = copyAccount(account);
  for (const tracker of shown.trackers) trackWaitingDeals(shown, tracker, effects);
  for (const enrolment of shown.enrolments) {
    for (const deal of waitingDeals) countDeal(shown, enrolment, deal);
  }
  for (const deal of waitingDeals) {
    shown.balance += bookedBy(deal);
    shown.equity += fundsOf(deal);
  }
  shown.waitingDeals = NO_DEALS;
  shown.dealRules = account.dealRules;
  return shown;
}
