import type { EquityChartItem } from '../../../../src/contract/operations/equity-chart.ts';
import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';
import { brokerTimeMs } from '../../lib/format.ts';

export const CHART_HEIGHT = 'max(26rem, 44dvh)';
export type Range = 'day' | 'week' | 'month' | 'all';

/** A moment of the chart. Times of axes are seconds of the broker's wall clock, as if it were UTC. */
export type ChartPoint = {
  timeSeconds: number;
  brokerTime: string;
  balance: number;
  equity?: number;
  low?: number;
  high?: number;
  /** Fraction that the equity, or else the balance, is below its highest so far in the chart. */
  belowPeak: number;
};

export function pointsOfHours(hours: readonly EquityChartItem[]): ChartPoint[] {
  let peak = 0;
  return hours.map((hour) => {
    peak = Math.max(peak, hour.maxEquity);
    return {
      timeSeconds: brokerTimeMs(hour.startBrokerTime) / 1000,
      brokerTime: hour.brokerTime ?? hour.startBrokerTime,
      balance: hour.balance ?? hour.lastBalance,
      equity: hour.equity ?? hour.lastEquity,
      low: hour.minEquity,
      high: hour.maxEquity,
      belowPeak: peak > 0 ? Math.max(0, 1 - hour.minEquity / peak) : 0,
    };
  });
}

export function pointsOfDays(days: AccountMetricsRecord['dailyGrowth']): ChartPoint[] {
  let peak = 0;
  return days.map(({ date, balance }) => {
    peak = Math.max(peak, balance);
    return {
      timeSeconds: brokerTimeMs(date) / 1000,
      brokerTime: `${date} 00:00:00.000`,
      balance,
      belowPeak: peak > 0 ? Math.max(0, 1 - balance / peak) : 0,
    };
  });
}
