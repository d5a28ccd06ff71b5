import { type BrokerTimeMs, HOUR_MS, startOfHour } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { closedBucket } from './equity-bucket.ts';
import type { FoldEffects } from './fold-effects.ts';
import { highPart, lowPart } from './hour-sum.ts';
import type { LiveAccount } from './live-account.ts';

/** The longest gap between two snapshots over which the first one's values hold into a new hour. */
const MAX_HOLD_MS = 600_000;

/*
 * The running hour. Values are a step function of UTC time: each snapshot holds until the next. It
 * holds into a new hour only if the next comes within MAX_HOLD_MS: then it fills the old hour to
 * its end and counts in the new one (average, minimum and maximum) from its start. Otherwise the
 * old hour ends with its last snapshot and the new one begins with its first. Start and last values
 * are always those of snapshots within the hour.
 */

/** Folds a snapshot not older than the account's last; `account` still holds that last one. */
export function foldHour(
  account: LiveAccount,
  timeMs: BrokerTimeMs,
  utcMs: number,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  const hourStartMs = account.hourStartMs;
  // If the wall clock steps back, even into an earlier hour, the running hour goes on.
  if (timeMs < hourStartMs + HOUR_MS) {
    holdLast(account, utcMs - account.lastUtcMs);
  } else if (Number.isNaN(hourStartMs)) {
    startHour(account, startOfHour(timeMs), balance, equity);
  } else {
    const nextStartMs = startOfHour(timeMs);
    const lastUtcMs = account.lastUtcMs;
    const nextStartUtcMs = Math.max(lastUtcMs, utcMs - (timeMs - nextStartMs));
    const isHeld = utcMs - lastUtcMs <= MAX_HOLD_MS;
    if (isHeld) holdLast(account, nextStartUtcMs - lastUtcMs);
    effects.closedBuckets.push(closedBucket(account));
    startHour(account, nextStartMs, balance, equity);
    if (isHeld) {
      widenHour(account, account.balance, account.equity);
      holdLast(account, utcMs - nextStartUtcMs);
    }
  }
  widenHour(account, balance, equity);
}

/** Folds a snapshot older than the account's last: it can only widen its hour. */
export function foldLateHour(
  account: LiveAccount,
  timeMs: BrokerTimeMs,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  const runningStartMs = account.hourStartMs;
  const startTimeMs = startOfHour(timeMs);
  if (startTimeMs >= runningStartMs) {
    const isExtreme = equity < account.hourMinEquity || equity > account.hourMaxEquity;
    if (isExtreme) account.hourHasLateExtremes = 1;
    widenHour(account, balance, equity);
  } else {
    effects.lateBucketCorrections.push({ accountId: account.id, startTimeMs, balance, equity });
  }
}

function startHour(account: LiveAccount, startMs: BrokerTimeMs, balance: Money, equity: Money) {
  account.hourStartMs = startMs;
  account.hourDurationMs = 0;
  account.hourBalanceSumHigh = 0;
  account.hourBalanceSumLow = 0;
  account.hourEquitySumHigh = 0;
  account.hourEquitySumLow = 0;
  account.hourStartBalance = balance;
  account.hourStartEquity = equity;
  account.hourMinBalance = balance;
  account.hourMaxBalance = balance;
  account.hourMinEquity = equity;
  account.hourMaxEquity = equity;
  account.hourHasLateExtremes = 0;
}

function holdLast(account: LiveAccount, durationMs: number): void {
  account.hourDurationMs += durationMs;
  const balanceAbove = account.balance - account.hourStartBalance;
  if (balanceAbove !== 0) {
    account.hourBalanceSumHigh += highPart(balanceAbove) * durationMs;
    account.hourBalanceSumLow += lowPart(balanceAbove) * durationMs;
  }
  const equityAbove = account.equity - account.hourStartEquity;
  if (equityAbove !== 0) {
    account.hourEquitySumHigh += highPart(equityAbove) * durationMs;
    account.hourEquitySumLow += lowPart(equityAbove) * durationMs;
  }
}

function widenHour(account: LiveAccount, balance: Money, equity: Money): void {
  if (balance < account.hourMinBalance) account.hourMinBalance = balance;
  if (balance > account.hourMaxBalance) account.hourMaxBalance = balance;
  if (equity < account.hourMinEquity) account.hourMinEquity = equity;
  if (equity > account.hourMaxEquity) account.hourMaxEquity = equity;
}
