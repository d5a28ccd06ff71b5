import type { HeldOrder } from '../../src/domain/margin/legs.ts';
import type { MarginSymbol } from '../../src/domain/margin/market.ts';
import type { PositionAccounting } from '../../src/domain/margin/positions-margin.ts';
import { positionsMargin } from '../../src/domain/margin/positions-margin.ts';
import type { Platform } from '../../src/words/accounts.ts';
import { sampleAccount, sampleMarket } from './samples.ts';

/** `BUY 2 @1.1` is a position, `BUY_LIMIT 1 @1.05` a pending order. */
export function held(symbol: string, ...orders: string[]): HeldOrder[] {
  return orders.map((order) => {
    const [type = '', volume, price = ''] = order.split(' ');
    return {
      symbol,
      type: `ORDER_TYPE_${type}` as HeldOrder['type'],
      volume: Number(volume),
      openPrice: Number(price.slice(1)),
    };
  });
}

export type Setting = { family?: Platform; currency?: string; leverage?: number };

export function marginOf(
  symbols: MarginSymbol[],
  orders: HeldOrder[],
  accounting: PositionAccounting = 'hedging',
  { family = 'p5', currency = 'USD', leverage = 100 }: Setting = {},
) {
  const account = { ...sampleAccount(family, currency, leverage), accounting };
  const result = positionsMargin({ held: orders, account, market: sampleMarket(symbols) });
  return 'margin' in result ? result.margin : result.unavailable;
}

/** Pending orders are charged like market orders. */
export const ALL_RATES = {
  ORDER_TYPE_BUY_LIMIT: 1,
  ORDER_TYPE_SELL_LIMIT: 1,
  ORDER_TYPE_BUY_STOP: 1,
  ORDER_TYPE_SELL_STOP: 1,
  ORDER_TYPE_BUY_STOP_LIMIT: 1,
  ORDER_TYPE_SELL_STOP_LIMIT: 1,
};
