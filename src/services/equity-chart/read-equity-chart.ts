import type { EquityChartItem } from '../../contract/operations/equity-chart.ts';
import {
  type BrokerTimeMs,
  brokerTimeAt,
  DAY_MS,
  formatBrokerTime,
  HOUR_MS,
} from '../../domain/broker-time.ts';
import { correctBucket, runningBucket } from '../../domain/live/equity-bucket.ts';
import type { EquityBucket, RunningBucket } from '../../domain/live/live-records.ts';
import { fromUnits, moneyDigits } from '../../domain/money.ts';
import type { AccountView } from '../../engine/partition.ts';
import { readBuckets } from '../../storage/bucket-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { type LiveParts, readLiveAccount } from './read-live-account.ts';

const DEFAULT_RANGE_MS = 30 * DAY_MS;
/** Hours of one answer: more than ten years. */
const MAX_HOURS = 100_000;

export type ChartQuery = {
  startTime?: string | undefined;
  endTime?: string | undefined;
  realTime: boolean;
};

/**
 * Hours of an account that begin in [the hour of startTime, endTime), by default the last 30 days.
 * The hour that still runs by the account's clock is there only with realTime, with the figures of
 * this moment where this process has them, else of the last checkpoint.
 */
export async function readEquityChart(
  context: Context & LiveParts,
  principal: Principal,
  accountId: string,
  query: ChartQuery,
): Promise<EquityChartItem[]> {
  const account = await accessAccount(context, principal, accountId);
  const nowMs = brokerTimeAt(context.now(), account.brokerClock);
  const { startMs, endMs } = rangeOf(query, nowMs);
  const live = await readLiveAccount(context, account, query.realTime);
  // Taken before the next read: an account in memory goes on changing.
  const running = live && runningBucket(live.account);
  const stored = await readBuckets(context.database, accountId, startMs, endMs, MAX_HOURS);
  const hours = mergeHours(stored, live).filter(
    ({ startTimeMs }) => startTimeMs >= startMs && startTimeMs < endMs,
  );
  const digits = moneyDigits(account.currency);
  const items = hours.map((hour) => presentBucket(hour, digits));
  if (!running || running.startTimeMs < startMs || running.startTimeMs >= endMs) return items;
  // Closed meanwhile: then the stored hour is the newer one.
  if (hours.some(({ startTimeMs }) => startTimeMs === running.startTimeMs)) return items;
  const hasEnded = running.startTimeMs + HOUR_MS <= nowMs;
  if (query.realTime) items.push(presentRunning(running, digits));
  else if (hasEnded) items.push(presentBucket(running, digits));
  return items;
}

/** Stored hours with those on their way to the database, in order. */
function mergeHours(stored: EquityBucket[], live: AccountView | undefined): EquityBucket[] {
  if (!live || live.buckets.length + live.corrections.length === 0) return stored;
  const hours = new Map(stored.map((hour) => [hour.startTimeMs, hour]));
  for (const hour of live.buckets) hours.set(hour.startTimeMs, hour);
  for (const correction of live.corrections) {
    const { startTimeMs } = correction;
    hours.set(startTimeMs, correctBucket(hours.get(startTimeMs), correction));
  }
  return [...hours.values()].sort((a, b) => a.startTimeMs - b.startTimeMs);
}

function rangeOf(
  { startTime, endTime }: ChartQuery,
  nowMs: BrokerTimeMs,
): { startMs: BrokerTimeMs; endMs: BrokerTimeMs } {
  const given = readBrokerTimes({
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
  } as Record<'startTime' | 'endTime', string>) as { startTime?: number; endTime?: number };
  // Snapshots may be a day ahead of our clock, and then their hours are too.
  const endMs = given.endTime ?? Math.max(nowMs, given.startTime ?? nowMs) + 2 * DAY_MS;
  const startMs = given.startTime ?? Math.min(given.endTime ?? nowMs, nowMs) - DEFAULT_RANGE_MS;
  if (startMs > endMs) throw invalidParameter('startTime', 'must not be after endTime');
  return { startMs: Math.floor(startMs / HOUR_MS) * HOUR_MS, endMs };
}

function presentBucket(hour: EquityBucket, digits: number): EquityChartItem {
  return {
    startBrokerTime: formatBrokerTime(hour.startTimeMs),
    endBrokerTime: formatBrokerTime(hour.startTimeMs + HOUR_MS - 1),
    averageBalance: fromUnits(hour.averageBalance, digits),
    minBalance: fromUnits(hour.minBalance, digits),
    maxBalance: fromUnits(hour.maxBalance, digits),
    averageEquity: fromUnits(hour.averageEquity, digits),
    minEquity: fromUnits(hour.minEquity, digits),
    maxEquity: fromUnits(hour.maxEquity, digits),
    startBalance: fromUnits(hour.startBalance, digits),
    startEquity: fromUnits(hour.startEquity, digits),
    lastBalance: fromUnits(hour.lastBalance, digits),
    lastEquity: fromUnits(hour.lastEquity, digits),
  };
}

const presentRunning = (hour: RunningBucket, digits: number): EquityChartItem => ({
  ...presentBucket(hour, digits),
  brokerTime: formatBrokerTime(hour.timeMs),
  duration: hour.durationMs,
  balanceSum: fromUnits(hour.balanceSum, digits),
  equitySum: fromUnits(hour.equitySum, digits),
  balance: fromUnits(hour.lastBalance, digits),
  equity: fromUnits(hour.lastEquity, digits),
});
