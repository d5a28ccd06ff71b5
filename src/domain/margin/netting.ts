import type { OrderType } from '../../words/accounts.ts';
import { Exact } from './exact.ts';
import type { SymbolHolding } from './legs.ts';
import { larger, legMargin, legOf, netLeg, pendingMargin } from './legs.ts';
import { LIMIT_TYPES, pendingTypes, STOP_TYPES, sideOf } from './order-type.ts';

/**
 * Margin of one symbol on an account that holds one net position per symbol, in whole units of the
 * account's currency digits. Orders in the position's direction add to it; orders against it change
 * nothing while they are no larger, else the larger of both sides counts. Without a position the
 * larger side of the limit orders counts, and every stop order.
 * Source: MetaTrader 5 Administrator help, Retail Forex, CFD, Futures — Netting.
 */
export function nettedMargin(holding: SymbolHolding): bigint {
  const position = netLeg(legOf(holding, 'ORDER_TYPE_BUY'), legOf(holding, 'ORDER_TYPE_SELL'));
  if (!position) {
    const limits = larger(
      pendingMargin(holding, LIMIT_TYPES.buy),
      pendingMargin(holding, LIMIT_TYPES.sell),
    );
    return limits + pendingMargin(holding, [...STOP_TYPES.buy, ...STOP_TYPES.sell]);
  }
  const { type, leg } = position;
  const side = sideOf(type);
  const withOrders =
    legMargin(holding, leg, type, 'maintenance') + pendingMargin(holding, pendingTypes(side));
  const opposite = pendingTypes(side === 'buy' ? 'sell' : 'buy');
  if (lotsOf(holding, opposite).compare(leg.lots) <= 0) return withOrders;
  return larger(withOrders, pendingMargin(holding, opposite));
}

function lotsOf(holding: SymbolHolding, types: readonly OrderType[]): Exact {
  return holding.held
    .filter((order) => types.includes(order.type))
    .reduce((sum, order) => sum.plus(Exact.of(order.volume)), Exact.ZERO);
}
