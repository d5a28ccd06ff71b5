import { type BrokerTimeMs, brokerTimeAt, DAY_MS, HOUR_MS } from '../../domain/broker-time.ts';
import { correctBucket, runningBucket } from '../../domain/live/equity-bucket.ts';
import type { EquityBucket, RunningBucket } from '../../domain/live/live-records.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { AccountView } from '../../engine/partition.ts';
import { readBuckets, readVersionedBuckets } from '../../storage/bucket-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import type { PageCache } from '../page-cache.ts';
import { chartDays, MAX_DAYS } from './chart-days.ts';
import { joined, jsonFrom, jsonOfHours, jsonOfRunning } from './present-hours.ts';
import { type LiveParts, readLiveAccount } from './read-live-account.ts';

const DEFAULT_RANGE_MS = 30 * DAY_MS;
/** Hours of one answer: more than ten years. */
const MAX_HOURS = 100_000;

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

export type ChartQuery = {
  startTime?: string | undefined;
  endTime?: string | undefined;
  realTime: boolean;
};

/**
 * Hours of an account that begin in [the hour of startTime, endTime), by default the last 30 days, as
 * the answer's bytes in parts that follow each other. The hour that still runs by the account's clock
 * is there only with realTime, with the figures of this moment where this process has them, else of
 * the last checkpoint.
 */
export async function readEquityChart(
  context: Context & LiveParts & { pages: PageCache },
  principal: Principal,
  accountId: string,
  query: ChartQuery,
): Promise<Buffer[]> {
  const account = await accessAccount(context, principal, accountId);
  const nowMs = brokerTimeAt(context.now(), account.brokerClock);
  const { startMs, endMs } = rangeOf(query, nowMs);
  const live = await readLiveAccount(context, account, query.realTime);
  // Taken before the next read: an account in memory goes on changing.
  const running = live && runningBucket(live.account);
  const { fromMs, untilMs } = wholeDaysOf(startMs, endMs, running, live);
  const { database } = context;
  const end = await readVersionedBuckets(database, accountId, untilMs, endMs, MAX_HOURS);
  const days = await chartDays(context, account, end.version, fromMs, untilMs);
  const beginning =
    startMs < fromMs ? await readBuckets(database, accountId, startMs, fromMs, MAX_HOURS) : [];
  const hours = mergeHours(end.buckets, live).filter(
    ({ startTimeMs }) => startTimeMs >= untilMs && startTimeMs < endMs,
  );
  const digits = moneyDigits(account.currency);
  const parts = [
    Buffer.from(jsonOfHours(beginning, digits)),
    ...days.map((part, index) => (index === 0 ? jsonFrom(part, startMs) : part)),
    Buffer.from(jsonOfHours(hours, digits)),
    Buffer.from(
      runningPart(running, hours, { startMs, endMs, nowMs, digits, realTime: query.realTime }),
    ),
  ].filter((part) => part.length > 0);
  return [OPEN, ...joined(parts), CLOSE];
}

/** The running hour where it belongs in the answer, else ''. */
function runningPart(
  running: RunningBucket | undefined,
  hours: readonly EquityBucket[],
  shown: {
    startMs: BrokerTimeMs;
    endMs: BrokerTimeMs;
    nowMs: BrokerTimeMs;
    digits: number;
    realTime: boolean;
  },
): string {
  if (!running) return '';
  const { startTimeMs } = running;
  if (startTimeMs < shown.startMs || startTimeMs >= shown.endMs) return '';
  // Closed meanwhile: then the stored hour is the newer one.
  if (hours.some((hour) => hour.startTimeMs === startTimeMs)) return '';
  if (shown.realTime) return jsonOfRunning(running, shown.digits);
  return startTimeMs + HOUR_MS <= shown.nowMs ? jsonOfHours([running], shown.digits) : '';
}

/**
 * The days of a range that are over, the first one whole even if the range begins within it: those
 * before the running hour and before all that is on its way to the database. Without any, both ends are
 * the range's start.
 */
function wholeDaysOf(
  startMs: BrokerTimeMs,
  endMs: BrokerTimeMs,
  running: RunningBucket | undefined,
  live: AccountView | undefined,
): { fromMs: BrokerTimeMs; untilMs: BrokerTimeMs } {
  const none = { fromMs: startMs, untilMs: startMs };
  if (!running) return none;
  const pending = [...(live?.buckets ?? []), ...(live?.corrections ?? [])];
  const changing = pending.map(({ startTimeMs }) => startTimeMs);
  const settledMs = Math.min(running.startTimeMs, endMs, ...changing);
  const untilMs = Math.floor(settledMs / DAY_MS) * DAY_MS;
  const fromMs = Math.max(Math.floor(startMs / DAY_MS) * DAY_MS, untilMs - MAX_DAYS * DAY_MS);
  return fromMs < untilMs ? { fromMs, untilMs } : none;
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
