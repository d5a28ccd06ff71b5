import { type BrokerClock, type BrokerTimeMs, HOUR_MS } from '../broker-time.ts';

/**
 * Offset changes are looked up once for these years; outside of them the nearest offset applies.
 */
const FIRST_UTC_MS = Date.UTC(1970, 0, 1);
const LAST_UTC_MS = Date.UTC(2100, 0, 1);

/**
 * A fast form of a broker clock: the zone's offset changes as sorted arrays, and the last used
 * stretch between two changes. One view serves all accounts on the same clock.
 *
 * Stretch i begins at `beginsUtcMs[i]` and has `offsetsMs[i]`. A wall time belongs to the first
 * stretch that shows it. One that is skipped belongs to the stretch before the jump, whose offset
 * puts it after the jump.
 */
export class BrokerClockView {
  private readonly beginsUtcMs: number[] = [Number.NEGATIVE_INFINITY];
  private readonly offsetsMs: number[] = [];
  private plainFromMs = Number.NaN;
  private plainUntilMs = Number.NaN;
  private plainOffsetMs = Number.NaN;

  /** Throws RangeError when the zone is unknown. `shiftHours` may have a fraction. */
  constructor(clock: BrokerClock) {
    const shiftMs = Math.round(clock.shiftHours * HOUR_MS);
    let moment = Temporal.Instant.fromEpochMilliseconds(FIRST_UTC_MS).toZonedDateTimeISO(
      clock.zone,
    );
    this.offsetsMs.push(moment.offsetNanoseconds / 1e6 + shiftMs);
    for (;;) {
      const next = moment.getTimeZoneTransition('next');
      if (next === null || next.epochMilliseconds >= LAST_UTC_MS) return;
      moment = next;
      const offsetMs = moment.offsetNanoseconds / 1e6 + shiftMs;
      if (offsetMs === this.offsetsMs.at(-1)) continue;
      this.beginsUtcMs.push(moment.epochMilliseconds);
      this.offsetsMs.push(offsetMs);
    }
  }

  /** The broker's wall time at a moment of UTC. */
  brokerTimeOf(utcMs: number): BrokerTimeMs {
    let low = 0;
    let high = this.beginsUtcMs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.beginOf(middle) <= utcMs) low = middle;
      else high = middle - 1;
    }
    return utcMs + this.offsetOf(low);
  }

  /**
   * The UTC of a wall time. If it is shown twice, the first pass is meant, unless the account's
   * newest moment, `lastUtcMs`, is in the second already, or its wall time is later than this one
   * by more than half of the repeated stretch. NaN: nothing is known of the account.
   */
  utcOf(timeMs: BrokerTimeMs, lastUtcMs: number): number {
    if (timeMs >= this.plainFromMs && timeMs < this.plainUntilMs) {
      return timeMs - this.plainOffsetMs;
    }
    return this.searchUtcOf(timeMs, lastUtcMs);
  }

  /** The wall times shown twice that a time is one of, if it is; the end is exclusive. */
  shownTwice(timeMs: BrokerTimeMs): { fromMs: BrokerTimeMs; untilMs: BrokerTimeMs } | undefined {
    if (this.utcOf(timeMs, Number.NaN) === this.utcOf(timeMs, Number.POSITIVE_INFINITY)) return;
    const second = this.stretchOf(timeMs) + 1;
    const changeUtcMs = this.beginOf(second);
    return {
      fromMs: changeUtcMs + this.offsetOf(second),
      untilMs: changeUtcMs + this.offsetOf(second - 1),
    };
  }

  private searchUtcOf(timeMs: BrokerTimeMs, lastUtcMs: number): number {
    const low = this.stretchOf(timeMs);
    const offsetMs = this.offsetOf(low);
    const changeUtcMs = this.beginOf(low + 1);
    const nextOffsetMs = this.offsetOf(low + 1);
    const plainUntilMs = changeUtcMs + Math.min(offsetMs, nextOffsetMs);
    if (timeMs < plainUntilMs) {
      this.plainFromMs = this.firstShownAfter(low);
      this.plainUntilMs = plainUntilMs;
      this.plainOffsetMs = offsetMs;
      return timeMs - offsetMs;
    }
    const repeatedMs = offsetMs - nextOffsetMs;
    const secondPass =
      repeatedMs > 0 &&
      (lastUtcMs >= changeUtcMs || timeMs < lastUtcMs + offsetMs - repeatedMs / 2);
    return timeMs - (secondPass ? nextOffsetMs : offsetMs);
  }

  private stretchOf(timeMs: BrokerTimeMs): number {
    let low = 0;
    let high = this.beginsUtcMs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.firstShownAfter(middle) <= timeMs) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private firstShownAfter(stretch: number): BrokerTimeMs {
    if (stretch === 0) return Number.NEGATIVE_INFINITY;
    return this.beginOf(stretch) + Math.max(this.offsetOf(stretch - 1), this.offsetOf(stretch));
  }

  private beginOf(stretch: number): number {
    return this.beginsUtcMs[stretch] ?? Number.POSITIVE_INFINITY;
  }

  private offsetOf(stretch: number): number {
    return this.offsetsMs[stretch] ?? this.offsetsMs.at(-1) ?? 0;
  }
}
