import type uPlot from 'uplot';

/** Charts below each other have axes of one width, or one moment would be at two places. */
export class CommonWidth {
  readonly #needed = new Map<uPlot, number>();
  readonly #drawn = new Map<uPlot, number>();

  /** The width of a chart's axis, given the one it needs. */
  readonly settle = (plot: uPlot, needed: number): number => {
    this.#needed.set(plot, needed);
    const width = Math.max(...this.#needed.values());
    this.#drawn.set(plot, width);
    return width;
  };

  /** After drawing a chart: redraws those drawn with another width. */
  readonly agree = (): void => {
    const width = Math.max(...this.#needed.values());
    for (const [plot, drawn] of this.#drawn) if (drawn !== width) plot.redraw(false, true);
  };
}
