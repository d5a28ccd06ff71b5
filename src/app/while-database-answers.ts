import type { Gauge } from 'prom-client';

/**
 * A measurement that needs the database. The other metrics matter most while it is away: this one
 * is then absent.
 */
export function whileDatabaseAnswers<L extends string>(
  measure: (this: Gauge<L>) => Promise<void>,
): (this: Gauge<L>) => Promise<void> {
  return async function () {
    this.reset();
    await measure.call(this).catch(() => this.reset());
  };
}
