import type { OrderType, Platform } from '../../words/accounts.ts';
import type { Exact } from './exact.ts';
import type { MarginSymbol, MarketData } from './market.ts';
import type { Side } from './order-type.ts';

/** Data of an account that margin needs. Leverage 100 is 1:100. */
export type MarginAccount = {
  family: Platform;
  currency: string;
  /** Digits that amounts of the account are rounded to. */
  currencyDigits: number;
  leverage: number;
};

/** `initial`: to open, and for pending orders; `maintenance`: for open positions. */
export type Stage = 'initial' | 'maintenance';

export type ConversionInput = {
  symbol: MarginSymbol;
  side: Side;
  openPrice: Exact;
  /** Currency of the account. */
  currency: string;
  market: MarketData;
};

/** Positions of one side and symbol as one: averages are weighted by volume. */
export type Leg = { lots: Exact; price: Exact; conversion: Exact };

/** The differences between the two platform families. */
export type FamilyRules = {
  /** Margin of a volume in the symbol's margin currency, before conversion and rate. */
  basicMargin(
    symbol: MarginSymbol,
    lots: Exact,
    price: Exact,
    leverage: number,
    stage: Stage,
  ): Exact;
  /** Factor of the converted margin. */
  rate(symbol: MarginSymbol, type: OrderType, stage: Stage): Exact;
  /** The value of one unit of the symbol's margin currency in the account's currency. */
  conversionRate(input: ConversionInput): Exact;
  /** Like basicMargin, for volume whose every lot is covered by a lot of the other side. */
  coveredMargin(symbol: MarginSymbol, lots: Exact, price: Exact, leverage: number): Exact;
  /** Prices at which covered volume is charged. */
  coveredPrices(long: Leg, short: Leg): Pick<Leg, 'price' | 'conversion'>;
};
