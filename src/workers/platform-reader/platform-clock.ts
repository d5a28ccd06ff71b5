import type { BrokerTimeMs } from '../../domain/broker-time.ts';

/** Platforms give whole seconds, rounded down. */
const ROUNDED_MS = 1_000;

/**
 * What the clock of a platform shows between the looks at it. Each look gives two bounds of its
 * lead over our clock; the lead known before changes only as much as these require.
 */
export class PlatformClock {
  #leadMs: number | undefined;

  /** Notes what it showed at some moment between two of ours, by a clock that never goes back. */
  look(brokerTimeMs: BrokerTimeMs, sentMs: number, receivedMs: number): void {
    const least = brokerTimeMs - receivedMs;
    const most = brokerTimeMs + ROUNDED_MS - sentMs;
    this.#leadMs = Math.max(least, Math.min(this.#leadMs ?? least, most));
  }

  get isKnown(): boolean {
    return this.#leadMs !== undefined;
  }

  at(elapsedMs: number): BrokerTimeMs {
    return Math.round((this.#leadMs ?? 0) + elapsedMs);
  }
}
