import { MINUTE_MS } from '../../domain/broker-time.ts';
import type { Money, Volume } from '../../domain/money.ts';
import {
  currencyDigits,
  fromVolume,
  moneyDigits,
  roundMoney,
  toUnits,
} from '../../domain/money.ts';
import type { BrokerCalendar } from './calendar.ts';
import type { Instrument } from './instrument.ts';
import type { Quotes } from './quotes.ts';

/** A close of a position or of a part of it. */
export type Exit = {
  utcMs: number;
  price: number;
  volume: Volume;
  profit: Money;
  swap: Money;
  commission: Money;
  /** Number of the p5 deal. */
  deal: number;
  /** Number of the rest on p4; the position's own on p5. */
  restTicket: number;
  comment: string;
};

/** Conditions that close a position automatically. */
export type PositionEnds = {
  stopLoss?: number | undefined;
  takeProfit?: number | undefined;
  /** Half is closed at the first check after this moment. */
  partialUtcMs?: number | undefined;
  /** All is closed at the first check after this moment. */
  timeoutUtcMs?: number | undefined;
};

export type Position = PositionEnds & {
  ticket: number;
  /** Number of the p5 deal that opened it. */
  deal: number;
  instrument: Instrument;
  side: 1 | -1;
  volume: Volume;
  openUtcMs: number;
  openPrice: number;
  /** Booked with the opening deal on p5, 0 on p4. */
  commission: Money;
  exits: Exit[];
};

export type PlannedExit = Pick<Exit, 'utcMs' | 'price' | 'comment'> & { part: number };

/** The open part of the position at a moment. */
export function openVolumeAt(position: Position, utcMs: number): Volume {
  if (position.openUtcMs > utcMs) return 0;
  let open = position.volume;
  for (const exit of position.exits) if (exit.utcMs <= utcMs) open -= exit.volume;
  return open;
}

/** The closing price of the position: the bid for long ones, the ask for short ones. */
export function closePriceAt(quotes: Quotes, position: Position, utcMs: number): number {
  const quote = quotes.quote(position.instrument, utcMs);
  return position.side === 1 ? quote.bid : quote.ask;
}

/**
 * Checks once a minute, counted from the opening, whether a stop, target or time-out ends the
 * position after `fromUtcMs` and not after `toUtcMs`. The answer for a stretch does not depend on
 * how it is split into calls. A stop fills at the price found, a target at its own price.
 */
export function findExit(
  quotes: Quotes,
  position: Position,
  fromUtcMs: number,
  toUtcMs: number,
): PlannedExit | undefined {
  const { stopLoss, takeProfit, timeoutUtcMs, partialUtcMs, side } = position;
  const watched = [stopLoss, takeProfit, timeoutUtcMs, partialUtcMs].some((x) => x !== undefined);
  if (!watched) return undefined;
  const minutes = Math.floor((fromUtcMs - position.openUtcMs) / MINUTE_MS) + 1;
  let utcMs = position.openUtcMs + Math.max(1, minutes) * MINUTE_MS;
  for (; utcMs <= toUtcMs; utcMs += MINUTE_MS) {
    const price = closePriceAt(quotes, position, utcMs);
    if (stopLoss !== undefined && (price - stopLoss) * side <= 0)
      return { utcMs, price, comment: '[sl]', part: 1 };
    if (takeProfit !== undefined && (price - takeProfit) * side >= 0)
      return { utcMs, price: takeProfit, comment: '[tp]', part: 1 };
    if (timeoutUtcMs !== undefined && utcMs >= timeoutUtcMs)
      return { utcMs, price, comment: '', part: 1 };
    if (partialUtcMs !== undefined && utcMs >= partialUtcMs)
      return { utcMs, price, comment: 'partial close', part: 0.5 };
  }
  return undefined;
}

/** Turns plain amounts of other currencies into Money of the account's, in its printed digits. */
export class Valuation {
  readonly currency: string;
  readonly #quotes: Quotes;
  readonly #calendar: BrokerCalendar;

  constructor(currency: string, quotes: Quotes, calendar: BrokerCalendar) {
    this.currency = currency;
    this.#quotes = quotes;
    this.#calendar = calendar;
  }

  /** A plain amount in the account's own currency, rounded to its printed digits. */
  money(amount: number): Money {
    const digits = moneyDigits(this.currency);
    return roundMoney(toUnits(amount, digits), digits, currencyDigits(this.currency));
  }

  /** Profit of a part of the position closed at a price; 0 if no pair leads to the currency. */
  profit(position: Position, volume: Volume, price: number, utcMs: number): Money {
    const moved = (price - position.openPrice) * position.side;
    const amount = moved * pointValue(position.instrument) * fromVolume(volume);
    return this.#converted(amount, position.instrument, utcMs);
  }

  /** Swap of a part of the position since it opened, at the rate of the moment. */
  swap(position: Position, volume: Volume, utcMs: number): Money {
    const { instrument, openUtcMs, side } = position;
    const points = side === 1 ? instrument.swapLong : instrument.swapShort;
    const nights = this.#calendar.nights(openUtcMs, utcMs);
    const perLot = points * 10 ** -instrument.digits * pointValue(instrument);
    return this.#converted(perLot * nights * fromVolume(volume), instrument, utcMs);
  }

  /** The money of one lot in the account's currency for a price move of one. */
  valueOfMove(instrument: Instrument, utcMs: number): number | undefined {
    const rate = this.#quotes.rate(instrument.currencyProfit, this.currency, utcMs);
    return rate === undefined ? undefined : rate * pointValue(instrument);
  }

  #converted(amount: number, instrument: Instrument, utcMs: number): Money {
    const rate = this.#quotes.rate(instrument.currencyProfit, this.currency, utcMs);
    return rate === undefined ? 0 : this.money(amount * rate);
  }
}

/** The money of one lot in the profit currency for a price move of one. */
function pointValue(instrument: Instrument): number {
  if (instrument.profitMode === 'PROFIT_CALC_FUTURES')
    return instrument.tickSize > 0 ? instrument.tickValue / instrument.tickSize : 0;
  // Bonds are quoted in percent of their face value.
  const face = instrument.faceValue === undefined ? 1 : instrument.faceValue / 100;
  return instrument.contractSize * face;
}
