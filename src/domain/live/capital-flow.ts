import type { DealType } from '../../words/deals.ts';
import { type BrokerTimeMs, MINUTE_MS } from '../broker-time.ts';
import { countFirst } from '../count-first.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';

/** A deal that moves the balance. */
export type Booking = { timeMs: BrokerTimeMs; money: Money };

/** A deposit, a withdrawal or credit: money in or out that is no profit or loss. */
export type CapitalDeal = Booking & { type: DealType };

/** The figures of a snapshot that was taken at some time with fromMs ≤ time < toMs. */
export type Reading = { fromMs: BrokerTimeMs; toMs: BrokerTimeMs; balance: Money; equity: Money };

/** Deposits, withdrawals and credit between two readings: their sum and their number. */
export type Flow = { money: Money; count: number };

/** Platforms book by their own clock: a snapshot may show a deal early or late by this much. */
export const CLOCK_SLACK_MS = MINUTE_MS;
/** With more deals than this between two readings, times decide instead of balances. */
export const MAX_BOOKINGS = 200;
const NOTHING: Flow = { money: 0, count: 0 };

/** A place between two deals: a reading includes the deals before it. */
type Place = { balance: Money; capital: Money; shown: number; beforeMs: number; afterMs: number };
type Pair = Flow & { shown: number; unexplained: Money; offEquity: Money };

/**
 * Finds the deposits, withdrawals and credits that each of a series of readings is the first to
 * show. When in its hour a snapshot was taken is unknown, and snapshots may be rare, so the time of
 * a deal does not tell whether an hour's equity includes it. The balances do: the deals between two
 * readings lead from one balance to the other. If several choices explain the balances equally well
 * (credit moves only the equity, some trades may be unknown), the equity decides; if that leaves
 * several too, the one that shows the most deals.
 */
export class CapitalFlow {
  readonly #capital: readonly CapitalDeal[];
  #last: Reading | undefined;
  /** The possible numbers of deals that the last reading shows, ascending. */
  #shown: number[] = [];

  /** @param capital in order of time */
  constructor(capital: readonly CapitalDeal[]) {
    this.#capital = capital;
  }

  /**
   * The span of time of the trades that `next` needs for this reading; undefined if it needs none.
   */
  needs(reading: Reading): { fromMs: BrokerTimeMs; toMs: BrokerTimeMs } | undefined {
    if (!this.#last || this.#onlyChoice(reading)) return undefined;
    return { fromMs: this.#last.fromMs - CLOCK_SLACK_MS, toMs: reading.toMs + CLOCK_SLACK_MS };
  }

  /**
   * The capital that the next reading shows first; none for the very first.
   * @param trades all deals of the needed span except capital, in order of time; if there are more
   * than MAX_BOOKINGS, any MAX_BOOKINGS + 1 of them
   */
  next(reading: Reading, trades: readonly Booking[] = []): Flow {
    const last = this.#last;
    this.#last = reading;
    const [least, most] = this.#bounds(reading);
    if (!last) {
      this.#shown = most - least > MAX_BOOKINGS ? [this.#before(reading.toMs)] : upTo(least, most);
      return NOTHING;
    }
    const only = this.#onlyChoice(reading);
    if (only) return this.#take(only.from, only.to);
    const base = this.#before(last.fromMs - CLOCK_SLACK_MS);
    if (most - base + trades.length > MAX_BOOKINGS) {
      const from = this.#shown.at(-1) ?? 0;
      return this.#take(from, Math.max(from, this.#before(reading.toMs)));
    }
    const places = this.#places(base, most, trades);
    return this.#choose(this.#pairs(places, last, reading));
  }

  #choose(pairs: readonly Pair[]): Flow {
    const best = pairs.reduce((one, other) => (isBetter(other, one) ? other : one));
    const alike = pairs.filter(
      ({ unexplained, money, count }) =>
        unexplained === best.unexplained && money === best.money && count === best.count,
    );
    this.#shown = [...new Set(alike.map(({ shown }) => shown))].sort((a, b) => a - b);
    return { money: best.money, count: best.count };
  }

  /** Every possible choice of what the last reading shows and the next one shows. */
  #pairs(places: readonly Place[], last: Reading, next: Reading): Pair[] {
    const from = places.map(
      (place) => this.#shown.includes(place.shown) && place.beforeMs < last.toMs + CLOCK_SLACK_MS,
    );
    const to = places.map(
      ({ beforeMs, afterMs }) =>
        beforeMs < next.toMs + CLOCK_SLACK_MS && afterMs >= next.fromMs - CLOCK_SLACK_MS,
    );
    return places.flatMap((start, first) =>
      from[first]
        ? places.flatMap((end, second) =>
            to[second] && second >= first ? [pairOf(start, end, last, next)] : [],
          )
        : [],
    );
  }

  #places(base: number, most: number, trades: readonly Booking[]): Place[] {
    const deals = [
      ...this.#capital.slice(base, most).map(({ timeMs, money, type }) => {
        return { timeMs, balance: isCredit({ type }) ? 0 : money, capital: money, count: 1 };
      }),
      ...trades.map(({ timeMs, money }) => ({ timeMs, balance: money, capital: 0, count: 0 })),
    ].sort((a, b) => a.timeMs - b.timeMs);
    let place: Place = {
      ...{ balance: 0, capital: 0, shown: base },
      ...{ beforeMs: Number.NEGATIVE_INFINITY, afterMs: Number.POSITIVE_INFINITY },
    };
    const places = [place];
    for (const { timeMs, balance, capital, count } of deals) {
      place.afterMs = timeMs;
      place = {
        balance: place.balance + balance,
        capital: place.capital + capital,
        shown: place.shown + count,
        ...{ beforeMs: timeMs, afterMs: Number.POSITIVE_INFINITY },
      };
      places.push(place);
    }
    return places;
  }

  #onlyChoice(reading: Reading): { from: number; to: number } | undefined {
    const [least, most] = this.#bounds(reading);
    const [from, ...others] = this.#shown;
    const to = Math.max(least, from ?? 0);
    return from !== undefined && others.length === 0 && to >= most ? { from, to } : undefined;
  }

  #take(from: number, to: number): Flow {
    this.#shown = [to];
    const taken = this.#capital.slice(from, to);
    return { money: taken.reduce((sum, { money }) => sum + money, 0), count: taken.length };
  }

  /** How many of the deals a reading shows at least and at most, by its time. */
  #bounds({ fromMs, toMs }: Reading): [number, number] {
    return [this.#before(fromMs - CLOCK_SLACK_MS), this.#before(toMs + CLOCK_SLACK_MS)];
  }

  /** How many of the deals are before a time. */
  #before(timeMs: BrokerTimeMs): number {
    const capital = this.#capital;
    return countFirst(capital.length, (place) => (capital[place]?.timeMs ?? timeMs) < timeMs);
  }
}

function pairOf(start: Place, end: Place, last: Reading, next: Reading): Pair {
  const money = end.capital - start.capital;
  const unexplained = next.balance - last.balance - (end.balance - start.balance);
  return {
    money,
    count: end.shown - start.shown,
    shown: end.shown,
    unexplained: Math.abs(unexplained),
    offEquity: Math.abs(next.equity - last.equity - money),
  };
}

function isBetter(a: Pair, b: Pair): boolean {
  if (a.unexplained !== b.unexplained) return a.unexplained < b.unexplained;
  if (a.offEquity !== b.offEquity) return a.offEquity < b.offEquity;
  return a.shown > b.shown;
}

const upTo = (least: number, most: number): number[] =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index);
