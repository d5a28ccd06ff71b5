import type uPlot from 'uplot';
import { scaleOf } from './axes.ts';
import { type ChartColours, withOpacity } from './chart-theme.ts';
import type { Mark, StepLine } from './marks.ts';

const MARK_PX = 5;
const NEAR_PX = 12;
/** Words beside lines would cover a narrow chart. */
const NARROW_PX = 560;

const DASHES = [
  [7, 4],
  [2, 3],
  [10, 3, 2, 3],
];

const isSeen = (plot: uPlot, value: number): boolean => {
  const { min = 0, max = 0 } = plot.scales.y ?? {};
  return value >= min && value <= max;
};

/** Floors and targets, dashed, each step where and as long as it was in force. */
export function drawStepLines(
  plot: uPlot,
  lines: readonly StepLine[],
  colours: ChartColours,
): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = 1.5 * devicePixelRatio;
  const taken: number[] = [];
  for (const [place, { steps, kind, title }] of lines.entries()) {
    // Lines of one colour differ in their dashes.
    const dash = DASHES[place % DASHES.length] ?? [];
    ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
    const colour = kind === 'floor' ? colours.bad : colours.good;
    ctx.strokeStyle = colour;
    ctx.beginPath();
    let before: { x: number; y: number } | undefined;
    for (const { from, to, value } of steps) {
      if (!isSeen(plot, value)) {
        before = undefined;
        continue;
      }
      const y = plot.valToPos(value, 'y', true);
      const start = plot.valToPos(from, 'x', true);
      const end = plot.valToPos(to, 'x', true);
      const follows = before !== undefined && Math.abs(before.x - start) < 2 * devicePixelRatio;
      if (follows) ctx.lineTo(start, y);
      else ctx.moveTo(start, y);
      ctx.lineTo(end, y);
      before = { x: end, y };
    }
    ctx.stroke();
    const { min = 0, max = 0 } = plot.scales.x ?? {};
    const first = steps.find(
      ({ from, to, value }) => to >= min && from <= max && isSeen(plot, value),
    );
    if (first) writeTitle(plot, title, first, colour, colours, taken);
  }
  ctx.restore();
}

/** Next to the line where it becomes visible, if there is room. */
function writeTitle(
  plot: uPlot,
  title: string,
  { from, value }: StepLine['steps'][number],
  colour: string,
  colours: ChartColours,
  taken: number[],
): void {
  const { ctx, bbox } = plot;
  if (bbox.width / devicePixelRatio < NARROW_PX) return;
  const scale = scaleOf(colours) * devicePixelRatio;
  const height = 13 * scale;
  const y = plot.valToPos(value, 'y', true);
  // Titles of neighbouring lines would cover each other.
  if (taken.some((other) => Math.abs(other - y) < height)) return;
  taken.push(y);
  ctx.save();
  ctx.setLineDash([]);
  ctx.font = `${11 * scale}px ${colours.font.replace(/^\S+ /, '')}`;
  const { width } = ctx.measureText(title);
  const edge = 6 * devicePixelRatio;
  const start = Math.max(plot.valToPos(from, 'x', true), bbox.left) + edge;
  const left = Math.min(start, bbox.left + bbox.width - width - edge);
  ctx.fillStyle = colours.surface;
  ctx.fillRect(left - 2, y - height - 2, width + 4, height);
  ctx.fillStyle = colour;
  ctx.fillText(title, left, y - 5 * scale);
  ctx.restore();
}

const ROWS: Record<Mark['kind'], 'top' | 'bottom' | 'floor'> = {
  ...{ loss: 'top', target: 'top', revised: 'top', deposit: 'bottom', withdrawal: 'bottom' },
  ...{ won: 'floor', lost: 'floor' },
};

function placeOf(plot: uPlot, { timeSeconds, kind }: Mark): { x: number; y: number } {
  const height = plot.over.clientHeight;
  const row = ROWS[kind];
  const y = row === 'top' ? 9 : row === 'bottom' ? height - 20 : height - 7;
  return { x: plot.valToPos(timeSeconds, 'x'), y };
}

/** Marks of events: each kind has its own shape, not only a colour. */
export function drawMarks(plot: uPlot, marks: readonly Mark[], colours: ChartColours): void {
  const { ctx, bbox } = plot;
  const { min = 0, max = 0 } = plot.scales.x ?? {};
  const size = MARK_PX * devicePixelRatio;
  ctx.save();
  for (const mark of marks) {
    if (mark.timeSeconds < min || mark.timeSeconds > max) continue;
    const place = placeOf(plot, mark);
    const x = bbox.left + place.x * devicePixelRatio;
    const y = bbox.top + place.y * devicePixelRatio;
    const isGood = mark.kind === 'target' || mark.kind === 'won';
    const isPaid = mark.kind === 'deposit' || mark.kind === 'withdrawal';
    ctx.fillStyle = isPaid ? colours.accent : isGood ? colours.good : colours.bad;
    ctx.beginPath();
    if (mark.kind === 'loss') {
      // A flag: its line goes down to the value.
      ctx.strokeStyle = withOpacity(colours.bad, 0.35);
      ctx.lineWidth = devicePixelRatio;
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.beginPath();
      triangle(ctx, x, y, size, 1);
    } else if (mark.kind === 'revised') {
      // Hollow: reported, but no loss any more.
      ctx.strokeStyle = colours.muted;
      ctx.lineWidth = 1.5 * devicePixelRatio;
      triangle(ctx, x, y, size, 1);
      ctx.stroke();
      continue;
    } else if (mark.kind === 'target') triangle(ctx, x, y, size, -1);
    else if (mark.kind === 'deposit') triangle(ctx, x, y, size * 0.9, -1);
    else if (mark.kind === 'withdrawal') triangle(ctx, x, y, size * 0.9, 1);
    else if (mark.kind === 'won') ctx.rect(x - size / 4, y - size, size / 2, size);
    else ctx.rect(x - size / 4, y, size / 2, size);
    ctx.fill();
  }
  ctx.restore();
}

/** Points down (1) or up (−1). */
function triangle(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  direction: 1 | -1,
): void {
  ctx.moveTo(x - size, y - size * direction);
  ctx.lineTo(x + size, y - size * direction);
  ctx.lineTo(x, y + size * direction);
  ctx.closePath();
}

/** The mark under the pointer. */
export function markNear(
  plot: uPlot,
  marks: readonly Mark[],
  x: number,
  y: number,
): Mark | undefined {
  let nearest: { mark: Mark; distance: number } | undefined;
  for (const mark of marks) {
    const place = placeOf(plot, mark);
    const distance = Math.hypot(place.x - x, place.y - y);
    if (distance <= NEAR_PX && distance < (nearest?.distance ?? Infinity))
      nearest = { mark, distance };
  }
  return nearest?.mark;
}
