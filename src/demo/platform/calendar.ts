import type { BrokerClock, BrokerTimeMs } from '../../domain/broker-time.ts';
import { brokerTimeAt, DAY_MS, HOUR_MS } from '../../domain/broker-time.ts';

/** Half hours with cached offsets: most of a year. */
const MAX_KEPT_HALF_HOURS = 16_384;

/** The broker's wall clock and its rollovers, seen from UTC. */
export class BrokerCalendar {
  readonly clock: BrokerClock;
  readonly #offsets = new Map<number, number>();

  constructor(clock: BrokerClock) {
    this.clock = clock;
  }

  /** The broker's wall clock at a moment of UTC. */
  brokerTime(utcMs: number): BrokerTimeMs {
    // Clocks change on the hour or the half hour; both halves are cached separately.
    const half = Math.floor(utcMs / (HOUR_MS / 2));
    let offset = this.#offsets.get(half);
    if (offset === undefined) {
      const start = half * (HOUR_MS / 2);
      offset = brokerTimeAt(start, this.clock) - start;
      if (this.#offsets.size >= MAX_KEPT_HALF_HOURS) this.#offsets.clear();
      this.#offsets.set(half, offset);
    }
    return utcMs + offset;
  }

  /**
   * Nights charged for a position between two moments: one for each broker midnight, three for the
   * one that ends Wednesday (settlement over the weekend), none on the weekend.
   */
  nights(fromUtcMs: number, toUtcMs: number): number {
    const first = Math.floor(this.brokerTime(fromUtcMs) / DAY_MS);
    const last = Math.floor(this.brokerTime(toUtcMs) / DAY_MS);
    let nights = 0;
    for (let day = first; day < last; day += 1) {
      const endedWeekday = weekday(day * DAY_MS);
      if (endedWeekday === 3) nights += 3;
      else if (endedWeekday !== 0 && endedWeekday !== 6) nights += 1;
    }
    return nights;
  }
}

/** 0 Sunday … 6 Saturday of a broker time. */
const weekday = (brokerMs: BrokerTimeMs): number => (Math.floor(brokerMs / DAY_MS) + 4) % 7;
