import type uPlot from 'uplot';
import { formatFixed } from '../lib/format.ts';
import type { ChartColours } from './chart-theme.ts';

/** The wall clock of a broker is held as if it were UTC. */
export const brokerDate = (seconds: number): Date => {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() + date.getTimezoneOffset() * 60_000);
};

/** How much larger letters are than the 12 pixels assumed by distances. */
export const scaleOf = ({ font }: ChartColours): number => Number.parseFloat(font) / 12;

/**
 * Around a chart: above there is room for half of the highest value, on the left for half of the
 * first date.
 */
export const paddingOf = (colours: ChartColours): [number, number, number, number] => [
  8 * scaleOf(colours),
  0,
  0,
  34 * scaleOf(colours),
];

const LABEL_PX = 50;
const LABEL_WITH_SECONDS_PX = 72;

export function timeAxis(colours: ChartColours, isShown = true): uPlot.Axis {
  const scale = scaleOf(colours);
  return {
    stroke: colours.muted,
    font: colours.font,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1 },
    space: (_plot, _axis, from, to, length) => {
      const hasSeconds = ((to - from) * LABEL_PX * scale) / length < MINUTE_SECONDS;
      return (hasSeconds ? LABEL_WITH_SECONDS_PX : LABEL_PX) * scale;
    },
    values: (_plot, splits, _axis, _space, step) =>
      isShown ? timeLabels(splits, step) : splits.map(() => ''),
    size: isShown ? 44 * scale : 8,
  };
}

/** Of an axis of hours: a single one is in the middle, not in a range of years. */
export const hourRange = (from: number, to: number): [number, number] =>
  from === to ? [from - HOUR_SECONDS, to + HOUR_SECONDS] : [from, to];

const HOUR_SECONDS = 3600;
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/**
 * The part that changes from one mark to the next; below it the date, or the year, where that
 * changes.
 */
export function timeLabels(splits: readonly number[], step: number): string[] {
  let before = '';
  return splits.map((seconds) => {
    const iso = new Date(seconds * 1000).toISOString();
    const date = iso.slice(0, 10);
    if (step >= 28 * DAY_SECONDS) return iso.slice(0, 7);
    if (step >= DAY_SECONDS) {
      const [year = '', day] = [date.slice(0, 4), date.slice(5)];
      // Below the day: next to it, it would reach into the next mark.
      const label = year === before ? day : `${day}\n${year}`;
      before = year;
      return label;
    }
    const time = iso.slice(11, step < MINUTE_SECONDS ? 19 : 16);
    // Without its year, a date is no wider than a time: it does not reach into the next mark.
    const label = date === before ? time : `${time}\n${date.slice(5)}`;
    before = date;
    return label;
  });
}

/** Amounts with as many digits as their steps need, but never more than the currency has. */
export function valueAxis(
  colours: ChartColours,
  mostDigits: number,
  suffix = '',
  factor = 1,
  /** Applied to the width that its letters need. */
  settle = (_plot: uPlot, width: number): number => width,
): uPlot.Axis {
  return {
    side: 1,
    stroke: colours.muted,
    font: colours.font,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1 },
    space: 30 * scaleOf(colours),
    size: (plot, values) => settle(plot, widthOf(plot, values, colours)),
    values: (_plot, splits) => {
      const step = Math.abs(((splits[1] ?? 0) - (splits[0] ?? 0)) * factor) || 1;
      const digits = digitsOf(step, mostDigits);
      return splits.map((value) => `${formatFixed(value * factor, digits)}${suffix}`);
    },
  };
}

/** Of an axis of amounts: around what is shown, and never so near that its marks read the same. */
export function amountRange(least: number, most: number, digits: number): [number, number] {
  const size = Math.max(Math.abs(least), Math.abs(most));
  const margin = Math.max(most - least, size * LEAST_SHARE, LEAST_PARTS / 10 ** digits) * MARGIN;
  return [least - margin, most + margin];
}

const MARGIN = 0.06;
/** The least span that is shown: of the amount, and in the smallest parts of the currency. */
const LEAST_SHARE = 0.001;
const LEAST_PARTS = 100;

/** Measured in the axis's own font: the last letters drawn may be smaller. */
function widthOf({ ctx }: uPlot, values: readonly string[] | null, { font }: ChartColours): number {
  const longest = (values ?? []).reduce((a, b) => (a.length > b.length ? a : b), '');
  ctx.save();
  ctx.font = font;
  const { width } = ctx.measureText(longest);
  ctx.restore();
  return Math.ceil(width) + 16;
}

/** As many as steps need: 2.5 needs one, or −2.5 would read as −3 beside −5. */
export function digitsOf(step: number, most: number): number {
  let digits = 0;
  while (digits < most && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6) {
    digits += 1;
  }
  return digits;
}
