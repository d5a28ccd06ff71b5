import type { EquityChartItem } from '../../contract/operations/equity-chart.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import type { EquityBucket, RunningBucket } from '../../domain/live/live-records.ts';
import { fromUnits } from '../../domain/money.ts';

/** Wire JSON of hours, joined by commas. */
export const jsonOfHours = (hours: readonly EquityBucket[], digits: number): string =>
  hours.map((hour) => JSON.stringify(presentHour(hour, digits))).join(',');

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
