import { averageAbove, sumOf } from './hour-sum.ts';
import type { LiveAccount } from './live-account.ts';
import type {
  EquityBucket,
  EquityHour,
  FreshHours,
  LateBucketCorrection,
  RunningBucket,
} from './live-records.ts';

/** The running hour up to the newest snapshot; undefined before the first. */
export function runningBucket(account: LiveAccount): RunningBucket | undefined {
  if (Number.isNaN(account.hourStartMs)) return undefined;
  const durationMs = account.hourDurationMs;
  const balanceAbove = sumOf(account.hourBalanceSumHigh, account.hourBalanceSumLow);
  const equityAbove = sumOf(account.hourEquitySumHigh, account.hourEquitySumLow);
  return {
    ...closedBucket(account),
    timeMs: account.lastTimeMs,
    durationMs,
    balanceSum: balanceAbove + account.hourStartBalance * durationMs,
    equitySum: equityAbove + account.hourStartEquity * durationMs,
  };
}

/** The account's hour as it stands, with the newest snapshot as its last. */
export function closedBucket(account: LiveAccount): EquityBucket {
  const durationMs = account.hourDurationMs;
  const lastBalance = account.balance;
  const lastEquity = account.equity;
  const startBalance = account.hourStartBalance;
  const startEquity = account.hourStartEquity;
  const { hourBalanceSumHigh, hourBalanceSumLow } = account;
  const { hourEquitySumHigh, hourEquitySumLow } = account;
  const balanceAbove = averageAbove(hourBalanceSumHigh, hourBalanceSumLow, durationMs);
  const equityAbove = averageAbove(hourEquitySumHigh, hourEquitySumLow, durationMs);
  // If no time passed, the last value counts.
  return {
    accountId: account.id,
    startTimeMs: account.hourStartMs,
    averageBalance: durationMs === 0 ? lastBalance : startBalance + balanceAbove,
    minBalance: account.hourMinBalance,
    maxBalance: account.hourMaxBalance,
    averageEquity: durationMs === 0 ? lastEquity : startEquity + equityAbove,
    minEquity: account.hourMinEquity,
    maxEquity: account.hourMaxEquity,
    startBalance,
    startEquity,
    lastBalance,
    lastEquity,
    hasLateExtremes: account.hourHasLateExtremes === 1,
  };
}

/**
 * A stored hour with a late snapshot added, which changes minimum and maximum only. An empty hour
 * begins with the late snapshot. Applying the same one again changes nothing.
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
      hasLateExtremes:
        stored.hasLateExtremes || equity < stored.minEquity || equity > stored.maxEquity,
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
    hasLateExtremes: false,
  };
}

/** Stored hours merged with fresher ones, in order. */
export function mergeHours(stored: readonly EquityHour[], fresh: FreshHours): EquityHour[] {
  const { hours: newer, corrections } = fresh;
  if (newer.length + corrections.length === 0) return [...stored];
  const hours = new Map(stored.map((hour) => [hour.startTimeMs, hour]));
  for (const { accountId: _, ...hour } of newer) hours.set(hour.startTimeMs, hour);
  for (const correction of corrections) {
    const { accountId, startTimeMs } = correction;
    const hour = hours.get(startTimeMs);
    const { accountId: _, ...corrected } = correctBucket(
      hour && { ...hour, accountId },
      correction,
    );
    hours.set(startTimeMs, corrected);
  }
  return [...hours.values()].sort((a, b) => a.startTimeMs - b.startTimeMs);
}
