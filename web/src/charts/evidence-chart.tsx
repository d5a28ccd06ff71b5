import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { EvidenceRecord } from '../../../src/contract/operations/tracker-events.ts';
import { currencyDigits } from '../lib/currency-digits.ts';
import { brokerTimeMs, formatMoney } from '../lib/format.ts';
import { brokerDate, timeAxis, valueAxis } from './axes.ts';
import { type ChartColours, useChartColours } from './chart-theme.ts';
import './charts.css';
import { limitOf } from './evidence-limit.ts';

/** The equity of the snapshots around a breach, at their times, and the limit. */
export function EvidenceChart({
  evidence,
  currency,
}: {
  evidence: EvidenceRecord;
  currency: string;
}) {
  const place = useRef<HTMLElement>(null);
  const colours = useChartColours();
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(
      optionsOf(element, evidence, currency, colours),
      dataOf(evidence),
      element,
    );
    const resize = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0) plot.setSize({ width, height });
    });
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [evidence, currency, colours]);
  return (
    <figure
      ref={place}
      className="evidence-chart"
      role="img"
      aria-label={`Equity around the event: ${evidence.before.length} snapshots up to it, ${evidence.after.length} after it; the limit is ${formatMoney(limitOf(evidence, evidence.event.exceededThresholdType), currency)}`}
    />
  );
}

const secondsOf = (brokerTime: string): number => brokerTimeMs(brokerTime) / 1000;

function dataOf({ before, after }: EvidenceRecord): uPlot.AlignedData {
  const snapshots = [...before, ...after].sort((a, b) => (a.brokerTime < b.brokerTime ? -1 : 1));
  return [
    snapshots.map(({ brokerTime }) => secondsOf(brokerTime)),
    snapshots.map(({ equity }) => equity),
  ];
}

function optionsOf(
  { clientWidth: width, clientHeight: height }: HTMLElement,
  evidence: EvidenceRecord,
  currency: string,
  colours: ChartColours,
): uPlot.Options {
  const threshold = evidence.event.exceededThresholdType;
  const limit = limitOf(evidence, threshold);
  const colour = threshold === 'drawdown' ? colours.bad : colours.good;
  return {
    width,
    height,
    tzDate: brokerDate,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      y: {
        range: (_plot, least, most) => {
          const [low, high] = [Math.min(least ?? limit, limit), Math.max(most ?? limit, limit)];
          const margin = (high - low || 1) * 0.08;
          return [low - margin, high + margin];
        },
      },
    },
    axes: [timeAxis(colours), valueAxis(colours, currencyDigits(currency))],
    series: [{}, { stroke: colours['chart-equity'], width: 2, points: { show: true } }],
    hooks: {
      draw: [
        (plot) => {
          const { ctx, bbox } = plot;
          const y = plot.valToPos(limit, 'y', true);
          const x = plot.valToPos(secondsOf(evidence.event.brokerTime), 'x', true);
          ctx.save();
          ctx.strokeStyle = colour;
          ctx.lineWidth = 1.5 * devicePixelRatio;
          ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
          ctx.beginPath();
          ctx.moveTo(bbox.left, y);
          ctx.lineTo(bbox.left + bbox.width, y);
          ctx.stroke();
          ctx.setLineDash([]);
          ctx.beginPath();
          ctx.moveTo(x, bbox.top);
          ctx.lineTo(x, bbox.top + bbox.height);
          ctx.stroke();
          ctx.restore();
        },
      ],
    },
  };
}
