import type uPlot from 'uplot';
import { formatFixed } from '../lib/format.ts';
import type { ChartColours } from './chart-theme.ts';

/** The wall clock of a broker is held as if it were UTC. */
export const brokerDate = (seconds: number): Date => {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() + date.getTimezoneOffset() * 60_000);
};

export function timeAxis(colours: ChartColours, isShown = true): uPlot.Axis {
  return {
    stroke: colours.muted,
    font: colours.font,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1 },
    values: (_plot, splits, _axis, _space, step) =>
      isShown ? timeLabels(splits, step) : splits.map(() => ''),
    size: isShown ? 44 : 8,
  };
}

const DAY_SECONDS = 86_400;

/** What changes from one mark to the next; the date below where it changes. */
function timeLabels(splits: readonly number[], step: number): string[] {
  let before = '';
  return splits.map((seconds) => {
    const iso = new Date(seconds * 1000).toISOString();
    const date = iso.slice(0, 10);
    if (step >= 28 * DAY_SECONDS) return iso.slice(0, 7);
    if (step >= DAY_SECONDS) {
      const label = date.slice(0, 4) === before ? date.slice(5) : date;
      before = date.slice(0, 4);
      return label;
    }
    const label = date === before ? iso.slice(11, 16) : `${iso.slice(11, 16)}\n${date}`;
    before = date;
    return label;
  });
}

/** Amounts with as many digits as their steps need, and never more than the currency has. */
export function valueAxis(
  colours: ChartColours,
  mostDigits: number,
  suffix = '',
  factor = 1,
): uPlot.Axis {
  return {
    side: 1,
    stroke: colours.muted,
    font: colours.font,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1 },
    size: (plot, values) => widthOf(plot, values),
    values: (_plot, splits) => {
      const step = Math.abs(((splits[1] ?? 0) - (splits[0] ?? 0)) * factor) || 1;
      const digits = Math.min(mostDigits, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
      return splits.map((value) => `${formatFixed(value * factor, digits)}${suffix}`);
    },
  };
}

function widthOf({ ctx }: uPlot, values: readonly string[] | null): number {
  const longest = (values ?? []).reduce((a, b) => (a.length > b.length ? a : b), '');
  return Math.ceil(ctx.measureText(longest).width / devicePixelRatio) + 14;
}
