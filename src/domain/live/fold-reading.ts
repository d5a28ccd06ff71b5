import {
  beginEnrolments,
  countDeal,
  judgeEnrolments,
  passTime,
} from '../programs/fold-enrolment.ts';
import { startFunded } from '../programs/phase-funding.ts';
import { countIncluded, inOrderOfBalance, type Reading, unexplainedBy } from './deal-placement.ts';
import type { FoldEffects } from './fold-effects.ts';
import { type PlacedReading, trackReading } from './fold-tracker.ts';
import { type LiveAccount, NO_DEALS } from './live-account.ts';

/** Finds which of the waiting deals a reading is the first to include. */
export function placeReading(
  account: LiveAccount,
  reading: Reading,
  after: readonly Reading[] = [],
): PlacedReading {
  const waiting = inOrderOfBalance(account.waitingDeals, account, reading);
  const included = waiting.length === 0 ? 0 : countIncluded(waiting, account, reading, after);
  const unexplained = unexplainedBy(waiting.slice(0, included), account, reading);
  return { ...reading, waiting, included, unexplained };
}

/**
 * Folds a reading that is not older than the account's last into its trackers and enrolments, and
 * leaves the account as of it. Hours are folded by foldHour.
 */
export function foldReading(
  account: LiveAccount,
  reading: PlacedReading,
  effects: FoldEffects,
): void {
  const { timeMs, utcMs, balance, equity, included, waiting } = reading;
  account.waitingDeals = waiting;
  if (Number.isNaN(account.fundedTimeMs) && (balance > 0 || equity > 0)) {
    account.fundedTimeMs = timeMs;
  }
  if (account.enrolments.length > 0) enrol(account, reading, effects);
  const { trackers } = account;
  for (let index = 0; index < trackers.length; index += 1) {
    const tracker = trackers[index];
    if (tracker) trackReading(account, tracker, reading, effects);
  }
  if (account.enrolments.length > 0) startFunded(account, reading);
  if (included > 0) {
    account.waitingDeals = included === waiting.length ? NO_DEALS : waiting.slice(included);
  }
  account.balance = balance;
  account.equity = equity;
  account.lastTimeMs = timeMs;
  account.lastUtcMs = utcMs;
  if (account.enrolments.length > 0) judgeEnrolments(account, reading, true, effects);
}

/** Counts the deals of a reading in the order of time, and lets time pass up to it. */
function enrol(account: LiveAccount, reading: PlacedReading, effects: FoldEffects): void {
  const { utcMs, included } = reading;
  const deals = account.waitingDeals.slice(0, included);
  beginEnrolments(account, reading, deals);
  for (const deal of deals) {
    passTime(account, Math.min(deal.utcMs, utcMs), effects);
    for (const enrolment of account.enrolments) countDeal(account, enrolment, deal);
  }
  passTime(account, utcMs, effects);
}
