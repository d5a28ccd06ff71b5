import { type BrokerTimeMs, HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import type { EquityHour } from '../live/live-records.ts';
import type { Money } from '../money.ts';

/** Money that came or went without being profit or loss. */
export type Transfer = { timeMs: BrokerTimeMs; money: Money };

export type DrawdownPoint = {
  startTimeMs: BrokerTimeMs;
  /** How far the index was below its highest point, as a fraction of it, at the deepest of the hour. */
  below: number;
  /** What it was at the end of the hour. */
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
 * A transfer may show in snapshots later than it was booked, if they are seldom, or a little earlier,
 * if clocks differ. Near the end of an hour its equity tells whether it is in.
 */
const LATE_MS = 10 * MINUTE_MS;
const EARLY_MS = MINUTE_MS;

/**
 * Drawdown of the time-weighted index of the equity: what one unit that was in from the first hour has
 * become, with deposits and withdrawals taken out, so that they are neither gain nor drawdown. Hours
 * and transfers come in the order of time. The order of the lowest and the highest equity of an hour is
 * not known: the lowest counts from the highest point of the hours before, so a fall from a peak of the
 * same hour is missed rather than made up. Of an hour with a transfer only the last equity counts.
 */
export class EquityDrawdown {
  readonly #transfers: readonly Transfer[];
  #next = 0;
  /** Index of a unit of equity, from one transfer to the next: so equal equities are equal to it. */
  #scale: number | undefined;
  #index = 1;
  #peak = 1;
  #peakTimeMs: BrokerTimeMs | undefined;
  #equity: Money | undefined;
  #spell: DrawdownSpell | undefined;
  readonly spells: DrawdownSpell[] = [];
  #deepest = 0;

  constructor(transfers: readonly Transfer[]) {
    this.#transfers = transfers;
  }

  /** The deepest of all so far, as a fraction. */
  get deepest(): number {
    return this.#deepest;
  }

  /** What one unit has become. */
  get index(): number {
    return this.#index;
  }

  add(hour: EquityHour): DrawdownPoint {
    const { startTimeMs, startEquity, lastEquity } = hour;
    // What came before the first hour is in its equity.
    const since = this.#take(startTimeMs);
    const equity = this.#equity === undefined ? startEquity : this.#equity + since;
    if (this.#scale === undefined || since !== 0) this.#scaleTo(equity);
    const own = this.#takeOwn(startTimeMs + HOUR_MS, equity, lastEquity);
    const last = this.#indexOf(lastEquity - own);
    // Which side of a transfer an extreme was on is not known.
    const lowest = own === 0 ? Math.min(this.#indexOf(hour.minEquity), last) : last;
    const highest = own === 0 ? Math.max(this.#indexOf(hour.maxEquity), last) : last;
    const fall = this.#fallTo(startTimeMs, lowest);
    this.#rise(startTimeMs, highest);
    const below = Math.max(fall, this.#fallTo(startTimeMs, last));
    this.#index = last;
    this.#equity = lastEquity;
    if (own !== 0 || lastEquity <= 0) this.#scaleTo(lastEquity);
    return { startTimeMs, below, index: last };
  }

  /** From now on the index is what it is, at this equity; it stays where there is no rate. */
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

  /** Money of the transfers before a time that are not counted yet. */
  #take(untilMs: BrokerTimeMs): Money {
    let money = 0;
    for (;;) {
      const transfer = this.#transfers[this.#next];
      if (!transfer || transfer.timeMs >= untilMs) return money;
      money += transfer.money;
      this.#next += 1;
    }
  }

  /** The same of an hour, of which those near its end are told by whether they explain its equity. */
  #takeOwn(endMs: BrokerTimeMs, equity: Money, lastEquity: Money): Money {
    let money = this.#take(endMs - LATE_MS);
    for (;;) {
      const transfer = this.#transfers[this.#next];
      if (!transfer || transfer.timeMs >= endMs + EARLY_MS) return money;
      const change = lastEquity - equity - money;
      if (Math.abs(change - transfer.money) >= Math.abs(change)) return money;
      money += transfer.money;
      this.#next += 1;
    }
  }
}
