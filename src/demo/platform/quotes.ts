import { DAY_MS } from '../../domain/broker-time.ts';
import type { Instrument } from './instrument.ts';
import { chance, hashText, mix } from './random.ts';

export type Quote = { symbol: string; bid: number; ask: number };

/** The fastest movement lasts 4 s, the slowest 4 s × 2^21, some 97 days. */
const FASTEST_MS = 4_000;
const OCTAVES = 22;

/**
 * Prices as a function of (seed, symbol, time). A random walk is a sum of movements of all lengths,
 * each as wide as the square root of its length; summing smooth noise of doubling lengths gives a
 * similar curve that can be read at any moment and never drifts away from its level.
 */
export class Quotes {
  readonly #movements: ReadonlyMap<string, readonly Movement[]>;
  readonly #instruments: ReadonlyMap<string, Instrument>;

  constructor(seed: number, instruments: readonly Instrument[]) {
    this.#instruments = new Map(instruments.map((each) => [each.symbol, each]));
    this.#movements = new Map(instruments.map(({ symbol }) => [symbol, movements(seed, symbol)]));
  }

  instrument(symbol: string): Instrument | undefined {
    return this.#instruments.get(symbol);
  }

  /** Bid and ask at a moment, on the symbol's price steps. Simulated markets never close. */
  quote(instrument: Instrument, utcMs: number): Quote {
    const scale = 10 ** instrument.digits;
    const step = Math.max(1, Math.round(instrument.tickSize * scale));
    const bidPoints =
      Math.max(1, Math.round(this.#level(instrument, utcMs) * (scale / step))) * step;
    return {
      symbol: instrument.symbol,
      bid: bidPoints / scale,
      ask: (bidPoints + instrument.spread) / scale,
    };
  }

  /**
   * The value of one unit of `from` in `to`, in the middle of the spread: by the pair itself, its
   * inverse, or through the US dollar. Undefined if no pairs lead there.
   */
  rate(from: string, to: string, utcMs: number): number | undefined {
    const direct = this.#pairRate(from, to, utcMs);
    if (direct !== undefined || from === 'USD' || to === 'USD') return direct;
    const first = this.#pairRate(from, 'USD', utcMs);
    const second = this.#pairRate('USD', to, utcMs);
    return first === undefined || second === undefined ? undefined : first * second;
  }

  #pairRate(from: string, to: string, utcMs: number): number | undefined {
    if (from === to) return 1;
    const direct = this.#middle(from + to, utcMs);
    if (direct !== undefined) return direct;
    const inverse = this.#middle(to + from, utcMs);
    return inverse === undefined ? undefined : 1 / inverse;
  }

  #middle(symbol: string, utcMs: number): number | undefined {
    const instrument = this.#instruments.get(symbol);
    if (!instrument) return undefined;
    const { bid, ask } = this.quote(instrument, utcMs);
    return (bid + ask) / 2;
  }

  #level(instrument: Instrument, utcMs: number): number {
    const [left, right] = (instrument.product ?? []).map((symbol) => this.#instruments.get(symbol));
    if (left && right) return this.#level(left, utcMs) * this.#level(right, utcMs);
    let sum = 0;
    for (const movement of this.#movements.get(instrument.symbol) ?? []) sum += movement.at(utcMs);
    // Movements shorter and longer than a day add up to 1.2 times the one-day movement.
    return instrument.price * Math.exp((instrument.dailyMove / 1.2) * sum);
  }
}

function movements(seed: number, symbol: string): Movement[] {
  const state = mix(seed, hashText(symbol));
  return Array.from(
    { length: OCTAVES },
    (_, octave) => new Movement(mix(state, octave), FASTEST_MS * 2 ** octave),
  );
}

/**
 * Straight lines between random numbers, one per length. Histories are computed from closely spaced
 * quotes, so the ends of the last line are cached: most quotes are still on it.
 */
class Movement {
  readonly #state: number;
  readonly #lengthMs: number;
  readonly #width: number;
  #index = Number.NaN;
  #left = 0;
  #right = 0;

  constructor(state: number, lengthMs: number) {
    this.#state = state;
    this.#lengthMs = lengthMs;
    this.#width = Math.sqrt(lengthMs / DAY_MS);
  }

  at(utcMs: number): number {
    const position = utcMs / this.#lengthMs;
    const index = Math.floor(position);
    if (index !== this.#index) {
      this.#index = index;
      this.#left = chance(this.#state, index) * 2 - 1;
      this.#right = chance(this.#state, index + 1) * 2 - 1;
    }
    return this.#width * (this.#left + (this.#right - this.#left) * (position - index));
  }
}
