import type uPlot from 'uplot';
import { brushByTouch } from './touch-brush.ts';

/** Fewer points are too few to see. */
const LEAST_POINTS = 2;
const LEAST_PX = 4;
/** Rows that a key moves the cross-hair by. */
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -24, PageDown: 24 };

export type StretchParts = {
  /** Of the rows, in seconds, in order. */
  times: () => readonly number[];
  chosen: (fromSeconds: number, toSeconds: number) => void;
  all: () => void;
};

/**
 * A stretch of charts on one time axis, chosen by mouse, finger or keyboard; double-click for all.
 */
export class Stretch {
  readonly #parts: StretchParts;
  /** Keys move within the first chart. */
  #plot: uPlot | undefined;
  /** The row where marking by keyboard began. */
  #from: number | undefined;

  constructor(parts: StretchParts) {
    this.#parts = parts;
  }

  /** For the options of each chart. */
  cursor(): uPlot.Cursor {
    return {
      y: false,
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          this.#showAll();
          return null;
        },
      },
    };
  }

  /** For the hooks of each chart: a stretch dragged by mouse. */
  readonly setSelect = (plot: uPlot): void => {
    const { left, width } = plot.select;
    if (width < LEAST_PX) return;
    const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
    unmark(plot);
    this.#choose(from, to);
  };

  follow(plot: uPlot): void {
    this.#plot ??= plot;
    brushByTouch(plot, (from, to) => this.#choose(from, to));
  }

  /** Whether a key was for the chart. */
  press(key: string, isMarking: boolean): boolean {
    const rows = STEPS[key];
    if (rows !== undefined && isMarking) this.#extend(rows);
    else if (rows !== undefined) this.#step(rows);
    else if (key === 'Enter') this.#showMarked();
    else if (key === 'Escape') this.#showAll();
    else return false;
    return true;
  }

  #choose(from: number, to: number): void {
    const within = this.#parts.times().filter((seconds) => seconds >= from && seconds <= to);
    if (within.length >= LEAST_POINTS) this.#parts.chosen(from, to);
  }

  get #row(): number {
    return this.#plot?.cursor.idx ?? this.#parts.times().length - 1;
  }

  #positionOf(row: number): number {
    return this.#plot?.valToPos(this.#parts.times()[row] ?? 0, 'x') ?? 0;
  }

  #step(rows: number): void {
    const last = this.#parts.times().length - 1;
    const next = Math.max(0, Math.min(last, this.#row + rows));
    const top = (this.#plot?.over.clientHeight ?? 0) / 2;
    this.#plot?.setCursor({ left: this.#positionOf(next), top }, true);
  }

  /** Marks from its first call to the cross-hair. */
  #extend(rows: number): void {
    this.#from ??= this.#row;
    this.#step(rows);
    const [from, to] = [this.#positionOf(this.#from), this.#positionOf(this.#row)];
    const [left, width] = [Math.min(from, to), Math.abs(to - from)];
    const height = this.#plot?.over.clientHeight ?? 0;
    this.#plot?.setSelect({ left, top: 0, width, height }, false);
  }

  #showMarked(): void {
    const times = this.#parts.times();
    const [from, to] = [times[this.#from ?? -1], times[this.#row]];
    this.#unmark();
    if (from !== undefined && to !== undefined) {
      this.#choose(Math.min(from, to), Math.max(from, to));
    }
  }

  #showAll(): void {
    this.#unmark();
    this.#parts.all();
  }

  #unmark(): void {
    this.#from = undefined;
    if (this.#plot) unmark(this.#plot);
  }
}

const unmark = (plot: uPlot): void =>
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
