import { type BrokerTimeMs, brokerTimeAt, DAY_MS, HOUR_MS } from '../../domain/broker-time.ts';
import type { RunningBucket } from '../../domain/live/live-records.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import type { PageCache } from '../page-cache.ts';
import { closedHours, type HourRange, NO_HOURS } from './closed-hours.ts';
import { joined, jsonOfHours, jsonOfRunning } from './present-hours.ts';

const DEFAULT_RANGE_MS = 30 * DAY_MS;

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
 * is there only with realTime, with the figures of this moment.
 */
export async function readEquityChart(
  context: Context & { live: LiveReader; pages: PageCache },
  principal: Principal,
  accountId: string,
  query: ChartQuery,
): Promise<Buffer[]> {
  const account = await accessAccount(context, principal, accountId);
  const nowMs = brokerTimeAt(context.now(), account.brokerClock);
  const { startMs, endMs } = rangeOf(query, nowMs);
  const newest = await context.live.read(account.number, query.realTime, (view) => ({
    running: view.runningHour(),
    ...view.pendingHours(),
    hoursVersion: view.hoursVersion,
  }));
  const { running } = newest ?? NO_HOURS;
  const range = { startMs, endMs };
  const closed = await closedHours(context, account, newest ?? NO_HOURS, range);
  const shown = {
    ...range,
    nowMs,
    digits: moneyDigits(account.currency),
    realTime: query.realTime,
  };
  const last = running && !closed.hasRunning ? runningPart(running, shown) : '';
  return [OPEN, ...joined([...closed.parts, Buffer.from(last)]), CLOSE];
}

/** The running hour where it belongs in the answer, else ''. */
function runningPart(
  running: RunningBucket,
  {
    startMs,
    endMs,
    nowMs,
    digits,
    realTime,
  }: HourRange & { nowMs: BrokerTimeMs; digits: number; realTime: boolean },
): string {
  const { startTimeMs } = running;
  if (startTimeMs < startMs || startTimeMs >= endMs) return '';
  if (realTime) return jsonOfRunning(running, digits);
  return startTimeMs + HOUR_MS <= nowMs ? jsonOfHours([running], digits) : '';
}

function rangeOf({ startTime, endTime }: ChartQuery, nowMs: BrokerTimeMs): HourRange {
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
