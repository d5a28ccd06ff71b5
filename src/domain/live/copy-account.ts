import { ENROLMENT_NUMBERS, LiveEnrolment } from '../programs/live-enrolment.ts';
import type { LiveAccount, LiveRows } from './live-account.ts';
import { type LiveTracker, TRACKER_NUMBERS } from './live-tracker.ts';
import { copyNumbers } from './number-rows.ts';

/**
 * An independent copy of an account with its trackers and enrolments, without its window. With
 * `rows` that others share it must be freed.
 */
export function copyAccount(account: LiveAccount, rows?: LiveRows): LiveAccount {
  const copy = account.copy(rows);
  for (const tracker of account.trackers) copy.attach(tracker.copyTo(copy.rows.trackers.take()));
  for (const enrolment of account.enrolments) joinEnrolment(copy, enrolment);
  return copy;
}

/** Copies an enrolment to an account that has its trackers. */
export function joinEnrolment(account: LiveAccount, enrolment: LiveEnrolment): LiveEnrolment {
  const own = ({ id }: LiveTracker): LiveTracker => {
    const tracker = account.trackers.find((candidate) => candidate.id === id);
    if (!tracker) throw new Error(`The account lacks the tracker ${id} of its enrolment`);
    return tracker;
  };
  const row = account.rows.enrolments.take();
  copyNumbers(enrolment, row, ENROLMENT_NUMBERS);
  const { definition, progress, limits, terms } = enrolment;
  const linked = limits.map((limit) => ({ ...limit, tracker: own(limit.tracker) }));
  const copy = new LiveEnrolment(row, definition, own(progress), linked, terms);
  account.enrolments = account.enrolments.concat(copy);
  return copy;
}

/** Moves the state of another account into this one: balance, deals, trackers and enrolments. */
export function adoptAccount(account: LiveAccount, from: LiveAccount): void {
  const { trackers: trackerRows, enrolments: enrolmentRows } = account.rows;
  account.waitingDeals = from.waitingDeals;
  account.balance = from.balance;
  account.equity = from.equity;
  account.lastTimeMs = from.lastTimeMs;
  account.lastUtcMs = from.lastUtcMs;
  account.fundedTimeMs = from.fundedTimeMs;
  for (const enrolment of account.enrolments) enrolmentRows.giveBack(enrolment);
  account.enrolments = [];
  const left = new Map(account.trackers.map((tracker) => [tracker.id, tracker]));
  account.trackers = from.trackers.map((tracker) => {
    const own = left.get(tracker.id);
    if (!own) return tracker.copyTo(trackerRows.take());
    left.delete(tracker.id);
    copyNumbers(tracker, own, TRACKER_NUMBERS);
    return own;
  });
  for (const tracker of left.values()) trackerRows.giveBack(tracker);
  for (const enrolment of from.enrolments) joinEnrolment(account, enrolment);
  account.forgetQuietBand();
}
