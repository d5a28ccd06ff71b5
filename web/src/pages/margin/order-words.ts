/** Order types as people say them; a p4 server knows no stop limits. */
const ORDER_TYPES = [
  ['ORDER_TYPE_BUY', 'Buy at the market'],
  ['ORDER_TYPE_SELL', 'Sell at the market'],
  ['ORDER_TYPE_BUY_LIMIT', 'Buy limit'],
  ['ORDER_TYPE_SELL_LIMIT', 'Sell limit'],
  ['ORDER_TYPE_BUY_STOP', 'Buy stop'],
  ['ORDER_TYPE_SELL_STOP', 'Sell stop'],
  ['ORDER_TYPE_BUY_STOP_LIMIT', 'Buy stop limit'],
  ['ORDER_TYPE_SELL_STOP_LIMIT', 'Sell stop limit'],
] as const;

export const orderTypesOf = (platform: 'p4' | 'p5') =>
  ORDER_TYPES.filter(([type]) => platform === 'p5' || !type.endsWith('STOP_LIMIT'));

export const nameOfOrderType = (type: string): string =>
  ORDER_TYPES.find(([word]) => word === type)?.[1] ?? type;
