import type { DrawdownRecord } from '../../../src/contract/operations/drawdown.ts';
import type { EquityChartItem } from '../../../src/contract/operations/equity-chart.ts';
import type { AccountMetricsRecord } from '../../../src/contract/operations/metrics.ts';
import { brokerTimeMs } from '../lib/format.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/**
 * If no snapshot came for longer than this, values in between are unknown, and no line is drawn.
 */
const BREAK_SECONDS = { hour: 6 * HOUR_SECONDS, minute: 600 };

/**
 * A moment of the chart. Times of axes are seconds of the broker's wall clock, as if it were UTC.
 */
export type ChartPoint = {
  /** Of the values: the end of an hour or day; of a minute or the running hour the last moment. */
  timeSeconds: number;
  /** The hour or day in words. */
  when: string;
  balance: number;
  equity?: number;
  low?: number;
  high?: number;
  /** Fraction below the highest point of the time-weighted index; undefined while not known. */
  below?: number | undefined;
  /** A line goes on to the next point, if that is no later than this. */
  holdsSeconds?: number;
};

/** The drawdown of each hour comes from the server, as in the card and the table. */
export function pointsOf(
  items: readonly EquityChartItem[],
  drawdown: Pick<DrawdownRecord, 'points'> | undefined,
  unit: keyof typeof BREAK_SECONDS,
): ChartPoint[] {
  const below = new Map(drawdown?.points.map((point) => [hourOf(point), point.below]));
  return items.map((item) => {
    const { startBrokerTime, brokerTime } = item;
    return {
      timeSeconds:
        brokerTime === undefined
          ? brokerTimeMs(startBrokerTime) / 1000 + HOUR_SECONDS
          : brokerTimeMs(brokerTime) / 1000,
      when:
        brokerTime === undefined
          ? `${startBrokerTime.slice(0, 16)} to ${startBrokerTime.slice(11, 13)}:59`
          : brokerTime.slice(0, 19),
      balance: item.balance ?? item.lastBalance,
      equity: item.equity ?? item.lastEquity,
      low: item.minEquity,
      high: item.maxEquity,
      below: below.get(hourOf(item)),
      holdsSeconds: BREAK_SECONDS[unit],
    };
  });
}

const hourOf = ({ startBrokerTime }: { startBrokerTime: string }): string =>
  startBrokerTime.slice(0, 'yyyy-mm-dd hh'.length);

/** Minutes, and the hours before the first of them. */
export function pointsOfMinutes(
  minutes: readonly EquityChartItem[],
  hours: readonly EquityChartItem[],
  drawdown: Pick<DrawdownRecord, 'points'> | undefined,
): ChartPoint[] {
  const [first] = minutes;
  const before = first ? hours.filter((hour) => hourOf(hour) < hourOf(first)) : hours;
  return [...pointsOf(before, drawdown, 'hour'), ...pointsOf(minutes, drawdown, 'minute')];
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
    const { holdsSeconds = Number.POSITIVE_INFINITY } = before ?? {};
    // A balance holds until it is known to have changed.
    if (before && point.timeSeconds - before.timeSeconds > holdsSeconds)
      add(before.timeSeconds + 1, undefined, before.balance);
    add(point.timeSeconds, point, point.balance);
    before = point;
  }
  return columns;
}
