import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { judgeDealRules } from '../programs/fold-deal-rules.ts';
import { judgeEnrolments, nextEndOf } from '../programs/fold-enrolment.ts';
import { copyAccount } from './copy-account.ts';
import type { Reading } from './deal-placement.ts';
import { judgeClock } from './feed-clock.ts';
import { noteReceipt } from './feed-silence.ts';
import { foldAgain, trimWindow } from './fold-again.ts';
import { foldDeals, MAX_AHEAD_MS } from './fold-deals.ts';
import { FoldEffects } from './fold-effects.ts';
import { foldHour, foldLateHour } from './fold-hour.ts';
import { foldLateMinute, foldMinute } from './fold-minute.ts';
import { foldReading, placeReading } from './fold-reading.ts';
import { type PlacedReading, trackLateReading } from './fold-tracker.ts';
import { FoldWindow } from './fold-window.ts';
import type { AccountWindow, LiveAccount } from './live-account.ts';
import type { FoldOutcome, LiveDeal } from './live-records.ts';
import { isByRules, publish, publishEnd } from './publish-findings.ts';
import { findQuietBand, isQuiet } from './quiet-band.ts';
import { noteSettling } from './settle-breaches.ts';

/** Several snapshots of one moment are told apart from repeated ones up to this many. */
const MAX_OF_MOMENT = 32;

/**
 * Folds one snapshot and the deals that came with it. Snapshots come in order of receipt. Each deal
 * id must be folded only once: the caller leaves out deals folded before. `receivedUtcMs` is kept
 * in the journal, so that a replay decides the same. Mutates the account and adds to `effects`; on
 * `too-far-ahead` nothing is folded, not even the deals.
 */
export function foldSnapshot(
  account: LiveAccount,
  timeMs: BrokerTimeMs,
  balance: Money,
  equity: Money,
  deals: readonly LiveDeal[],
  receivedUtcMs: number,
  effects: FoldEffects,
): FoldOutcome {
  const lastUtcMs = account.lastUtcMs;
  const utcMs = account.clock.utcOf(timeMs, lastUtcMs);
  if (utcMs > receivedUtcMs + MAX_AHEAD_MS) return 'too-far-ahead';
  if (!(receivedUtcMs <= account.receivedUtcMs)) account.receivedUtcMs = receivedUtcMs;
  if (deals.length > 0) foldDeals(account, deals, receivedUtcMs, effects);
  judgeDealRules(account, timeMs, effects);
  if (utcMs < lastUtcMs) {
    const late = { timeMs, utcMs, balance, equity, receivedUtcMs };
    foldLateHour(account, timeMs, balance, equity, effects);
    foldLateMinute(account, late, effects);
    foldLateReading(account, late, effects);
    return 'late';
  }
  noteReceipt(account, timeMs, receivedUtcMs, effects);
  if (utcMs === lastUtcMs && isKnownOfMoment(account, balance, equity)) return 'duplicate';
  if (utcMs === lastUtcMs || account.ofMoment) noteMoment(account, utcMs);
  foldHour(account, timeMs, utcMs, balance, equity, effects);
  foldMinute(account, timeMs, utcMs, balance, equity, effects);
  // A clock that stands still while the market is closed is not off.
  if (utcMs !== lastUtcMs) judgeClock(account, timeMs, utcMs, receivedUtcMs, effects);
  if (utcMs === lastUtcMs || !isStill(account, utcMs, balance, equity)) {
    foldNewest(account, { timeMs, utcMs, balance, equity, receivedUtcMs }, effects);
    return 'accepted';
  }
  account.equity = equity;
  account.lastTimeMs = timeMs;
  account.lastUtcMs = utcMs;
  if (account.enrolments.length > 0) judgeEnrolments(account, { timeMs, utcMs }, true, effects);
  return 'accepted';
}

/** Whether a snapshot newer than the last can change nothing but the newest figures. */
function isStill(account: LiveAccount, utcMs: number, balance: Money, equity: Money): boolean {
  const { window, enrolments } = account;
  return (
    isQuiet(account, utcMs, balance, equity) &&
    balance === account.balance &&
    account.waitingDeals.length === 0 &&
    (window === undefined || window.isQuiet(utcMs, equity)) &&
    (enrolments.length === 0 || utcMs < nextEndOf(account))
  );
}

/** Folds a reading that is the account's newest and may matter. */
function foldNewest(account: LiveAccount, reading: Reading, effects: FoldEffects): void {
  const { utcMs } = reading;
  const crosses = crossesEnd(account, utcMs);
  const placed = placeReading(account, reading);
  const isFirst = Number.isNaN(account.lastUtcMs);
  if (!account.window && (isFirst || crosses || placed.unexplained !== 0 || mayWait(account))) {
    account.window = new FoldWindow(copyAccount(account, account.rows));
  }
  const { window } = account;
  if (window) foldInWindow(account, window, placed, crosses || isFirst, effects);
  else foldReading(account, placed, effects);
  noteSettling(account);
  findQuietBand(account);
  if (window?.isSettled(account)) account.dropWindow();
}

function foldInWindow(
  account: LiveAccount,
  window: AccountWindow,
  placed: PlacedReading,
  crosses: boolean,
  effects: FoldEffects,
): void {
  const { waiting, included, unexplained, ...reading } = placed;
  const isMoved = reading.balance !== account.balance;
  window.logNewest(account);
  window.append(reading, crosses || isMoved);
  if (crosses || isMoved) window.stayOpen(reading.utcMs);
  // Deals may be on the other side of the reading before, now that this one is known.
  const mayBePlacedAnew = unexplained !== 0 && window.deals.length > 0;
  if (mayBePlacedAnew || account.receivedUtcMs >= account.settleDueUtcMs) {
    foldAgain(account, window, effects);
  } else {
    window.note(account, placed);
    const found = new FoldEffects();
    foldReading(account, placed, found);
    effects.completedPeriods.push(...found.completedPeriods);
    for (const event of found.events) publish(window, event, reading.utcMs, effects);
    for (const change of found.transitions) {
      if (isByRules(change)) publishEnd(window, change, effects);
      else effects.transitions.push(change);
    }
  }
  trimWindow(account, window);
}

/** Folds a reading older than the newest: in its place, if the log reaches back to it. */
function foldLateReading(account: LiveAccount, late: Reading, effects: FoldEffects): void {
  const { window, trackers } = account;
  if (window && !(late.utcMs <= window.base.lastUtcMs)) {
    window.logNewest(account);
    if (!window.insert(late)) return;
    foldAgain(account, window, effects);
    trimWindow(account, window);
  } else {
    for (const tracker of trackers) trackLateReading(account, tracker, late, effects);
    if (account.enrolments.length > 0) judgeEnrolments(account, late, false, effects);
  }
  noteSettling(account);
  findQuietBand(account);
}

const crossesEnd = ({ trackers }: LiveAccount, utcMs: number): boolean =>
  trackers.some(
    ({ periodEndUtcMs, nextDayUtcMs }) => utcMs >= periodEndUtcMs || utcMs >= nextDayUtcMs,
  );

/** Whether a breach at the next reading might have to wait for an explanation. */
const mayWait = ({ trackers }: LiveAccount): boolean =>
  trackers.some(({ rule, unexplained }) => rule.settleMs > 0 && unexplained !== 0);

/** Whether a snapshot of the newest moment is a repeated one. */
function isKnownOfMoment(account: LiveAccount, balance: Money, equity: Money): boolean {
  if (balance === account.balance && equity === account.equity) return true;
  const others = account.ofMoment ?? [];
  for (let index = 0; index < others.length; index += 2) {
    if (others[index] === balance && others[index + 1] === equity) return true;
  }
  return false;
}

function noteMoment(account: LiveAccount, utcMs: number): void {
  if (utcMs > account.lastUtcMs) account.ofMoment = undefined;
  else if (utcMs === account.lastUtcMs) {
    const others = (account.ofMoment ?? []).concat(account.balance, account.equity);
    account.ofMoment = others.slice(-2 * MAX_OF_MOMENT);
  }
}
