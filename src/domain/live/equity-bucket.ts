import type { Money } from '../money.ts';
import type { LiveAccount } from './live-account.ts';
import * as slot from './live-account.ts';
import type { EquityBucket, LateBucketCorrection, RunningBucket } from './live-records.ts';

/** The running hour up to the newest snapshot; undefined before the first. */
export function runningBucket(account: LiveAccount): RunningBucket | undefined {
  const { numbers } = account;
  if (Number.isNaN(numbers[slot.HOUR_START_MS])) return undefined;
  const durationMs = numbers[slot.HOUR_DURATION_MS];
  return {
    ...closedBucket(account),
    timeMs: numbers[slot.LAST_TIME_MS],
    durationMs,
    balanceSum: numbers[slot.HOUR_BALANCE_SUM] + numbers[slot.HOUR_START_BALANCE] * durationMs,
    equitySum: numbers[slot.HOUR_EQUITY_SUM] + numbers[slot.HOUR_START_EQUITY] * durationMs,
  };
}

/** The account's hour as it stands, with the newest snapshot as its last. */
export function closedBucket({ id, numbers }: LiveAccount): EquityBucket {
  const durationMs = numbers[slot.HOUR_DURATION_MS];
  const lastBalance = numbers[slot.BALANCE];
  const lastEquity = numbers[slot.EQUITY];
  const startBalance = numbers[slot.HOUR_START_BALANCE];
  const startEquity = numbers[slot.HOUR_START_EQUITY];
  return {
    accountId: id,
    startTimeMs: numbers[slot.HOUR_START_MS],
    averageBalance: average(startBalance, numbers[slot.HOUR_BALANCE_SUM], durationMs, lastBalance),
    minBalance: numbers[slot.HOUR_MIN_BALANCE],
    maxBalance: numbers[slot.HOUR_MAX_BALANCE],
    averageEquity: average(startEquity, numbers[slot.HOUR_EQUITY_SUM], durationMs, lastEquity),
    minEquity: numbers[slot.HOUR_MIN_EQUITY],
    maxEquity: numbers[slot.HOUR_MAX_EQUITY],
    startBalance,
    startEquity,
    lastBalance,
    lastEquity,
  };
}

/** The last value where no time passed; rounded to units, halves up. */
function average(start: Money, sum: number, durationMs: number, last: Money): Money {
  return durationMs === 0 ? last : start + Math.round(sum / durationMs);
}

/**
 * A stored hour with a late snapshot in it, which changes minimum and maximum only. An hour that was
 * empty begins with the late snapshot. Applying the same one again changes nothing.
 */
export function correctBucket(
  stored: EquityBucket | undefined,
  { accountId, startTimeMs, balance, equity }: LateBucketCorrection,
): EquityBucket {
  if (stored) {
    return {
      ...stored,
      minBalance: Math.min(stored.minBalance, balance),
      maxBalance: Math.max(stored.maxBalance, balance),
      minEquity: Math.min(stored.minEquity, equity),
      maxEquity: Math.max(stored.maxEquity, equity),
    };
  }
  return {
    accountId,
    startTimeMs,
    averageBalance: balance,
    minBalance: balance,
    maxBalance: balance,
    averageEquity: equity,
    minEquity: equity,
    maxEquity: equity,
    startBalance: balance,
    startEquity: equity,
    lastBalance: balance,
    lastEquity: equity,
  };
}
