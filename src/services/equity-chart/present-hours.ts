import type { EquityChartItem } from '../../contract/operations/equity-chart.ts';
import { type BrokerTimeMs, formatBrokerTime } from '../../domain/broker-time.ts';
import type { EquityBucket, EquityMinute, RunningBucket } from '../../domain/live/live-records.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import { fromUnits } from '../../domain/money.ts';
import { HOURS_PER_READ } from './account-hours.ts';

type Hour = Omit<EquityBucket, 'accountId'>;

/** The API's JSON of hours, joined by commas. */
export const jsonOfHours = (hours: readonly Hour[], digits: number): string =>
  hours.map((hour) => JSON.stringify(presentHour(hour, digits))).join(',');

export const jsonOfMinutes = (minutes: readonly EquityMinute[], digits: number): string =>
  minutes.map((minute) => JSON.stringify(presentMinute(minute, digits))).join(',');

/** The same in consecutive parts, with other work in between. */
export async function jsonParts<T>(
  items: readonly T[],
  digits: number,
  jsonOf: (items: readonly T[], digits: number) => string,
): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for (let from = 0; from < items.length; from += HOURS_PER_READ) {
    if (from > 0) await nextTurn();
    parts.push(Buffer.from(jsonOf(items.slice(from, from + HOURS_PER_READ), digits)));
  }
  return parts;
}

const COMMA = Buffer.from(',');

/** The non-empty parts of JSON, with commas between them. */
export const joined = (parts: readonly Buffer[]): Buffer[] =>
  parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? [part] : [COMMA, part]));

const HOUR_HEAD = '{"startBrokerTime":"';

/** The part of ordered hours' JSON that begins at or after a time; may be empty. */
export function jsonFrom(hours: Buffer, startMs: BrokerTimeMs): Buffer {
  const start = formatBrokerTime(startMs);
  let at = 0;
  while (at >= 0) {
    const timeAt = at + HOUR_HEAD.length;
    if (hours.toString('latin1', timeAt, timeAt + start.length) >= start) return hours.subarray(at);
    at = hours.indexOf(HOUR_HEAD, timeAt);
  }
  return hours.subarray(hours.length);
}

/** JSON of the running hour, as of its newest snapshot. */
export const jsonOfRunning = (hour: RunningBucket, digits: number): string =>
  JSON.stringify({
    ...presentHour(hour, digits),
    brokerTime: formatBrokerTime(hour.timeMs),
    duration: hour.durationMs,
    balanceSum: fromUnits(hour.balanceSum, digits),
    equitySum: fromUnits(hour.equitySum, digits),
    balance: fromUnits(hour.lastBalance, digits),
    equity: fromUnits(hour.lastEquity, digits),
  } satisfies EquityChartItem);

function presentHour(hour: Hour, digits: number): EquityChartItem {
  const startBrokerTime = formatBrokerTime(hour.startTimeMs);
  return {
    startBrokerTime,
    endBrokerTime: `${startBrokerTime.slice(0, 'yyyy-mm-dd hh'.length)}:59:59.999`,
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

function presentMinute(minute: EquityMinute, digits: number): EquityChartItem {
  const brokerTime = formatBrokerTime(minute.lastTimeMs);
  const start = brokerTime.slice(0, 'yyyy-mm-dd hh:mm'.length);
  return {
    startBrokerTime: `${start}:00.000`,
    endBrokerTime: `${start}:59.999`,
    brokerTime,
    minBalance: fromUnits(minute.minBalance, digits),
    maxBalance: fromUnits(minute.maxBalance, digits),
    minEquity: fromUnits(minute.minEquity, digits),
    maxEquity: fromUnits(minute.maxEquity, digits),
    lastBalance: fromUnits(minute.lastBalance, digits),
    lastEquity: fromUnits(minute.lastEquity, digits),
  };
}
