import type { BrokerTimeMs } from '../broker-time.ts';
import type { Flow } from '../live/capital-flow.ts';
import type { EquityHour } from '../live/live-records.ts';
import type { Money } from '../money.ts';

export type DrawdownPoint = {
  startTimeMs: BrokerTimeMs;
  /** The hour's deepest fall of the index below its highest point, as a fraction of that. */
  below: number;
  /** The index at the end of the hour. */
  index: number;
};

/** A fall from a highest point until that is reached again; times are beginnings of hours. */
export type DrawdownSpell = {
  startTimeMs: BrokerTimeMs;
  troughTimeMs: BrokerTimeMs;
  /** Absent while it lasts. */
  recoveryTimeMs?: BrokerTimeMs | undefined;
  /** Fraction of the highest point. */
  depth: number;
};

/**
 * Drawdown of the time-weighted index of the equity: the value of one unit invested in the first
 * hour, with deposits and withdrawals taken out, so that they are neither gain nor drawdown. Hours
 * come in order of time. The order of an hour's lowest and highest equity is unknown: the lowest
 * counts from the highest point of the hours before, so a fall from a peak of the same hour is
 * missed rather than made up. If money came in or out within an hour, only its last equity counts.
 */
export class EquityDrawdown {
  /** Index per unit of equity. It stays between transfers, so equal equities have equal indexes. */
  #scale: number | undefined;
  #index = 1;
  #peak = 1;
  #peakTimeMs: BrokerTimeMs | undefined;
  #equity: Money | undefined;
  #spell: DrawdownSpell | undefined;
  readonly spells: DrawdownSpell[] = [];
  #deepest = 0;

  /** The deepest fall so far, as a fraction. */
  get deepest(): number {
    return this.#deepest;
  }

  /** The present value of one unit. */
  get index(): number {
    return this.#index;
  }

  /**
   * @param before money that the first equity of the hour shows, and the last of the hour before
   * did not
   * @param within money that the last equity of the hour shows, and its first did not
   */
  add(hour: EquityHour, before: Flow, within: Flow): DrawdownPoint {
    const { startTimeMs, startEquity, lastEquity } = hour;
    const equity = this.#equity === undefined ? startEquity : this.#equity + before.money;
    if (this.#scale === undefined || before.money !== 0) this.#scaleTo(equity);
    const last = this.#indexOf(lastEquity - within.money);
    // Whether an extreme was before or after a transfer is not known.
    const isMoved = within.count > 0;
    const lowest = isMoved ? last : Math.min(this.#indexOf(hour.minEquity), last);
    const highest = isMoved ? last : Math.max(this.#indexOf(hour.maxEquity), last);
    const fall = this.#fallTo(startTimeMs, lowest);
    this.#rise(startTimeMs, highest);
    const below = Math.max(fall, this.#fallTo(startTimeMs, last));
    this.#index = last;
    this.#equity = lastEquity;
    if (isMoved || lastEquity <= 0) this.#scaleTo(lastEquity);
    return { startTimeMs, below, index: last };
  }

  /** Sets the present index for this equity; it stands still while equity is not positive. */
  #scaleTo(equity: Money): void {
    this.#scale = equity > 0 ? this.#index / equity : 0;
  }

  #indexOf(equity: Money): number {
    return this.#scale ? Math.max(0, this.#scale * equity) : this.#index;
  }

  #fallTo(timeMs: BrokerTimeMs, index: number): number {
    const depth = this.#peak > 0 ? Math.max(0, 1 - index / this.#peak) : 0;
    if (depth === 0) return 0;
    this.#deepest = Math.max(this.#deepest, depth);
    if (!this.#spell) {
      const startTimeMs = this.#peakTimeMs ?? timeMs;
      this.#spell = { startTimeMs, troughTimeMs: timeMs, depth };
      this.spells.push(this.#spell);
    } else if (depth > this.#spell.depth) {
      this.#spell.depth = depth;
      this.#spell.troughTimeMs = timeMs;
    }
    return depth;
  }

  #rise(timeMs: BrokerTimeMs, index: number): void {
    this.#peakTimeMs ??= timeMs;
    if (index < this.#peak) return;
    this.#peak = index;
    this.#peakTimeMs = timeMs;
    if (this.#spell) this.#spell.recoveryTimeMs = timeMs;
    this.#spell = undefined;
  }
}
