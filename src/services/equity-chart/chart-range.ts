import { type BrokerTimeMs, DAY_MS, startOfHour } from '../../domain/broker-time.ts';
import { readBrokerTimes } from '../broker-times.ts';
import { invalidParameter } from '../errors.ts';

const DEFAULT_RANGE_MS = 30 * DAY_MS;

export type ChartRange = { startTime?: string | undefined; endTime?: string | undefined };

/** Hours that begin in [start, end): from the hour of startTime, by default the last 30 days. */
export type HourRange = { startMs: BrokerTimeMs; endMs: BrokerTimeMs };

/** Throws `validation` for times that do not exist and for a range that ends before it starts. */
export function rangeOf({ startTime, endTime }: ChartRange, nowMs: BrokerTimeMs): HourRange {
  const given = readBrokerTimes({
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
  } as Record<'startTime' | 'endTime', string>) as { startTime?: number; endTime?: number };
  // Snapshots may be a day ahead of the server's clock, and so may their hours.
  const endMs = given.endTime ?? Math.max(nowMs, given.startTime ?? nowMs) + 2 * DAY_MS;
  const startMs = given.startTime ?? Math.min(given.endTime ?? nowMs, nowMs) - DEFAULT_RANGE_MS;
  if (startMs > endMs) throw invalidParameter('startTime', 'must not be after endTime');
  return { startMs: startOfHour(startMs), endMs };
}
