import { useMemo } from 'react';
import type { ChartPoint } from '../../charts/chart-points.ts';
import { replaceQuery } from '../../lib/route.ts';

export type ChartRange = 'day' | 'week' | 'month' | 'year' | 'all';

export const RANGES: { value: ChartRange; title: string }[] = [
  { value: 'day', title: 'Day' },
  { value: 'week', title: 'Week' },
  { value: 'month', title: 'Month' },
  { value: 'year', title: 'Year' },
  { value: 'all', title: 'All' },
];

const DEFAULT: ChartRange = 'month';
const DAY_SECONDS = 86_400;
const LENGTHS: Record<ChartRange, number> = {
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: 31 * DAY_SECONDS,
  year: 366 * DAY_SECONDS,
  all: Number.POSITIVE_INFINITY,
};
/** Room on the right, as a part of the range. */
const MARGIN = 0.01;

export type Seconds = readonly [from: number, to: number];

/** The range that the address names: what is shared by a link is seen as it was. */
export const rangeOf = (query: URLSearchParams): ChartRange =>
  RANGES.find(({ value }) => value === query.get('range'))?.value ?? DEFAULT;

/** Shows the newest of a range. */
export const showRange = (range: ChartRange): void =>
  replaceQuery({
    range: range === DEFAULT ? undefined : range,
    from: undefined,
    to: undefined,
  });

/** Broker time to the second, as an address carries it. */
const textOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);

function secondsOf(text: string | null): number | undefined {
  if (!text || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return undefined;
  const timeMs = Date.parse(`${text}Z`);
  return Number.isNaN(timeMs) ? undefined : timeMs / 1000;
}

function zoomedOf(query: URLSearchParams): Seconds | undefined {
  const [from, to] = [secondsOf(query.get('from')), secondsOf(query.get('to'))];
  return from !== undefined && to !== undefined && from < to ? [from, to] : undefined;
}

/** What of the points is seen: the newest of a range, or the stretch that the address names. */
export function useSeenRange(
  points: readonly ChartPoint[],
  range: ChartRange,
  query: URLSearchParams,
) {
  const zoomed = useMemo(() => zoomedOf(query), [query]);
  const first = points[0]?.timeSeconds ?? 0;
  const last = points.at(-1)?.timeSeconds ?? 1;
  const newest = useMemo<Seconds>(() => {
    const from = Math.max(first, last - LENGTHS[range]);
    // A single hour or day needs some width.
    const length = Math.max(last - from, 3600);
    return [last - length, last + length * MARGIN];
  }, [first, last, range]);
  const reset = (): void => replaceQuery({ from: undefined, to: undefined });
  return {
    range: zoomed ?? newest,
    isZoomed: zoomed !== undefined,
    zoom: (from: number, to: number): void =>
      from <= first && to >= last ? reset() : replaceQuery({ from: textOf(from), to: textOf(to) }),
    reset,
  };
}
