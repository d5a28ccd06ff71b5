import { HOUR_MS } from '../broker-time.ts';
import { Exact } from '../margin/exact.ts';
import { type Money, moneyDigits } from '../money.ts';

/** What an account stood at, at a moment of UTC. */
export type CurveReading = { utcMs: number; balance: Money; equity: Money };

/** What accounts stood at together at the end of an hour of UTC. */
export type CurveHour = {
  startUtcMs: number;
  balance: Money;
  equity: Money;
  /** How many had their first reading by then, and how many of these had none within the hour. */
  accounts: number;
  quiet: number;
};

/** Sums by hour: of 100 accounts of ±9·10^15 units each, they are within 64 bits. */
type CurrencySums = { balance: BigInt64Array; equity: BigInt64Array };

/**
 * The curve of accounts together, hour by hour of UTC: each counts with its last reading before the
 * end of the hour, from its first reading on. Accounts are added one after another and leave only
 * sums by currency, so that the memory does not depend on their number.
 */
export class CombinedCurve {
  readonly #startUtcMs: number;
  readonly #accounts: Uint16Array;
  readonly #quiet: Uint16Array;
  readonly #sums = new Map<string, CurrencySums>();

  /** For `hours` hours from one that begins at `startUtcMs`. */
  constructor(startUtcMs: number, hours: number) {
    this.#startUtcMs = startUtcMs;
    this.#accounts = new Uint16Array(hours);
    this.#quiet = new Uint16Array(hours);
  }

  /** Adds an account by its readings in the order of time; false if none is before its end. */
  add(currency: string, readings: readonly CurveReading[]): boolean {
    const { balance, equity } = this.#sumsOf(currency);
    let next = 0;
    let last: CurveReading | undefined;
    for (let hour = 0; hour < balance.length; hour += 1) {
      const startMs = this.#startUtcMs + hour * HOUR_MS;
      for (let one = readings[next]; one && one.utcMs < startMs + HOUR_MS; one = readings[next]) {
        last = one;
        next += 1;
      }
      if (!last) continue;
      this.#accounts[hour] = (this.#accounts[hour] ?? 0) + 1;
      if (last.utcMs < startMs) this.#quiet[hour] = (this.#quiet[hour] ?? 0) + 1;
      balance[hour] = (balance[hour] ?? 0n) + BigInt(last.balance);
      equity[hour] = (equity[hour] ?? 0n) + BigInt(last.equity);
    }
    const endMs = this.#startUtcMs + balance.length * HOUR_MS;
    return readings[0] !== undefined && readings[0].utcMs < endMs;
  }

  /**
   * The hours in which any account counts, in a currency, by the rate of each account's own: the
   * exact sum, rounded once to the digits in which its money is held, halves away from zero. A step
   * for each hour.
   */
  *convert(currency: string, rateOf: (from: string) => Exact): Generator<undefined, CurveHour[]> {
    const digits = moneyDigits(currency);
    const parts = [...this.#sums].map(([from, sums]) => ({
      ...sums,
      unit: rateOf(from).times(Exact.ofUnits(1n, moneyDigits(from))),
    }));
    const total = (kind: keyof CurrencySums, hour: number): Money => {
      const each = parts.map((part) => Exact.ofUnits(part[kind][hour] ?? 0n, 0).times(part.unit));
      return Number(Exact.sum(each).roundedUnits(digits));
    };
    const curve: CurveHour[] = [];
    for (const [hour, accounts] of this.#accounts.entries()) {
      if (accounts > 0)
        curve.push({
          startUtcMs: this.#startUtcMs + hour * HOUR_MS,
          balance: total('balance', hour),
          equity: total('equity', hour),
          accounts,
          quiet: this.#quiet[hour] ?? 0,
        });
      yield;
    }
    return curve;
  }

  #sumsOf(currency: string): CurrencySums {
    const known = this.#sums.get(currency);
    if (known) return known;
    const hours = this.#accounts.length;
    const made = { balance: new BigInt64Array(hours), equity: new BigInt64Array(hours) };
    this.#sums.set(currency, made);
    return made;
  }
}
