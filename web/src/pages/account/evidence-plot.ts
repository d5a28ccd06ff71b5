import {
  createChart,
  createSeriesMarkers,
  LineSeries,
  type LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { EvidenceRecord } from '../../../../src/contract/operations/tracker-events.ts';
import { brokerTimeMs, formatAmount } from '../../lib/format.ts';
import { type ChartColours, chartOptions } from './chart-theme.ts';

type Point = { time: UTCTimestamp; value: number };

/** Draws the snapshots around an event; gives back what takes the chart away. */
export function drawEvidence(
  place: HTMLElement,
  evidence: EvidenceRecord,
  limit: { value: number; style: LineStyle },
  currency: string,
  colours: ChartColours,
): () => void {
  const options = chartOptions(colours);
  const chart = createChart(place, {
    ...options,
    timeScale: { ...options.timeScale, secondsVisible: true },
  });
  const series = chart.addSeries(LineSeries, {
    color: colours['chart-equity'],
    lineWidth: 2,
    pointMarkersVisible: evidence.before.length + evidence.after.length < 200,
    priceLineVisible: false,
    autoscaleInfoProvider: (original: () => Range | null) => widened(original(), limit.value),
    priceFormat: {
      type: 'custom',
      minMove: 0.01,
      formatter: (value: number) => formatAmount(value, currency),
    },
  });
  series.setData(pointsOf([...evidence.before, ...evidence.after]));
  const isLoss = evidence.event.exceededThresholdType === 'drawdown';
  const color = isLoss ? colours.bad : colours.good;
  series.createPriceLine({
    price: limit.value,
    title: 'Limit',
    color,
    lineStyle: limit.style,
    lineWidth: 1,
    axisLabelVisible: true,
    axisLabelTextColor: colours['on-accent'],
  });
  createSeriesMarkers(series, [
    {
      time: secondsOf(evidence.event.brokerTime),
      position: isLoss ? 'belowBar' : 'aboveBar',
      shape: isLoss ? 'arrowUp' : 'arrowDown',
      color,
      text: 'Exceeded',
    },
  ]);
  chart.timeScale().fitContent();
  return () => chart.remove();
}

type Range = { priceRange: { minValue: number; maxValue: number } | null };

/** The limit is always in the picture. */
function widened(range: Range | null, value: number): Range | null {
  if (!range?.priceRange) return range;
  const { minValue, maxValue } = range.priceRange;
  return {
    ...range,
    priceRange: { minValue: Math.min(minValue, value), maxValue: Math.max(maxValue, value) },
  };
}

const secondsOf = (brokerTime: string): UTCTimestamp =>
  Math.floor(brokerTimeMs(brokerTime) / 1000) as UTCTimestamp;

/** One point a second, the last of each: what the chart can place. */
function pointsOf(snapshots: EvidenceRecord['before']): Point[] {
  const points = new Map<number, Point>();
  for (const { brokerTime, equity } of snapshots) {
    const time = secondsOf(brokerTime);
    points.set(time, { time, value: equity });
  }
  return [...points.values()].sort((a, b) => a.time - b.time);
}
