import type { BrokerTimeMs } from '../broker-time.ts';
import type { DealRules } from '../programs/deal-rules.ts';
import { holdFailed, pauseEnrolment, resumeEnrolment } from '../programs/enrolment-changes.ts';
import { countDeal } from '../programs/fold-enrolment.ts';
import { FAILED_BY_DEALS, FAILED_IN_DISPUTE } from '../programs/live-enrolment.ts';
import { adoptAccount, copyAccount, joinEnrolment } from './copy-account.ts';
import { CLOCK_SLACK_MS } from './deal-placement.ts';
import type { FoldEffects } from './fold-effects.ts';
import { foldReading, placeReading } from './fold-reading.ts';
import { trackLateDeal } from './fold-tracker.ts';
import { type LoggedChange, MAX_DEALS, MAX_READINGS } from './fold-window.ts';
import type { KnownDeal } from './known-deals.ts';
import type { AccountWindow, LiveAccount } from './live-account.ts';
import { Findings, publishFindings } from './publish-findings.ts';
import { isRunning } from './tracker-records.ts';

/** Readings that help to decide which deals the one before them includes. */
const LOOK_AHEAD = 8;

/**
 * Folds the log of an account's window again, and publishes what differs from what was published.
 */
export function foldAgain(account: LiveAccount, window: AccountWindow, effects: FoldEffects): void {
  window.logNewest(account);
  const now = copyAccount(window.base, account.rows);
  now.receivedUtcMs = account.receivedUtcMs;
  window.movements = [];
  const findings = foldLog(now, account, window, window.readings.length);
  applyChanges(now, window.changes, window.readings.length, findings.effects);
  adoptAccount(account, now);
  // Disputes of theirs are not in the log.
  for (const rules of account.dealRules) rules.dueTimeMs = Number.NaN;
  now.free();
  effects.completedPeriods.push(...findings.effects.completedPeriods);
  publishFindings(account, window, findings, effects);
}

/** Folds the oldest readings of a log onto the state before them, with what is known by now. */
function foldLog(
  onto: LiveAccount,
  account: LiveAccount,
  window: AccountWindow,
  count: number,
): Findings {
  onto.waitingDeals = window.deals;
  onto.knownStarts = knownStarts(account);
  onto.dealRules = openRules(account);
  const findings = new Findings(window);
  for (let index = 0; index < count; index += 1) foldLogged(onto, window, index, findings);
  return findings;
}

/** What has passed is not hindered afterwards by deals that come late. */
const openRules = ({ dealRules, enrolments }: LiveAccount): DealRules[] =>
  dealRules.filter(({ enrolmentId }) => enrolments.some(({ id }) => id === enrolmentId));

/**
 * A lifetime without a start begins with the first deal or reading. One that comes late may be
 * older; the period and its events keep the published start.
 */
function knownStarts({ trackers }: LiveAccount): Map<string, BrokerTimeMs> {
  const lifetimes = trackers.filter(
    (tracker) =>
      tracker.rule.period === 'lifetime' && Number.isNaN(tracker.startTimeMs) && isRunning(tracker),
  );
  return new Map(lifetimes.map(({ id, periodStartMs }) => [id, periodStartMs]));
}

/** Keeps the window within its bounds: the older half of a full log is folded finally. */
export function trimWindow(account: LiveAccount, window: AccountWindow): void {
  while (window.readings.length > MAX_READINGS || window.deals.length > MAX_DEALS) {
    if (window.readings.length <= 1) {
      dropOldestDeals(account, window);
      return;
    }
    settle(account, window, Math.ceil(window.readings.length / 2));
  }
}

function settle(account: LiveAccount, window: AccountWindow, count: number): void {
  const { base } = window;
  foldLog(base, account, window, count);
  base.knownStarts = undefined;
  base.dealRules = [];
  window.readings.splice(0, count);
  window.changes = window.changes.filter(({ at }) => at >= count);
  for (const change of window.changes) change.at -= count;
  window.deals = base.waitingDeals;
  window.movements = window.movements.filter(({ utcMs }) => utcMs > base.lastUtcMs);
  const isOpen = ({ utcMs }: { utcMs: number }): boolean => utcMs > base.lastUtcMs;
  for (const { event, isRevoked, revisions } of window.told.filter((told) => !isOpen(told))) {
    const tracker = base.trackers.find(({ id }) => id === event.trackerId);
    if (tracker?.periodStartMs !== event.startTimeMs) continue;
    tracker.round += isRevoked ? 1 : 0;
    tracker.revisionCount += revisions;
  }
  window.told = window.told.filter(isOpen);
  window.ended = window.ended.filter(({ enrolmentId }) =>
    base.enrolments.some(({ id }) => id === enrolmentId),
  );
}

/** Deals that never got a reading: the oldest count as included by the newest one. */
function dropOldestDeals(account: LiveAccount, window: AccountWindow): void {
  const dropped = window.deals.slice(0, -MAX_DEALS);
  window.deals = window.deals.slice(-MAX_DEALS);
  for (const deal of dropped) {
    countLate(window.base, deal);
    countLate(account, deal);
  }
  account.waitingDeals = account.waitingDeals.filter((deal) => !dropped.includes(deal));
}

/**
 * Counts a deal that came too late to be put in its place: by its time, it is in the newest
 * reading. Earlier measurements stay.
 */
export function countLate(account: LiveAccount, deal: KnownDeal): void {
  for (const tracker of account.trackers) trackLateDeal(account, tracker, deal, CLOCK_SLACK_MS);
  for (const enrolment of account.enrolments) countDeal(account, enrolment, deal);
}

function foldLogged(
  account: LiveAccount,
  window: AccountWindow,
  index: number,
  findings: Findings,
): void {
  const reading = window.readings[index];
  if (!reading) return;
  applyChanges(account, window.changes, index, findings.effects);
  forbidPassing(account, window);
  const isOpen = account.waitingDeals.length > 0;
  const after = isOpen ? window.readings.slice(index + 1, index + 1 + LOOK_AHEAD) : [];
  const placed = placeReading(account, reading, after);
  window.note(account, placed);
  foldReading(account, placed, findings.effects);
  findings.noteReading(reading);
}

/** A failed phase passes only once a person has reinstated it. */
function forbidPassing({ enrolments }: LiveAccount, { ended }: AccountWindow): void {
  for (const { enrolmentId, to } of ended) {
    const own = enrolments.find(({ id }) => id === enrolmentId);
    if (own && to === 'failed' && own.dispute !== FAILED_BY_DEALS) own.dispute = FAILED_IN_DISPUTE;
  }
}

function applyChanges(
  account: LiveAccount,
  changes: readonly LoggedChange<LiveAccount>[],
  at: number,
  effects: FoldEffects,
): void {
  for (const change of changes) if (change.at === at) applyChange(account, change, effects);
}

function applyChange(
  account: LiveAccount,
  change: LoggedChange<LiveAccount>,
  effects: FoldEffects,
): void {
  if (change.kind === 'joined') {
    for (const tracker of change.carrier.trackers) {
      account.attach(tracker.copyTo(account.rows.trackers.take()));
    }
    for (const enrolment of change.carrier.enrolments) joinEnrolment(account, enrolment);
    return;
  }
  const enrolment = account.enrolments.find(({ id }) => id === change.enrolmentId);
  if (!enrolment) return;
  if (change.kind === 'failed') {
    holdFailed(account, enrolment, change.utcMs);
    enrolment.transitionCount += 1;
    return;
  }
  const { kind, timeMs, utcMs, by } = change;
  const asked = { timeMs, utcMs, by };
  if (kind === 'paused') pauseEnrolment(account, enrolment, asked, effects);
  else resumeEnrolment(account, enrolment, asked, effects);
}
