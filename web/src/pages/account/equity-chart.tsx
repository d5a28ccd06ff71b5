import { useEffect, useRef } from 'react';
import type { TrackerEventRecord } from '../../../../src/contract/operations/tracker-events.ts';
import { useIsDark } from '../../lib/theme.ts';
import { CHART_HEIGHT, type ChartPoint, type Range } from './chart-points.ts';
import { readColours } from './chart-theme.ts';
import { EquityPlot } from './equity-plot.ts';
import type { ThresholdLine } from './threshold-lines.ts';

type EquityChartProps = {
  points: ChartPoint[];
  range: Range;
  currency: string;
  lines: ThresholdLine[];
  events: TrackerEventRecord[];
  hover: (point: ChartPoint | undefined) => void;
};

/** The chart itself; the values that it shows are also written beside it. */
export function EquityChart(props: EquityChartProps) {
  const { points, range, lines, events, hover, currency } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<EquityPlot>(undefined);
  const isDark = useIsDark();
  const isByDay = points[0]?.equity === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours need another chart
  useEffect(() => {
    if (!place.current) return;
    const drawn = new EquityPlot(place.current, readColours(), currency, hover);
    plot.current = drawn;
    return () => {
      plot.current = undefined;
      drawn.remove();
    };
  }, [isDark, currency, hover]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew in other colours
  useEffect(() => plot.current?.draw(points), [points, isDark, currency, hover]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew in other colours
  useEffect(() => {
    plot.current?.mark(lines, events);
  }, [lines, events, points.length, isDark, currency, hover]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new range moves what is seen
  useEffect(() => {
    plot.current?.show(isByDay && range !== 'all' ? 'all' : range);
  }, [range, isDark, points.length === 0, isByDay, points[0]?.timeSeconds]);
  const last = points.at(-1);
  return (
    <figure
      ref={place}
      className="chart"
      style={{ height: CHART_HEIGHT }}
      aria-label={`Chart of ${isByDay ? 'balance' : 'equity and balance'} with ${points.length} points${last ? ` up to ${last.brokerTime.slice(0, 16)} broker time` : ''}; ${events.length} events are marked`}
    />
  );
}
