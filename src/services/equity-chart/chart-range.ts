import { type BrokerTimeMs, DAY_MS, startOfHour, startOfMinute } from '../../domain/broker-time.ts';
import { MINUTES_SHOWN_MS } from '../../domain/live/fold-minute.ts';
import { readBrokerTimes } from '../broker-times.ts';
import { invalidParameter } from '../errors.ts';

const UNITS = {
  hour: { startOf: startOfHour, defaultMs: 30 * DAY_MS },
  minute: { startOf: startOfMinute, defaultMs: MINUTES_SHOWN_MS },
};

export type ChartRange = { startTime?: string | undefined; endTime?: string | undefined };

/** What begins in [start, end): from the hour or minute of startTime. */
export type HourRange = { startMs: BrokerTimeMs; endMs: BrokerTimeMs };

/**
 * By default the last 30 days, of minutes the last 48 hours. Throws `validation` for times that do
 * not exist and for a range that ends before it starts.
 */
export function rangeOf(
  { startTime, endTime }: ChartRange,
  nowMs: BrokerTimeMs,
  unit: keyof typeof UNITS = 'hour',
): HourRange {
  const { startOf, defaultMs } = UNITS[unit];
  const given = readBrokerTimes({
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
  } as Record<'startTime' | 'endTime', string>) as { startTime?: number; endTime?: number };
  // Snapshots may be a day ahead of the server's clock, and so may their hours.
  const endMs = given.endTime ?? Math.max(nowMs, given.startTime ?? nowMs) + 2 * DAY_MS;
  const startMs = given.startTime ?? Math.min(given.endTime ?? nowMs, nowMs) - defaultMs;
  if (startMs > endMs) throw invalidParameter('startTime', 'must not be after endTime');
  return { startMs: startOf(startMs), endMs };
}
