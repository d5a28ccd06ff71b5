import type { EquityChartItem } from '../../contract/operations/equity-chart.ts';
import { type BrokerTimeMs, DAY_MS, formatBrokerTime, HOUR_MS } from '../../domain/broker-time.ts';
import type { EquityBucket, RunningBucket } from '../../domain/live/live-records.ts';
import { fromUnits } from '../../domain/money.ts';

/** Wire JSON of hours, joined by commas. */
export const jsonOfHours = (hours: readonly EquityBucket[], digits: number): string =>
  hours.map((hour) => JSON.stringify(presentHour(hour, digits))).join(',');

/** Of the wire JSON of a day's hours those that begin at or after a time in it; may be empty. */
export function jsonFrom(day: Buffer, startMs: BrokerTimeMs): Buffer {
  const endMs = Math.ceil(startMs / DAY_MS) * DAY_MS;
  for (let hourMs = startMs; hourMs < endMs; hourMs += HOUR_MS) {
    const found = day.indexOf(`{"startBrokerTime":"${formatBrokerTime(hourMs)}"`);
    if (found >= 0) return day.subarray(found);
  }
  return day.subarray(day.length);
}

/** Wire JSON of the hour that still runs, as of its newest snapshot. */
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

function presentHour(hour: EquityBucket, digits: number): EquityChartItem {
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
