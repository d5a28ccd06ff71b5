import uPlot from 'uplot';
import { currencyDigits } from '../lib/currency-digits.ts';
import { brokerDate, paddingOf, scaleOf, timeAxis, valueAxis } from './axes.ts';
import { type ChartColumns, type ChartPoint, columnsOf } from './chart-points.ts';
import { type ChartColours, withOpacity } from './chart-theme.ts';
import { CommonWidth } from './common-width.ts';
import { drawMarks, drawStepLines, markNear } from './draw-overlays.ts';
import type { Mark, StepLine } from './marks.ts';
import { pictureOf } from './picture.ts';
import { Stretch, type StretchParts } from './stretch.ts';

export type FigureParts = {
  place: HTMLElement;
  colours: ChartColours;
  currency: string;
  /** By days there is only a balance, in steps. */
  isByDay: boolean;
  hover: (point: ChartPoint | undefined) => void;
  choose: (mark: Mark) => void;
} & Pick<StretchParts, 'chosen' | 'all'>;

const UPPER_PART = 0.76;
/** Limits further away than this many spans of the values would flatten them. */
const MAX_SPANS_AWAY = 1.5;
const LEAST_DEPTH = 0.01;

/** Equity over balance with the band of each hour, and the drawdown below; one real time axis. */
export class EquityFigure {
  readonly #parts: FigureParts;
  readonly #upper: uPlot;
  readonly #lower: uPlot;
  readonly #stretch: Stretch;
  readonly #width = new CommonWidth();
  readonly #resize: ResizeObserver;
  #columns: ChartColumns;
  #lines: readonly StepLine[] = [];
  #marks: readonly Mark[] = [];
  #range: [number, number] | undefined;

  constructor(parts: FigureParts, points: readonly ChartPoint[]) {
    this.#parts = parts;
    this.#columns = columnsOf(points);
    const { place, chosen, all } = parts;
    this.#stretch = new Stretch({ times: () => this.#columns.times, chosen, all });
    const sync = uPlot.sync(`equity ${Math.random()}`);
    this.#upper = new uPlot(this.#upperOptions(sync.key), this.#upperData(), place);
    this.#lower = new uPlot(this.#lowerOptions(sync.key), this.#lowerData(), place);
    sync.sub(this.#upper);
    sync.sub(this.#lower);
    this.#resize = new ResizeObserver(() => this.#fit());
    this.#resize.observe(place);
    this.#upper.over.addEventListener('click', (event) => this.#click(event));
    this.#stretch.follow(this.#upper);
    this.#stretch.follow(this.#lower);
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

  /** Whether a key moved the cross-hair, marked a stretch or showed one. */
  press(key: string, isMarking: boolean): boolean {
    return this.#stretch.press(key, isMarking);
  }

  /** Both parts as one picture with text above. */
  picture(title: string): Promise<Blob | null> {
    const parts = [this.#upper.ctx.canvas, this.#lower.ctx.canvas];
    return pictureOf(parts, title, this.#parts.colours);
  }

  remove(): void {
    this.#resize.disconnect();
    this.#upper.destroy();
    this.#lower.destroy();
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
      padding: paddingOf(this.#parts.colours),
      legend: { show: false },
      cursor: {
        ...this.#stretch.cursor(),
        sync: { key: syncKey, scales: ['x', null] },
      },
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
      axes: [
        timeAxis(colours, false),
        valueAxis(colours, currencyDigits(currency), '', 1, this.#width.settle),
      ],
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
        setSelect: [this.#stretch.setSelect],
        setCursor: [({ cursor }) => hover(this.#pointAt(cursor.idx))],
        draw: [
          (plot) => drawStepLines(plot, this.#lines, colours),
          (plot) => drawMarks(plot, this.#marks, colours),
          this.#width.agree,
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
      axes: [
        timeAxis(colours),
        { ...valueAxis(colours, 1, ' %', 100, this.#width.settle), space: 22 * scaleOf(colours) },
      ],
      series: [
        {},
        {
          stroke: colours.bad,
          fill: withOpacity(colours.bad, 0.22),
          width: 1,
          points: { show: false },
        },
      ],
      hooks: { setSelect: [this.#stretch.setSelect], draw: [this.#width.agree] },
    };
  }

  /** The visible values, and the limits near them. */
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
