import type { Gauge } from 'prom-client';

/**
 * A measurement that needs the database. While it is away, the other metrics matter most, and this
 * one is absent.
 */
export function whileDatabaseAnswers<L extends string>(
  measure: (this: Gauge<L>) => Promise<void>,
): (this: Gauge<L>) => Promise<void> {
  return async function () {
    this.reset();
    await measure.call(this).catch(() => this.reset());
  };
}
