import type { Money } from '../money.ts';
import type { LiveAccount } from './live-account.ts';
import type { EquityBucket, LateBucketCorrection, RunningBucket } from './live-records.ts';

/** The running hour up to the newest snapshot; undefined before the first. */
export function runningBucket(account: LiveAccount): RunningBucket | undefined {
  if (Number.isNaN(account.hourStartMs)) return undefined;
  const durationMs = account.hourDurationMs;
  return {
    ...closedBucket(account),
    timeMs: account.lastTimeMs,
    durationMs,
    balanceSum: account.hourBalanceSum + account.hourStartBalance * durationMs,
    equitySum: account.hourEquitySum + account.hourStartEquity * durationMs,
  };
}

/** The account's hour as it stands, with the newest snapshot as its last. */
export function closedBucket(account: LiveAccount): EquityBucket {
  const durationMs = account.hourDurationMs;
  const lastBalance = account.balance;
  const lastEquity = account.equity;
  const startBalance = account.hourStartBalance;
  const startEquity = account.hourStartEquity;
  return {
    accountId: account.id,
    startTimeMs: account.hourStartMs,
    averageBalance: average(startBalance, account.hourBalanceSum, durationMs, lastBalance),
    minBalance: account.hourMinBalance,
    maxBalance: account.hourMaxBalance,
    averageEquity: average(startEquity, account.hourEquitySum, durationMs, lastEquity),
    minEquity: account.hourMinEquity,
    maxEquity: account.hourMaxEquity,
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
