import type { Platform } from '../../../../src/words/accounts.ts';

/** Order types in plain words; a p4 server knows no stop limits. */
const ORDER_TYPES = [
  { value: 'ORDER_TYPE_BUY', title: 'Buy at the market' },
  { value: 'ORDER_TYPE_SELL', title: 'Sell at the market' },
  { value: 'ORDER_TYPE_BUY_LIMIT', title: 'Buy limit' },
  { value: 'ORDER_TYPE_SELL_LIMIT', title: 'Sell limit' },
  { value: 'ORDER_TYPE_BUY_STOP', title: 'Buy stop' },
  { value: 'ORDER_TYPE_SELL_STOP', title: 'Sell stop' },
  { value: 'ORDER_TYPE_BUY_STOP_LIMIT', title: 'Buy stop limit' },
  { value: 'ORDER_TYPE_SELL_STOP_LIMIT', title: 'Sell stop limit' },
] as const;

export type OrderType = (typeof ORDER_TYPES)[number]['value'];

export const orderTypesOf = (platform: Platform) =>
  ORDER_TYPES.filter(({ value }) => platform === 'p5' || !value.endsWith('STOP_LIMIT'));

export const nameOfOrderType = (type: string): string =>
  ORDER_TYPES.find(({ value }) => value === type)?.title ?? type;
