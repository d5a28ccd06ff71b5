import type { Platform } from '../../words/accounts.ts';
import { DAY_MS } from '../broker-time.ts';
import { Exact } from './exact.ts';
import { isForexMode, parseMarginMode } from './margin-mode.ts';
import { middleOf, type Quote } from './market.ts';
import type { MarketRecord } from './read-market.ts';

/** Weekends and holidays fit in. */
const QUOTES_LAST_MS = 7 * DAY_MS;

/** A symbol has at most ten digits: by smaller prices, money would be no number. */
const LEAST_PRICE = 1e-10;

/** Where no pair converts directly, two do by way of the first of these that has both. */
const BRIDGES = ['USD', 'EUR'];

/** The price of one unit of `base` in `profit`, in UTC. */
export type QuotedPair = {
  base: string;
  profit: string;
  symbol: string;
  bid: number;
  ask: number;
  quotedAtMs: number;
};
/** The same with the account that quoted it. */
export type PairQuote = QuotedPair & { accountNumber: number; accountId: string };

/** Units of `to` for one of `from`, and the quotes that it is made of: none of one currency. */
export type ExchangeRate = { rate: Exact; quotes: readonly PairQuote[] };

/**
 * The rates that quotes give: the middle of bid and ask of the pair, else of the inverse pair, else
 * of two by way of a bridge. The newest quote of a pair counts; of equally new ones that of the
 * older account. One older than QUOTES_LAST_MS, or below LEAST_PRICE, gives no rate.
 */
export function ratesFrom(
  quotes: Iterable<PairQuote>,
  nowMs: number,
): (from: string, to: string) => ExchangeRate | undefined {
  const usable = [...quotes].filter(
    ({ quotedAtMs, bid }) => nowMs - quotedAtMs <= QUOTES_LAST_MS && bid >= LEAST_PRICE,
  );
  const pairs = newestByPair(usable, (a, b) => a.accountNumber - b.accountNumber);
  const step = (from: string, to: string): ExchangeRate | undefined => {
    const pair = pairs.get(keyOf(from, to));
    if (pair) return { rate: middleOf(pair), quotes: [pair] };
    const inverse = pairs.get(keyOf(to, from));
    return inverse && { rate: Exact.ONE.over(middleOf(inverse)), quotes: [inverse] };
  };
  return (from, to) => {
    if (from === to) return { rate: Exact.ONE, quotes: [] };
    const direct = step(from, to);
    if (direct) return direct;
    for (const bridge of BRIDGES) {
      const [first, second] = [step(from, bridge), step(bridge, to)];
      if (!first || !second) continue;
      return {
        rate: first.rate.times(second.rate),
        quotes: [...first.quotes, ...second.quotes],
      };
    }
    return undefined;
  };
}

/** The pairs that may convert any of the currencies into `to`, each once. */
export function pairsFor(
  currencies: Iterable<string>,
  to: string,
): [base: string, profit: string][] {
  const pairs = new Map<string, [string, string]>();
  for (const from of new Set([...currencies, to])) {
    for (const other of [to, ...BRIDGES]) {
      if (from === other) continue;
      pairs.set(keyOf(from, other), [from, other]);
      pairs.set(keyOf(other, from), [other, from]);
    }
  }
  return [...pairs.values()];
}

/**
 * The forex pairs of a market that have a quote, the newest of each, of equally new ones the first
 * by the name of the symbol. `quotedAt` says when a quote was made, in UTC.
 */
export function quotedPairs(
  family: Platform,
  { symbols, quotes }: MarketRecord,
  quotedAt: (quote: Quote) => number,
): QuotedPair[] {
  const bySymbol = new Map(quotes.map((quote) => [quote.symbol, quote]));
  const quoted: QuotedPair[] = [];
  for (const { symbol, marginMode, currencyBase: base, currencyProfit: profit } of symbols) {
    const quote = bySymbol.get(symbol);
    const mode = parseMarginMode(family, marginMode);
    if (!quote || !mode || !isForexMode(mode) || base === profit) continue;
    const { bid, ask } = quote;
    quoted.push({ base, profit, symbol, bid, ask, quotedAtMs: quotedAt(quote) });
  }
  return [...newestByPair(quoted, (a, b) => (a.symbol < b.symbol ? -1 : 1)).values()];
}

const keyOf = (base: string, profit: string): string => `${base}/${profit}`;

/** The newest quote of each pair; `order` decides between equally new ones. */
function newestByPair<T extends QuotedPair>(
  quotes: readonly T[],
  order: (a: T, b: T) => number,
): Map<string, T> {
  const newest = new Map<string, T>();
  for (const quote of quotes) {
    const key = keyOf(quote.base, quote.profit);
    const known = newest.get(key);
    if (!known || (known.quotedAtMs - quote.quotedAtMs || order(quote, known)) < 0)
      newest.set(key, quote);
  }
  return newest;
}
