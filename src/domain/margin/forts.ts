import type { OrderType } from '../../words/accounts.ts';
import { Exact } from './exact.ts';
import type { MarginSymbol } from './market.ts';
import type { Side } from './order-type.ts';
import { isMarketOrder, sideOf } from './order-type.ts';
import { required } from './unavailable.ts';

/** `factor` is the item's conversion × rate. Market types are positions, the others are orders. */
export type FortsItem = { type: OrderType; lots: Exact; price: Exact; factor: Exact };

/**
 * Margin of the position and the orders of one futures contract of the Moscow Exchange's
 * derivatives section: the larger of a sum for buys and one for sells, never below 0. Each has the
 * orders of its side and the position, which is negative if it is on the other side. An item is
 * lots × (initial margin of the side + distance of its price from the clearing price, against the
 * side, × tickValue / tickSize × (1 + 0.01 × currency rate)). Orders count at their own price; for
 * stop orders the exchange takes the session's extremes, which quotes do not have. Source:
 * MetaTrader 5 Administrator help, Exchange FORTS Futures.
 */
export function fortsMargin(symbol: MarginSymbol, items: readonly FortsItem[]): Exact {
  const sideSums = (['buy', 'sell'] as const).map((side) => sideMargin(symbol, items, side));
  return sideSums.reduce((largest, sum) => (sum.compare(largest) > 0 ? sum : largest), Exact.ZERO);
}

function sideMargin(symbol: MarginSymbol, items: readonly FortsItem[], side: Side): Exact {
  const name = symbol.symbol;
  const settle = Exact.of(required(symbol.priceSettle, `priceSettle of ${name}`));
  const initial = Exact.of(
    side === 'buy'
      ? required(symbol.marginInitial, `marginInitial of ${name}`)
      : required(symbol.marginMaintenance, `marginMaintenance of ${name}`),
  );
  const perPoint = Exact.of(required(symbol.tickValue, `tickValue of ${name}`))
    .over(Exact.of(required(symbol.tickSize, `tickSize of ${name}`)))
    .times(Exact.of(100 + (symbol.marginCurrencyRate ?? 0)).over(Exact.of(100)));
  let sum = Exact.ZERO;
  for (const { type, lots, price, factor } of items) {
    const ownSide = sideOf(type) === side;
    if (!ownSide && !isMarketOrder(type)) continue;
    const distance = side === 'buy' ? price.minus(settle) : settle.minus(price);
    const margin = lots.times(initial.plus(distance.times(perPoint))).times(factor);
    sum = ownSide ? sum.plus(margin) : sum.minus(margin);
  }
  return sum;
}
