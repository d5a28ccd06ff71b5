import type { DrawdownRecord } from '../../../src/contract/operations/drawdown.ts';
import type { EquityChartItem } from '../../../src/contract/operations/equity-chart.ts';
import type { AccountMetricsRecord } from '../../../src/contract/operations/metrics.ts';
import { brokerTimeMs } from '../lib/format.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/**
 * If no snapshot came for longer than this, values in between are unknown, and no line is drawn.
 */
const BREAK_SECONDS = 6 * HOUR_SECONDS;

/**
 * A moment of the chart. Times of axes are seconds of the broker's wall clock, as if it were UTC.
 */
export type ChartPoint = {
  /** The time of the values: the end of an hour or day; for the running hour its newest moment. */
  timeSeconds: number;
  /** The hour or day in words. */
  when: string;
  balance: number;
  equity?: number;
  low?: number;
  high?: number;
  /** Fraction below the highest point of the time-weighted index; undefined while not known. */
  below?: number | undefined;
};

/** The drawdown of each hour comes from the server, as in the card and the table. */
export function pointsOfHours(
  hours: readonly EquityChartItem[],
  drawdown: Pick<DrawdownRecord, 'points'> | undefined,
): ChartPoint[] {
  const below = new Map(drawdown?.points.map((point) => [point.startBrokerTime, point.below]));
  return hours.map((hour) => {
    const { startBrokerTime, brokerTime } = hour;
    return {
      timeSeconds:
        brokerTime === undefined
          ? brokerTimeMs(startBrokerTime) / 1000 + HOUR_SECONDS
          : brokerTimeMs(brokerTime) / 1000,
      when:
        brokerTime === undefined
          ? `${startBrokerTime.slice(0, 16)} to ${startBrokerTime.slice(11, 13)}:59`
          : brokerTime.slice(0, 19),
      balance: hour.balance ?? hour.lastBalance,
      equity: hour.equity ?? hour.lastEquity,
      low: hour.minEquity,
      high: hour.maxEquity,
      below: below.get(startBrokerTime),
    };
  });
}

export const pointsOfDays = (days: AccountMetricsRecord['dailyGrowth']): ChartPoint[] =>
  days.map(({ date, balance, belowPeak }) => ({
    timeSeconds: brokerTimeMs(date) / 1000 + DAY_SECONDS,
    when: date,
    balance,
    below: belowPeak === undefined ? undefined : belowPeak / 100,
  }));

/** Columns of a chart over real time; null where unknown. */
export type ChartColumns = {
  times: number[];
  balance: (number | null)[];
  equity: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
  below: (number | null)[];
  /** The point of each row; undefined in a break. */
  points: (ChartPoint | undefined)[];
};

export function columnsOf(points: readonly ChartPoint[]): ChartColumns {
  const columns: ChartColumns = {
    ...{ times: [], balance: [], equity: [], low: [], high: [], below: [], points: [] },
  };
  const add = (
    timeSeconds: number,
    point: ChartPoint | undefined,
    balance: number | null,
  ): void => {
    columns.times.push(timeSeconds);
    columns.balance.push(balance);
    columns.equity.push(point?.equity ?? null);
    columns.low.push(point?.low ?? null);
    columns.high.push(point?.high ?? null);
    columns.below.push(point?.below === undefined ? null : -point.below);
    columns.points.push(point);
  };
  let before: ChartPoint | undefined;
  for (const point of points) {
    const isBroken =
      before?.equity !== undefined && point.timeSeconds - before.timeSeconds > BREAK_SECONDS;
    // A balance holds until it is known to have changed.
    if (isBroken && before) add(before.timeSeconds + 1, undefined, before.balance);
    add(point.timeSeconds, point, point.balance);
    before = point;
  }
  return columns;
}
