/** Order types, in the order of the platforms' numbers 0–8; a p4 server knows the first six. */
export const ORDER_TYPES = [
  'ORDER_TYPE_BUY',
  'ORDER_TYPE_SELL',
  'ORDER_TYPE_BUY_LIMIT',
  'ORDER_TYPE_SELL_LIMIT',
  'ORDER_TYPE_BUY_STOP',
  'ORDER_TYPE_SELL_STOP',
  'ORDER_TYPE_BUY_STOP_LIMIT',
  'ORDER_TYPE_SELL_STOP_LIMIT',
  'ORDER_TYPE_CLOSE_BY',
] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

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
