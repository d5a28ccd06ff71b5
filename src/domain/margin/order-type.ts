import { ORDER_TYPES, type OrderType } from '../../words/accounts.ts';

export type Side = 'buy' | 'sell';

export const isOrderType = (word: string): word is OrderType =>
  (ORDER_TYPES as readonly string[]).includes(word);

/** CLOSE_BY closes one position by another, so its side means nothing. */
export const sideOf = (type: OrderType): Side =>
  type.startsWith('ORDER_TYPE_BUY') ? 'buy' : 'sell';

export const isMarketOrder = (type: OrderType): boolean =>
  type === 'ORDER_TYPE_BUY' || type === 'ORDER_TYPE_SELL';

export const LIMIT_TYPES: Record<Side, readonly OrderType[]> = {
  buy: ['ORDER_TYPE_BUY_LIMIT'],
  sell: ['ORDER_TYPE_SELL_LIMIT'],
};
export const STOP_TYPES: Record<Side, readonly OrderType[]> = {
  buy: ['ORDER_TYPE_BUY_STOP', 'ORDER_TYPE_BUY_STOP_LIMIT'],
  sell: ['ORDER_TYPE_SELL_STOP', 'ORDER_TYPE_SELL_STOP_LIMIT'],
};
export const pendingTypes = (side: Side): readonly OrderType[] => [
  ...LIMIT_TYPES[side],
  ...STOP_TYPES[side],
];
