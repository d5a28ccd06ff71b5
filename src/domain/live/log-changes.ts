import type { LiveEnrolment } from '../programs/live-enrolment.ts';
import { joinEnrolment } from './copy-account.ts';
import type { LoggedChange } from './fold-window.ts';
import { LiveAccount } from './live-account.ts';
import type { LiveTracker } from './live-tracker.ts';

/*
 * Changes of what an account measures, recorded for its window: folding a log again applies them at
 * their places.
 */

/** Notes trackers and enrolments that have joined the account, as they are now. */
export function logJoined(
  account: LiveAccount,
  trackers: readonly LiveTracker[],
  enrolments: readonly LiveEnrolment[],
): void {
  if (!account.window) return;
  const carrier = new LiveAccount(account.id, account.clock);
  for (const tracker of trackers) carrier.attach(tracker.copyTo(carrier.rows.trackers.take()));
  for (const enrolment of enrolments) joinEnrolment(carrier, enrolment);
  logChange(account, { kind: 'joined', carrier });
}

/** Notes a change after the newest reading. */
export function logChange(
  account: LiveAccount,
  change: LoggedChange<LiveAccount> extends infer One
    ? One extends unknown
      ? Omit<One, 'at'>
      : never
    : never,
): void {
  const { window } = account;
  if (!window) return;
  window.logNewest(account);
  window.changes.push({ ...change, at: window.readings.length } as LoggedChange<LiveAccount>);
}

/** Leaves a tracker out when the account's past is folded again. */
export function forgetTracker({ window }: LiveAccount, trackerId: string): void {
  if (!window) return;
  for (const account of [window.base, ...carriersOf(window.changes)]) account.detach(trackerId);
  window.told = window.told.filter(({ event }) => event.trackerId !== trackerId);
}

/** Does the same for an enrolment and its trackers. */
export function forgetEnrolment(account: LiveAccount, { id, trackers }: LiveEnrolment): void {
  const { window } = account;
  if (!window) return;
  for (const of of [window.base, ...carriersOf(window.changes)]) {
    of.enrolments = of.enrolments.filter((enrolment) => enrolment.id !== id);
  }
  window.ended = window.ended.filter(({ enrolmentId }) => enrolmentId !== id);
  for (const tracker of trackers) forgetTracker(account, tracker.id);
}

const carriersOf = (changes: readonly LoggedChange<LiveAccount>[]): LiveAccount[] =>
  changes.flatMap((change) => (change.kind === 'joined' ? [change.carrier] : []));
