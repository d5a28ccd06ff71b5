import type uPlot from 'uplot';

/** Charts above each other have axes of one width, or one moment would lie at two places. */
export class CommonWidth {
  readonly #needed = new Map<uPlot, number>();
  readonly #drawn = new Map<uPlot, number>();

  /** The width that the axis of a chart gets, of the one that it needs. */
  readonly settle = (plot: uPlot, needed: number): number => {
    this.#needed.set(plot, needed);
    const width = Math.max(...this.#needed.values());
    this.#drawn.set(plot, width);
    return width;
  };

  /** After a chart was drawn: those that were drawn with another width are drawn again. */
  readonly agree = (): void => {
    const width = Math.max(...this.#needed.values());
    for (const [plot, drawn] of this.#drawn) if (drawn !== width) plot.redraw(false, true);
  };
}
