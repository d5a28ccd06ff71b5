import { parseMarginMode } from '../../domain/margin/margin-mode.ts';
import type { MarginSymbol, MarketData } from '../../domain/margin/market.ts';
import { marketOf } from '../../domain/margin/market.ts';
import type { SymbolRecord } from '../../domain/margin/read-market.ts';
import type { Platform5Symbol, PlatformMarket, PlatformSymbol } from '../../platforms/gateway.ts';
import type { Platform } from '../../words/accounts.ts';
import type { BrokerCalendar } from './calendar.ts';
import type { Instrument } from './instrument.ts';
import type { Quotes } from './quotes.ts';

/** Settings of a symbol for margin, in the words of the family. */
function marginSymbol(instrument: Instrument): SymbolRecord {
  const { symbol, marginMode, contractSize, currencyBase, currencyProfit, currencyMargin } =
    instrument;
  const { digits, volumeMin, volumeMax, volumeStep, tickSize, tickValue } = instrument;
  const { marginInitial, marginMaintenance, marginHedged, marginRates } = instrument;
  const { percentage, faceValue, priceSettle } = instrument;
  return {
    symbol,
    marginMode,
    contractSize,
    currencyBase,
    currencyProfit,
    currencyMargin,
    digits,
    volumeMin,
    volumeMax,
    volumeStep,
    tickSize,
    tickValue,
    marginInitial,
    marginMaintenance,
    marginHedged,
    marginRates,
    percentage,
    faceValue,
    priceSettle,
  };
}

/** Settings for the margin of one symbol: itself and every pair that may convert its currency. */
export function platformMarket(
  instruments: readonly Instrument[],
  symbol: string,
  quotes: Quotes,
  calendar: BrokerCalendar,
  utcMs: number,
): PlatformMarket {
  const needed = instruments.filter(
    (each) => each.symbol === symbol || each.profitMode === 'PROFIT_CALC_FOREX',
  );
  return {
    symbols: needed.map(marginSymbol),
    quotes: needed.map((instrument) => ({
      ...quotes.quote(instrument, utcMs),
      brokerTimeMs: calendar.brokerTime(utcMs),
    })),
  };
}

/** Likewise for internal calculations: prices are made on demand. */
export class MarketAt implements MarketData {
  readonly #settings: MarketData;
  readonly #quotes: Quotes;
  readonly #utcMs: number;

  constructor(settings: MarketData, quotes: Quotes, utcMs: number) {
    this.#settings = settings;
    this.#quotes = quotes;
    this.#utcMs = utcMs;
  }

  symbol(name: string): MarginSymbol | undefined {
    return this.#settings.symbol(name);
  }

  quote(name: string): { symbol: string; bid: number; ask: number } | undefined {
    const instrument = this.#quotes.instrument(name);
    return instrument && this.#quotes.quote(instrument, this.#utcMs);
  }

  forexPairs(currencyBase: string, currencyProfit: string): readonly MarginSymbol[] {
    return this.#settings.forexPairs(currencyBase, currencyProfit);
  }
}

/** The margin settings of all instruments, without prices. */
export function marginSettings(family: Platform, instruments: readonly Instrument[]): MarketData {
  const symbols = instruments.flatMap((instrument) => {
    const marginMode = parseMarginMode(family, instrument.marginMode);
    return marginMode ? [{ ...marginSymbol(instrument), marginMode }] : [];
  });
  return marketOf(symbols, []);
}

/** The record of a symbol; tick values are those of one lot in US dollars at the moment. */
export function platformSymbol(
  instrument: Instrument,
  quotes: Quotes,
  utcMs: number,
): PlatformSymbol {
  const point = 10 ** -instrument.digits;
  const { bid, ask } = quotes.quote(instrument, utcMs);
  const toDollars = quotes.rate(instrument.currencyProfit, 'USD', utcMs) ?? 0;
  // If the dollar is the base currency, the pair's own two prices convert.
  const ownPair = instrument.currencyBase === 'USD' && instrument.currencyProfit !== 'USD';
  const { tickSize } = instrument;
  const amount = tickSize > 0 ? instrument.tickValue : instrument.contractSize * point;
  return {
    symbol: instrument.symbol,
    description: instrument.description,
    source: '',
    currency: instrument.currencyMargin,
    type: instrument.securityGroup,
    tickSize,
    tickValue: instrument.tickValue,
    digits: instrument.digits,
    marginMode: instrument.marginMode,
    profitMode: instrument.profitMode,
    freezeLevel: 0,
    point: Number(point.toFixed(instrument.digits)),
    multiply: 10 ** instrument.digits,
    bidTickValue: rounded(ownPair ? amount / bid : amount * toDollars),
    askTickValue: rounded(ownPair ? amount / ask : amount * toDollars),
    stopsLevel: 0,
    expiration: instrument.expirationMs ?? 0,
    tradeMode: 'TRADE_FULL',
  };
}

/** The symbol as listed by a p5 platform; currency pairs are in the folder Forex. */
export function platform5Symbol(instrument: Instrument): Platform5Symbol {
  const { symbol, description, currencyBase, currencyProfit, currencyMargin } = instrument;
  const { digits, contractSize, marginMode, volumeMin, volumeMax, volumeStep } = instrument;
  const folder = instrument.securityGroup === 0 ? 'Forex' : 'Other';
  return {
    ...{ symbol, path: `${folder}\\${symbol}`, description },
    ...{ currencyBase, currencyProfit, currencyMargin, digits, contractSize, marginMode },
    tradeMode: 'SYMBOL_TRADE_MODE_FULL',
    ...{ volumeMin, volumeMax, volumeStep },
    ...{ tickSize: instrument.tickSize, tickValue: instrument.tickValue },
    expiration: instrument.expirationMs ?? 0,
  };
}

/** Without the noise of doubles. */
const rounded = (value: number): number => Number(value.toPrecision(10));
