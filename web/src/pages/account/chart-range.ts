import { useMemo, useState } from 'react';
import type { ChartPoint } from '../../charts/chart-points.ts';

export type ChartRange = 'day' | 'week' | 'month' | 'year' | 'all';

export const RANGES: { value: ChartRange; title: string }[] = [
  { value: 'day', title: 'Day' },
  { value: 'week', title: 'Week' },
  { value: 'month', title: 'Month' },
  { value: 'year', title: 'Year' },
  { value: 'all', title: 'All' },
];

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

/** What of the points is seen: the newest of a range, or what somebody zoomed to. */
export function useSeenRange(points: readonly ChartPoint[], range: ChartRange) {
  const [zoomed, setZoomed] = useState<Seconds>();
  const first = points[0]?.timeSeconds ?? 0;
  const last = points.at(-1)?.timeSeconds ?? 1;
  const newest = useMemo<Seconds>(() => {
    const from = Math.max(first, last - LENGTHS[range]);
    // A single hour or day needs some width.
    const length = Math.max(last - from, 3600);
    return [last - length, last + length * MARGIN];
  }, [first, last, range]);
  return {
    range: zoomed ?? newest,
    isZoomed: zoomed !== undefined,
    zoom: (from: number, to: number): void =>
      setZoomed(from <= first && to >= last ? undefined : [from, to]),
    reset: (): void => setZoomed(undefined),
  };
}
