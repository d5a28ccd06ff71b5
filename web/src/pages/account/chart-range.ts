import { useMemo } from 'react';
import type { ChartPoint } from '../../charts/chart-points.ts';
import { type Seconds, showAll, showStretch, stretchOf } from '../../charts/seen-stretch.ts';
import { replaceQuery } from '../../lib/route.ts';

export type ChartRange = 'day' | 'two-days' | 'week' | 'month' | 'year' | 'all';

export const RANGES: { value: ChartRange; title: string }[] = [
  { value: 'day', title: 'Day' },
  { value: 'two-days', title: '48 h' },
  { value: 'week', title: 'Week' },
  { value: 'month', title: 'Month' },
  { value: 'year', title: 'Year' },
  { value: 'all', title: 'All' },
];

const DEFAULT: ChartRange = 'month';
const DAY_SECONDS = 86_400;
const LENGTHS: Record<ChartRange, number> = {
  day: DAY_SECONDS,
  'two-days': 2 * DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: 31 * DAY_SECONDS,
  year: 366 * DAY_SECONDS,
  all: Number.POSITIVE_INFINITY,
};
/** Room on the right, as a part of the range. */
const MARGIN = 0.01;

/** The range named in the address: a shared link shows the same. */
export const rangeOf = (query: URLSearchParams): ChartRange =>
  RANGES.find(({ value }) => value === query.get('range'))?.value ?? DEFAULT;

/** Shows the newest of a range. */
export const showRange = (range: ChartRange): void =>
  replaceQuery({
    range: range === DEFAULT ? undefined : range,
    from: undefined,
    to: undefined,
  });

/** The visible points: the newest of a range, or the stretch named in the address. */
export function useSeenRange(
  points: readonly ChartPoint[],
  range: ChartRange,
  query: URLSearchParams,
) {
  const stretch = useMemo(() => stretchOf(query), [query]);
  const first = points[0]?.timeSeconds ?? 0;
  const last = points.at(-1)?.timeSeconds ?? 1;
  const newest = useMemo<Seconds>(() => {
    const from = Math.max(first, last - LENGTHS[range]);
    // A single hour or day needs some width.
    const length = Math.max(last - from, 3600);
    return [last - length, last + length * MARGIN];
  }, [first, last, range]);
  return {
    range: stretch ?? newest,
    isZoomed: stretch !== undefined,
    zoom: (from: number, to: number): void =>
      from <= first && to >= last ? showAll() : showStretch(from, to),
  };
}
