import type { OrderType } from '../../words/accounts.ts';
import { Exact } from './exact.ts';
import type { MarginMode } from './margin-mode.ts';
import { isForexMode } from './margin-mode.ts';
import type { LeverageTier } from './tiers.ts';

export type MarginRates = { readonly [type in OrderType]?: number | undefined };

/** Data of a symbol that margin needs, as the account's group sees it. Volumes are in lots. */
export type MarginSymbol = {
  symbol: string;
  marginMode: MarginMode;
  contractSize: number;
  currencyBase: string;
  currencyProfit: string;
  /** Currency of the formulas' results and of the fixed amounts below. */
  currencyMargin: string;
  digits: number;
  volumeMin: number;
  /** 0: no limit. */
  volumeMax: number;
  /** 0: any volume. */
  volumeStep: number;
  tickSize?: number | undefined;
  tickValue?: number | undefined;
  /** Fixed amount per lot; 0 or absent: the mode's formula applies. FORTS: margin of a buy. */
  marginInitial?: number | undefined;
  /** Fixed amount per lot of a position; 0 or absent: as marginInitial. FORTS: margin of a sell. */
  marginMaintenance?: number | undefined;
  /** Amount (if a fixed margin is set) or contract size of covered volume; absent: 0. */
  marginHedged?: number | undefined;
  /** Of positions on both sides, only the larger side is charged. */
  hedgeByLargerLeg?: boolean | undefined;
  /** p5: factor per order type; absent: 1 for buy and sell, 0 for pending orders. */
  marginRates?: MarginRates | undefined;
  /** p5: factor per type for what is held; 0 or absent: as marginRates. */
  maintenanceMarginRates?: MarginRates | undefined;
  /** p4: percent of the margin that is charged; absent: 100. */
  percentage?: number | undefined;
  /** Leverage that falls with the volume of an order, ascending; absent: the account's alone. */
  leverageTiers?: readonly LeverageTier[] | undefined;
  faceValue?: number | undefined;
  /** FORTS: clearing price of the last session. */
  priceSettle?: number | undefined;
  /** FORTS: how far, in percent, the contract's currency may move against the ruble. */
  marginCurrencyRate?: number | undefined;
};

/** Best prices of a symbol. `brokerTime` is the broker's wall clock; margin ignores it. */
export type Quote = { symbol: string; bid: number; ask: number; brokerTime?: string | undefined };

/** Halfway between bid and ask. */
export const middleOf = ({ bid, ask }: Pick<Quote, 'bid' | 'ask'>): Exact =>
  Exact.of(bid).plus(Exact.of(ask)).over(Exact.of(2));

/** Questions of margin to a market: a gateway may answer from its own caches. */
export type MarketData = {
  symbol(name: string): MarginSymbol | undefined;
  /** Undefined if there are no prices yet. */
  quote(name: string): Quote | undefined;
  /** Symbols of forex modes with these currencies, in the alphabetical order of their names. */
  forexPairs(currencyBase: string, currencyProfit: string): readonly MarginSymbol[];
};

/** Indexes symbols and quotes by name; a later entry of the same name replaces an earlier one. */
export function marketOf(symbols: Iterable<MarginSymbol>, quotes: Iterable<Quote>): MarketData {
  const symbolsByName = new Map<string, MarginSymbol>();
  for (const symbol of symbols) symbolsByName.set(symbol.symbol, symbol);
  const quotesByName = new Map<string, Quote>();
  for (const quote of quotes) quotesByName.set(quote.symbol, quote);
  const pairs = Map.groupBy(
    [...symbolsByName.values()]
      .filter((symbol) => isForexMode(symbol.marginMode))
      .sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
    (symbol) => `${symbol.currencyBase}/${symbol.currencyProfit}`,
  );
  return {
    symbol: (name) => symbolsByName.get(name),
    quote: (name) => quotesByName.get(name),
    forexPairs: (base, profit) => pairs.get(`${base}/${profit}`) ?? [],
  };
}
