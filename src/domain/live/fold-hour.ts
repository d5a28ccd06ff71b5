import { type BrokerTimeMs, HOUR_MS } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { MAX_HOLD_MS } from './enter-period.ts';
import { closedBucket } from './equity-bucket.ts';
import type { LiveAccount } from './live-account.ts';
import * as slot from './live-account.ts';
import type { FoldEffects } from './live-records.ts';

/*
 * The running hour. Values are a step function of UTC time: each snapshot holds until the next. Over
 * the edge of an hour it holds only if the next comes within MAX_HOLD_MS; then it fills the old hour
 * to its end and counts in the new one (average, minimum and maximum) from its start. Otherwise the
 * old hour ends with its last snapshot and the new one begins with its first. Start and last values
 * are always snapshots of the hour itself.
 */

/** Folds a snapshot that is not older than the account's last, which is still the one before it. */
export function foldHour(
  account: LiveAccount,
  timeMs: BrokerTimeMs,
  utcMs: number,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  const { numbers } = account;
  const hourStartMs = numbers[slot.HOUR_START_MS];
  // A wall clock that steps back, across the edge of an hour even, stays in the running hour.
  if (timeMs < hourStartMs + HOUR_MS) {
    holdLast(account, utcMs - numbers[slot.LAST_UTC_MS]);
  } else if (Number.isNaN(hourStartMs)) {
    startHour(account, Math.floor(timeMs / HOUR_MS) * HOUR_MS, balance, equity);
  } else {
    const nextStartMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    const lastUtcMs = numbers[slot.LAST_UTC_MS];
    const nextStartUtcMs = Math.max(lastUtcMs, utcMs - (timeMs - nextStartMs));
    const isHeld = utcMs - lastUtcMs <= MAX_HOLD_MS;
    if (isHeld) holdLast(account, nextStartUtcMs - lastUtcMs);
    effects.closedBuckets.push(closedBucket(account));
    startHour(account, nextStartMs, balance, equity);
    if (isHeld) {
      widenHour(account, numbers[slot.BALANCE], numbers[slot.EQUITY]);
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
  const runningStartMs = account.numbers[slot.HOUR_START_MS];
  const startTimeMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
  if (startTimeMs >= runningStartMs) widenHour(account, balance, equity);
  else {
    effects.lateBucketCorrections.push({ accountId: account.id, startTimeMs, balance, equity });
  }
}

function startHour(account: LiveAccount, startMs: BrokerTimeMs, balance: Money, equity: Money) {
  const { numbers } = account;
  numbers[slot.HOUR_START_MS] = startMs;
  numbers[slot.HOUR_DURATION_MS] = 0;
  numbers[slot.HOUR_BALANCE_SUM] = 0;
  numbers[slot.HOUR_EQUITY_SUM] = 0;
  numbers[slot.HOUR_START_BALANCE] = balance;
  numbers[slot.HOUR_START_EQUITY] = equity;
  numbers[slot.HOUR_MIN_BALANCE] = balance;
  numbers[slot.HOUR_MAX_BALANCE] = balance;
  numbers[slot.HOUR_MIN_EQUITY] = equity;
  numbers[slot.HOUR_MAX_EQUITY] = equity;
}

function holdLast({ numbers }: LiveAccount, durationMs: number): void {
  numbers[slot.HOUR_DURATION_MS] += durationMs;
  numbers[slot.HOUR_BALANCE_SUM] +=
    (numbers[slot.BALANCE] - numbers[slot.HOUR_START_BALANCE]) * durationMs;
  numbers[slot.HOUR_EQUITY_SUM] +=
    (numbers[slot.EQUITY] - numbers[slot.HOUR_START_EQUITY]) * durationMs;
}

function widenHour({ numbers }: LiveAccount, balance: Money, equity: Money): void {
  if (balance < numbers[slot.HOUR_MIN_BALANCE]) numbers[slot.HOUR_MIN_BALANCE] = balance;
  if (balance > numbers[slot.HOUR_MAX_BALANCE]) numbers[slot.HOUR_MAX_BALANCE] = balance;
  if (equity < numbers[slot.HOUR_MIN_EQUITY]) numbers[slot.HOUR_MIN_EQUITY] = equity;
  if (equity > numbers[slot.HOUR_MAX_EQUITY]) numbers[slot.HOUR_MAX_EQUITY] = equity;
}
