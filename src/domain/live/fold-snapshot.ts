import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { judgeEnrolments, passTime } from '../programs/fold-enrolment.ts';
import { countAhead, settleAhead } from './ahead-deals.ts';
import { endSilence } from './feed-silence.ts';
import { foldDeal, MAX_AHEAD_MS } from './fold-deals.ts';
import { foldHour, foldLateHour } from './fold-hour.ts';
import { trackLateSnapshot, trackSnapshot } from './fold-tracker.ts';
import type { LiveAccount } from './live-account.ts';
import type { FoldEffects, FoldOutcome, LiveDeal } from './live-records.ts';
import { findQuietBand, isQuiet } from './quiet-band.ts';

/**
 * Folds one snapshot and the deals that came with it. Its balance and equity already include their
 * money, so their adjustments are applied before the equity is measured. Snapshots come in order of
 * receipt. Each deal id must be folded only once: the caller leaves out deals folded before.
 * `receivedUtcMs` is kept in the journal, so that a replay decides the same. Mutates the account
 * and adds to `effects`; on `too-far-ahead` nothing is folded, not even the deals.
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
  if (deals.length > 0) foldDealsOf(account, deals, timeMs, utcMs, effects);
  const hasEnrolments = account.enrolments.length > 0;
  if (hasEnrolments) passTime(account, utcMs, effects);
  if (utcMs < lastUtcMs) {
    foldLateHour(account, timeMs, balance, equity, effects);
    show(account, trackLateSnapshot, timeMs, utcMs, balance, equity, effects);
    if (hasEnrolments) judgeEnrolments(account, { timeMs, utcMs }, false, effects);
    return 'late';
  }
  const isSameMoment = utcMs === lastUtcMs;
  if (isSameMoment && balance === account.balance && equity === account.equity) {
    return 'duplicate';
  }
  foldHour(account, timeMs, utcMs, balance, equity, effects);
  const isFunding = Number.isNaN(account.fundedTimeMs) && (balance > 0 || equity > 0);
  if (isFunding) account.fundedTimeMs = timeMs;
  if (!isSameMoment) settleAhead(account, utcMs, balance);
  // Several snapshots of one moment may be sent again together: they must then change nothing.
  if (isSameMoment && deals.length === 0) {
    show(account, trackLateSnapshot, timeMs, utcMs, balance, equity, effects);
  } else if (!isQuiet(account, utcMs, balance, equity)) {
    show(account, trackSnapshot, timeMs, utcMs, balance, equity, effects);
  }
  account.balance = balance;
  account.equity = equity;
  if (!isSameMoment) {
    endSilence(account, timeMs, utcMs, effects);
    account.lastTimeMs = timeMs;
    account.lastUtcMs = utcMs;
    countAhead(account);
    if (account.ahead.length > 0) account.forgetQuietBand();
  }
  if (hasEnrolments) judgeEnrolments(account, { timeMs, utcMs }, true, effects);
  return 'accepted';
}

/** Passes a snapshot to all trackers, through `track`. */
function show(
  account: LiveAccount,
  track: typeof trackSnapshot,
  timeMs: BrokerTimeMs,
  utcMs: number,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  const { trackers } = account;
  for (let index = 0; index < trackers.length; index += 1) {
    const tracker = trackers[index];
    if (tracker) track(account, tracker, timeMs, utcMs, balance, equity, effects);
  }
  findQuietBand(account);
}

/** The snapshot includes its deals, so none of them counts as newer than it. */
function foldDealsOf(
  account: LiveAccount,
  deals: readonly LiveDeal[],
  timeMs: BrokerTimeMs,
  utcMs: number,
  effects: FoldEffects,
): void {
  for (const deal of deals) {
    const dealUtcMs = account.clock.utcOf(deal.timeMs, account.lastUtcMs);
    if (dealUtcMs < utcMs) foldDeal(account, deal, deal.timeMs, dealUtcMs, effects);
    else foldDeal(account, deal, timeMs, utcMs, effects);
  }
}
