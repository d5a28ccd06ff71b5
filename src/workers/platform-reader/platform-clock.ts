import type { BrokerTimeMs } from '../../domain/broker-time.ts';

/** Platforms give whole seconds, rounded down. */
const ROUNDED_MS = 1_000;

/**
 * The time on a platform's clock between readings of it. Each reading gives two bounds of its lead
 * over our clock; the known lead changes only as far as these require.
 */
export class PlatformClock {
  #leadMs: number | undefined;

  /** Notes its time at some moment between two of ours, by the monotonic clock. */
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
