import {
  type BrokerClock,
  type BrokerTimeMs,
  brokerTimeAt,
  DAY_MS,
  DEFAULT_BROKER_CLOCK,
  HOUR_MS,
  utcAt,
} from '../../domain/broker-time.ts';
import { type Deal, isTradeDeal } from '../../domain/deal.ts';
import { isCoin } from '../../domain/trades/pip-size.ts';

/** Clocks of brokers, the most common first. */
const CLOCKS: readonly BrokerClock[] = [
  DEFAULT_BROKER_CLOCK,
  ...['UTC', 'Europe/Athens', 'Europe/London', 'America/New_York', 'Asia/Tokyo'].map((zone) => ({
    ...{ zone, shiftHours: 0 },
  })),
];
const NEW_YORK: BrokerClock = { zone: 'America/New_York', shiftHours: 0 };

/** Hours of symbols, near the end of a week, that are examined. */
const HOURS_MAX = 2_000;
const SYMBOLS_MAX = 1_000;

/** Hours since Monday 00:00; 1970-01-05 was a Monday. */
const hourOfWeek = (timeMs: BrokerTimeMs): number =>
  Math.floor(((((timeMs - 4 * DAY_MS) / HOUR_MS) % 168) + 168) % 168);

/** From Friday noon to Monday evening clocks may differ on whether the market is open. */
const isNearWeekend = (hour: number): boolean => hour >= 108 || hour < 18;
/** No clock from New York's to Tokyo's shows an open market then. */
const isClosedByAll = (hour: number): boolean => hour >= 127 && hour < 161;
/** From Friday to Sunday, 17:00 in New York. */
const isClosedInNewYork = (hour: number): boolean => hour >= 113 && hour < 161;

/** A clock, and the evidence for it. */
export type GuessedClock = { clock: BrokerClock; isTold: boolean; reason: string };

/**
 * Guesses the clock of a broker from the times of deals: currencies and metals trade from Sunday to
 * Friday, 17:00 in New York. Coins, and symbols that trade at weekends, prove nothing.
 */
export class ClockGuess {
  readonly #hours = new Set<string>();
  readonly #timesBySymbol = new Map<string, BrokerTimeMs[]>();
  readonly #weekendSymbols = new Set<string>();

  add(deals: readonly Deal[]): void {
    for (const deal of deals) {
      const { symbol, timeMs } = deal;
      if (!isTradeDeal(deal) || symbol === undefined || this.#weekendSymbols.has(symbol)) continue;
      const hour = hourOfWeek(timeMs);
      if (!isNearWeekend(hour) || isCoin(symbol)) continue;
      if (isClosedByAll(hour)) {
        if (this.#weekendSymbols.size < SYMBOLS_MAX) this.#weekendSymbols.add(symbol);
        continue;
      }
      const key = `${symbol} ${Math.floor(timeMs / HOUR_MS)}`;
      if (this.#hours.size >= HOURS_MAX || this.#hours.has(key)) continue;
      this.#hours.add(key);
      const times = this.#timesBySymbol.get(symbol);
      if (times) times.push(timeMs);
      else this.#timesBySymbol.set(symbol, [timeMs]);
    }
  }

  result(): GuessedClock {
    const times = [...this.#timesBySymbol].flatMap(([symbol, own]) =>
      this.#weekendSymbols.has(symbol) ? [] : own,
    );
    const counted = CLOCKS.map((clock) => ({
      clock,
      outside: times.filter((timeMs) => isOutside(timeMs, clock)).length,
    }));
    const least = Math.min(...counted.map(({ outside }) => outside));
    const best = counted.find(({ outside }) => outside === least);
    const clock = best?.clock ?? DEFAULT_BROKER_CLOCK;
    const worse = counted.find(({ outside }) => outside > least);
    if (!worse)
      return {
        ...{ clock, isTold: false },
        reason: 'The file does not say: this is the clock of most brokers',
      };
    return {
      ...{ clock, isTold: true },
      reason:
        `By this clock ${times.length - least} of the ${times.length} hours traded near a weekend ` +
        `lie within the market's week (Sunday to Friday, 17:00 in New York); by ` +
        `${wordsOf(worse.clock)} ${times.length - worse.outside} would`,
    };
  }
}

const isOutside = (timeMs: BrokerTimeMs, { zone, shiftHours }: BrokerClock): boolean => {
  const utcMs = utcAt(timeMs - shiftHours * HOUR_MS, zone);
  return isClosedInNewYork(hourOfWeek(brokerTimeAt(utcMs, NEW_YORK)));
};

const wordsOf = ({ zone, shiftHours }: BrokerClock): string =>
  shiftHours === 0 ? zone : `${zone} and ${shiftHours} hours`;
