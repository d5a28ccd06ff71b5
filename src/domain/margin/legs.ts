import type { OrderType } from '../../words/accounts.ts';
import { Exact } from './exact.ts';
import type { MarginSymbol, MarketData } from './market.ts';
import { sideOf } from './order-type.ts';
import type { FamilyRules, Leg, MarginAccount, Stage } from './rules.ts';

/**
 * A position (type BUY or SELL) or a pending order (the other types) of an account. Volume is in
 * lots. `conversionRate` is what the platform noted at the opening (p5: RateMargin) as the price of
 * one unit of margin currency in the account's currency; absent: today's rate.
 */
export type HeldOrder = {
  symbol: string;
  type: OrderType;
  volume: number;
  openPrice: number;
  conversionRate?: number | undefined;
};

/** Everything needed to calculate the margin of an account's positions and orders in a symbol. */
export type SymbolHolding = {
  symbol: MarginSymbol;
  held: readonly HeldOrder[];
  account: MarginAccount;
  market: MarketData;
  rules: FamilyRules;
};

/** The held orders of one type as one: prices and conversion rates are weighted by volume. */
export function legOf(holding: SymbolHolding, type: OrderType): Leg | undefined {
  const orders = holding.held.filter((order) => order.type === type);
  const volumes = orders.map((order) => Exact.of(order.volume));
  const weighted = (of: (order: HeldOrder) => Exact) =>
    Exact.sum(orders.map((order) => Exact.of(order.volume).times(of(order))));
  const lots = Exact.sum(volumes);
  if (lots.isZero) return undefined;
  const price = weighted((order) => Exact.of(order.openPrice)).over(lots);
  return { lots, price, conversion: weighted((order) => conversionOf(holding, order)).over(lots) };
}

/** The excess of the larger side over the other, at its averages; undefined if they are equal. */
export function netLeg(
  long: Leg | undefined,
  short: Leg | undefined,
): { type: 'ORDER_TYPE_BUY' | 'ORDER_TYPE_SELL'; leg: Leg } | undefined {
  const lots = (long?.lots ?? Exact.ZERO).minus(short?.lots ?? Exact.ZERO);
  if (long && lots.compare(Exact.ZERO) > 0)
    return { type: 'ORDER_TYPE_BUY', leg: { ...long, lots } };
  if (short && lots.compare(Exact.ZERO) < 0)
    return { type: 'ORDER_TYPE_SELL', leg: { ...short, lots: Exact.ZERO.minus(lots) } };
  return undefined;
}

export function conversionOf(holding: SymbolHolding, order: HeldOrder): Exact {
  if (order.conversionRate !== undefined) return Exact.of(order.conversionRate);
  const { symbol, account, market, rules } = holding;
  return rules.conversionRate({
    symbol,
    side: sideOf(order.type),
    openPrice: Exact.of(order.openPrice),
    currency: account.currency,
    market,
  });
}

/** Margin of a leg, rounded to whole units of the account's currency digits. */
export function legMargin(holding: SymbolHolding, leg: Leg, type: OrderType, stage: Stage): bigint {
  const { symbol, account, rules } = holding;
  return rules
    .basicMargin(symbol, leg.lots, leg.price, account.leverage, stage)
    .times(leg.conversion)
    .times(rules.rate(symbol, type, stage))
    .roundedUnits(account.currencyDigits);
}

/** Margin of the pending orders of the given types, each type calculated separately. */
export function pendingMargin(holding: SymbolHolding, types: readonly OrderType[]): bigint {
  let sum = 0n;
  for (const type of types) {
    // A type that is not charged needs no prices to convert it.
    if (holding.rules.rate(holding.symbol, type, 'initial').isZero) continue;
    const leg = legOf(holding, type);
    if (leg) sum += legMargin(holding, leg, type, 'initial');
  }
  return sum;
}

export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
