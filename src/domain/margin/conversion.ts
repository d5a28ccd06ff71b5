import { Exact } from './exact.ts';
import { isForexMode } from './margin-mode.ts';
import { type MarginSymbol, type MarketData, middleOf, type Quote } from './market.ts';
import type { ConversionInput } from './rules.ts';
import { MarginUnavailable } from './unavailable.ts';

const BRIDGE_CURRENCY = 'USD';
const PAIR_NAME_LENGTH = 6;

/** Which price of `from` in `to`: paid to buy it, received for selling it, or halfway between. */
type PriceKind = 'ask' | 'bid' | 'mid';
type RateSearch = (from: string, to: string, kind: PriceKind) => Exact | undefined;

/**
 * p5: the symbol's own pair converts at the order's own price, any other pair at its ask for buys
 * and its bid for sells; a pair quoted the other way round gives 1 / its opposite price. A forex
 * symbol prefers pairs of its own postfix, then the first by name. If no pair converts directly,
 * two pairs do by way of USD, each at the price that is worse for the client.
 * Source: MetaTrader 5 Administrator help, Conversion.
 */
export function p5ConversionRate(input: ConversionInput): Exact {
  const { symbol, side, market } = input;
  const postfix = isForexMode(symbol.marginMode) ? postfixOf(symbol) : undefined;
  const search: RateSearch = (from, to, kind) =>
    firstRate(market, byPostfix(market.forexPairs(from, to), postfix), (quote) =>
      priceOf(quote, kind),
    ) ??
    firstRate(market, byPostfix(market.forexPairs(to, from), postfix), (quote) =>
      inverted(quote, kind),
    );
  return convert(input, search, side === 'buy' ? 'ask' : 'bid', 'ask');
}

/**
 * p4: as p5, but at the middle of bid and ask, and only with pairs of the right name: both
 * currencies, then whatever follows the sixth character of a forex symbol's own name.
 * Source: MetaTrader 4 Administrator help, Margin Calculation.
 */
export function p4ConversionRate(input: ConversionInput): Exact {
  const { symbol, market } = input;
  const postfix = isForexMode(symbol.marginMode) ? symbol.symbol.slice(PAIR_NAME_LENGTH) : '';
  const pair = (name: string) => {
    const found = market.symbol(name);
    return found && isForexMode(found.marginMode) ? [found] : [];
  };
  const search: RateSearch = (from, to, kind) =>
    firstRate(market, pair(from + to + postfix), (quote) => priceOf(quote, kind)) ??
    firstRate(market, pair(to + from + postfix), (quote) => inverted(quote, kind));
  return convert(input, search, 'mid', 'mid');
}

function convert(
  { symbol, openPrice, currency }: ConversionInput,
  search: RateSearch,
  direct: PriceKind,
  crossed: PriceKind,
): Exact {
  const from = symbol.currencyMargin;
  if (from === currency) return Exact.ONE;
  if (isForexMode(symbol.marginMode)) {
    if (symbol.currencyBase === from && symbol.currencyProfit === currency) return openPrice;
    if (symbol.currencyBase === currency && symbol.currencyProfit === from)
      return Exact.ONE.over(openPrice);
  }
  const rate = search(from, currency, direct);
  if (rate) return rate;
  const toBridge = search(from, BRIDGE_CURRENCY, crossed);
  const fromBridge = search(BRIDGE_CURRENCY, currency, crossed);
  if (toBridge && fromBridge) return toBridge.times(fromBridge);
  throw new MarginUnavailable(`there are no prices to convert ${from} into ${currency}`);
}

function firstRate(
  market: MarketData,
  pairs: readonly MarginSymbol[],
  rateOf: (quote: Quote) => Exact,
): Exact | undefined {
  for (const pair of pairs) {
    const quote = market.quote(pair.symbol);
    if (quote && isPrice(quote.bid) && isPrice(quote.ask)) return rateOf(quote);
  }
  return undefined;
}

const isPrice = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY;

const priceOf = (quote: Quote, kind: PriceKind): Exact =>
  kind === 'mid' ? middleOf(quote) : Exact.of(quote[kind]);

/** Buying the profit currency is selling the base currency, so ask and bid change places. */
function inverted(quote: Quote, kind: PriceKind): Exact {
  const opposite = kind === 'ask' ? 'bid' : kind === 'bid' ? 'ask' : 'mid';
  return Exact.ONE.over(priceOf(quote, opposite));
}

/** The suffix after the currencies in a pair's name: `.x` of `EURUSD.x`. */
function postfixOf(symbol: MarginSymbol): string | undefined {
  const pair = symbol.currencyBase + symbol.currencyProfit;
  return symbol.symbol.startsWith(pair) ? symbol.symbol.slice(pair.length) : undefined;
}

function byPostfix(
  pairs: readonly MarginSymbol[],
  postfix: string | undefined,
): readonly MarginSymbol[] {
  if (postfix === undefined) return pairs;
  const same = (pair: MarginSymbol) => postfixOf(pair) === postfix;
  return [...pairs.filter(same), ...pairs.filter((pair) => !same(pair))];
}
