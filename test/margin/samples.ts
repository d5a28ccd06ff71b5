import type { MarginSymbol, MarketData, Quote } from '../../src/domain/margin/market.ts';
import { marketOf } from '../../src/domain/margin/market.ts';
import type { MarginAccount } from '../../src/domain/margin/rules.ts';
import type { Platform } from '../../src/words/accounts.ts';

/** For tests: a currency pair of 100 000, with `changes` applied. */
export function sampleSymbol(symbol: string, changes: Partial<MarginSymbol> = {}): MarginSymbol {
  const currencyBase = symbol.slice(0, 3);
  return {
    symbol,
    marginMode: 'FOREX',
    contractSize: 100_000,
    currencyBase,
    currencyProfit: symbol.slice(3, 6),
    currencyMargin: currencyBase,
    digits: 5,
    volumeMin: 0.01,
    volumeMax: 500,
    volumeStep: 0.01,
    ...changes,
  };
}

/** For tests: an instrument whose margin is in dollars already. */
export const sampleContract = (symbol: string, changes: Partial<MarginSymbol>): MarginSymbol =>
  sampleSymbol(symbol, {
    currencyBase: 'USD',
    currencyProfit: 'USD',
    currencyMargin: 'USD',
    digits: 2,
    ...changes,
  });

/** For tests: bid and ask by symbol. */
export function sampleMarket(
  symbols: readonly MarginSymbol[],
  prices: Readonly<Record<string, readonly [bid: number, ask: number]>> = {},
): MarketData {
  const quotes: Quote[] = Object.entries(prices).map(([symbol, [bid, ask]]) => ({
    symbol,
    bid,
    ask,
  }));
  return marketOf(symbols, quotes);
}

export const sampleAccount = (
  family: Platform,
  currency: string,
  leverage: number,
  currencyDigits = 2,
): MarginAccount => ({ family, currency, currencyDigits, leverage });
