import uPlot from 'uplot';
import { currencyDigits } from '../lib/currency-digits.ts';
import { brokerDate, timeAxis, valueAxis } from './axes.ts';
import { type ChartColumns, type ChartPoint, columnsOf } from './chart-points.ts';
import { type ChartColours, withOpacity } from './chart-theme.ts';
import { drawMarks, drawStepLines, markNear } from './draw-overlays.ts';
import type { Mark, StepLine } from './marks.ts';
import { pictureOf } from './picture.ts';
import { brushByTouch } from './touch-brush.ts';

export type FigureParts = {
  place: HTMLElement;
  colours: ChartColours;
  currency: string;
  /** By days there is a balance only, in steps. */
  isByDay: boolean;
  hover: (point: ChartPoint | undefined) => void;
  choose: (mark: Mark) => void;
  /** The range that is seen now, after somebody changed it. */
  moved: (fromSeconds: number, toSeconds: number) => void;
};

const UPPER_PART = 0.76;
/** Room for half of the first date. */
const LEFT_PX = 34;
/** Limits further away than so many spans of the values would press them flat. */
const MAX_SPANS_AWAY = 1.5;
const LEAST_DEPTH = 0.01;

/** Equity over balance with the band of each hour, and below it the drawdown; one time axis, a real one. */
export class EquityFigure {
  readonly #parts: FigureParts;
  readonly #upper: uPlot;
  readonly #lower: uPlot;
  readonly #resize: ResizeObserver;
  #columns: ChartColumns;
  #lines: readonly StepLine[] = [];
  #marks: readonly Mark[] = [];
  #range: [number, number] | undefined;
  /** The row from which somebody marks a stretch by keyboard. */
  #stretchFrom: number | undefined;

  constructor(parts: FigureParts, points: readonly ChartPoint[]) {
    this.#parts = parts;
    this.#columns = columnsOf(points);
    const { place } = parts;
    const sync = uPlot.sync(`equity ${Math.random()}`);
    this.#upper = new uPlot(this.#upperOptions(sync.key), this.#upperData(), place);
    this.#lower = new uPlot(this.#lowerOptions(sync.key), this.#lowerData(), place);
    sync.sub(this.#upper);
    sync.sub(this.#lower);
    this.#resize = new ResizeObserver(() => this.#fit());
    this.#resize.observe(place);
    this.#upper.over.addEventListener('click', (event) => this.#click(event));
    brushByTouch(this.#upper, parts.moved);
    brushByTouch(this.#lower, parts.moved);
  }

  draw(points: readonly ChartPoint[]): void {
    this.#columns = columnsOf(points);
    this.#upper.setData(this.#upperData(), false);
    this.#lower.setData(this.#lowerData(), false);
    this.#show();
  }

  overlay(lines: readonly StepLine[], marks: readonly Mark[]): void {
    this.#lines = lines;
    this.#marks = marks;
    this.#show();
  }

  /** Shows a range of seconds. */
  show(fromSeconds: number, toSeconds: number): void {
    this.#range = [fromSeconds, Math.max(toSeconds, fromSeconds + 60)];
    this.#show();
  }

  /** Moves the cross-hair by rows, for who has no mouse; the row that it stands on. */
  step(rows: number): void {
    const { times } = this.#columns;
    const at = this.#upper.cursor.idx ?? times.length - 1;
    const next = Math.max(0, Math.min(times.length - 1, at + rows));
    const left = this.#upper.valToPos(times[next] ?? 0, 'x');
    this.#upper.setCursor({ left, top: this.#upper.over.clientHeight / 2 }, true);
  }

  /** Both parts as one picture with words above it. */
  picture(title: string): Promise<Blob | null> {
    const parts = [this.#upper.ctx.canvas, this.#lower.ctx.canvas];
    return pictureOf(parts, title, this.#parts.colours);
  }

  /** Marks the stretch from where this was called first to the cross-hair, moved by rows. */
  extend(rows: number): void {
    this.#stretchFrom ??= this.#upper.cursor.idx ?? this.#columns.times.length - 1;
    this.step(rows);
    const from = this.#upper.valToPos(this.#columns.times[this.#stretchFrom] ?? 0, 'x');
    const to = this.#upper.valToPos(this.#columns.times[this.#upper.cursor.idx ?? 0] ?? 0, 'x');
    const [left, width] = [Math.min(from, to), Math.abs(to - from)];
    this.#upper.setSelect({ left, top: 0, width, height: this.#upper.over.clientHeight }, false);
  }

  /** Shows the stretch that is marked; false without one. */
  zoom(): boolean {
    const from = this.#columns.times[this.#stretchFrom ?? -1];
    const to = this.#columns.times[this.#upper.cursor.idx ?? -1];
    this.#unmark();
    if (from === undefined || to === undefined || from === to) return false;
    this.#parts.moved(Math.min(from, to), Math.max(from, to));
    return true;
  }

  /** Shows all. */
  reset(): void {
    this.#unmark();
    this.#parts.moved(...this.#wholeRange());
  }

  remove(): void {
    this.#resize.disconnect();
    this.#upper.destroy();
    this.#lower.destroy();
  }

  #unmark(): void {
    this.#stretchFrom = undefined;
    this.#upper.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  #show(): void {
    const [min, max] = this.#range ?? this.#wholeRange();
    this.#upper.batch(() => this.#upper.setScale('x', { min, max }));
    this.#lower.setScale('x', { min, max });
  }

  #wholeRange(): [number, number] {
    const { times } = this.#columns;
    return [times[0] ?? 0, times.at(-1) ?? 1];
  }

  #fit(): void {
    const { clientWidth: width, clientHeight: height } = this.#parts.place;
    if (width === 0 || height === 0) return;
    this.#upper.setSize({ width, height: Math.floor(height * UPPER_PART) });
    this.#lower.setSize({ width, height: height - Math.floor(height * UPPER_PART) });
    this.#show();
  }

  #pointAt(row: number | null | undefined): ChartPoint | undefined {
    return row === null || row === undefined ? undefined : this.#columns.points[row];
  }

  #click({ offsetX, offsetY }: MouseEvent): void {
    const mark = markNear(this.#upper, this.#marks, offsetX, offsetY);
    if (mark) this.#parts.choose(mark);
  }

  #upperData(): uPlot.AlignedData {
    const { times, low, high, balance, equity } = this.#columns;
    return [times, high, low, balance, equity];
  }

  #lowerData(): uPlot.AlignedData {
    return [this.#columns.times, this.#columns.below];
  }

  #shared(syncKey: string): Pick<uPlot.Options, 'tzDate' | 'padding' | 'legend' | 'cursor'> {
    return {
      tzDate: brokerDate,
      padding: [6, 0, 0, LEFT_PX],
      legend: { show: false },
      cursor: {
        sync: { key: syncKey, scales: ['x', null] },
        y: false,
        drag: { x: true, y: false, setScale: false },
        bind: {
          dblclick: () => () => {
            this.reset();
            return null;
          },
        },
      },
    };
  }

  #hooks(): uPlot.Hooks.Arrays {
    return {
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 4) return;
          const from = plot.posToVal(left, 'x');
          const to = plot.posToVal(left + width, 'x');
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          this.#parts.moved(from, to);
        },
      ],
    };
  }

  #upperOptions(syncKey: string): uPlot.Options {
    const { colours, currency, isByDay, hover, place } = this.#parts;
    const band = withOpacity(colours['chart-equity'], 0.2);
    const stepped = uPlot.paths.stepped?.({ align: 1 });
    return {
      ...this.#shared(syncKey),
      width: place.clientWidth,
      height: Math.floor(place.clientHeight * UPPER_PART),
      scales: {
        x: { time: true },
        y: { range: (plot, min, max) => this.#valueRange(plot, min, max) },
      },
      axes: [timeAxis(colours, false), valueAxis(colours, currencyDigits(currency))],
      series: [
        {},
        { stroke: 'transparent', points: { show: false } },
        { stroke: 'transparent', points: { show: false } },
        {
          stroke: colours['chart-balance'],
          width: 2,
          ...(stepped ? { paths: stepped } : {}),
          points: { show: isByDay && this.#columns.times.length === 1 },
        },
        { stroke: colours['chart-equity'], width: 2 },
      ],
      bands: [{ series: [1, 2], fill: band }],
      hooks: {
        ...this.#hooks(),
        setCursor: [({ cursor }) => hover(this.#pointAt(cursor.idx))],
        draw: [
          (plot) => drawStepLines(plot, this.#lines, colours),
          (plot) => drawMarks(plot, this.#marks, colours),
        ],
      },
    };
  }

  #lowerOptions(syncKey: string): uPlot.Options {
    const { colours, place } = this.#parts;
    return {
      ...this.#shared(syncKey),
      width: place.clientWidth,
      height: place.clientHeight - Math.floor(place.clientHeight * UPPER_PART),
      scales: {
        x: { time: true },
        y: { range: (_plot, min) => [Math.min(-LEAST_DEPTH, (min ?? 0) * 1.05), 0] },
      },
      axes: [timeAxis(colours), { ...valueAxis(colours, 1, ' %', 100), space: 22 }],
      series: [
        {},
        {
          stroke: colours.bad,
          fill: withOpacity(colours.bad, 0.22),
          width: 1,
          points: { show: false },
        },
      ],
      hooks: this.#hooks(),
    };
  }

  /** The values in sight, and the limits that are near them. */
  #valueRange(plot: uPlot, least: number | null, most: number | null): uPlot.Range.MinMax {
    if (least === null || most === null) return [0, 1];
    const { min = 0, max = 0 } = plot.scales.x ?? {};
    const reach = Math.max(most - least, Math.abs(most) * 0.01, 1e-8) * MAX_SPANS_AWAY;
    let [low, high] = [least, most];
    for (const { steps } of this.#lines) {
      for (const { from, to, value } of steps) {
        const isInSight = to >= min && from <= max;
        if (!isInSight || value < least - reach || value > most + reach) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    const margin = (high - low || Math.abs(high) * 0.01 || 1) * 0.06;
    return [low - margin, high + margin];
  }
}
