import { type BrokerTimeMs, parseBrokerTime } from '../../domain/broker-time.ts';
import {
  commentOfUnknown,
  compareDeals,
  type Deal,
  isUnknown,
  levelOf,
  magicOf,
} from '../../domain/deal.ts';
import { toUnits, toVolume } from '../../domain/money.ts';
import type { DealType } from '../../words/deals.ts';
import { PlatformError } from '../gateway.ts';
import type { BridgeOrder } from './wire.ts';

/**
 * Deals of the orders that were closed in [fromMs, toMs), oldest first, money in units of
 * 10^-moneyDigits. Throws PlatformError for an order that can't be held.
 */
export function dealsOfOrders(
  orders: readonly BridgeOrder[],
  { moneyDigits, fromMs, toMs }: { moneyDigits: number; fromMs: number; toMs: number },
): Deal[] {
  const isIn = ({ closeTime }: BridgeOrder): boolean => {
    const closedMs = readBrokerTime(closeTime);
    return closedMs >= fromMs && closedMs < toMs;
  };
  return orders
    .filter(isIn)
    .flatMap((order) => held(() => dealsOf(order, moneyDigits)))
    .sort(compareDeals);
}

/** Amounts and volumes that can't be held exactly are never booked by a platform. */
function held<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PlatformError('unavailable', 'The p4 bridge sent an invalid order');
  }
}

/** Reads a wall clock of the bridge. Throws PlatformError `unavailable` for any other text. */
export function readBrokerTime(text: string): BrokerTimeMs {
  const timeMs = parseBrokerTime(text);
  if (timeMs === undefined)
    throw new PlatformError('unavailable', `The p4 bridge sent the time ${JSON.stringify(text)}`);
  return timeMs;
}

const OPERATIONS: Readonly<Record<string, DealType>> = {
  balance: 'DEAL_TYPE_BALANCE',
  credit: 'DEAL_TYPE_CREDIT',
};

/** The smaller side of a "close by" remains as a row without volume and money. */
export const isBooking = ({ lots, profit, swap, commission, taxes }: BridgeOrder): boolean =>
  [lots, profit, swap, commission, taxes].some((amount) => amount !== 0);

/** All money is booked when a p4 ticket closes, so the closing deal carries it. */
function dealsOf(order: BridgeOrder, moneyDigits: number): Deal[] {
  const money = {
    profit: toUnits(order.profit, moneyDigits),
    swap: toUnits(order.swap, moneyDigits),
    commission: toUnits(order.commission, moneyDigits),
    fee: toUnits(order.taxes, moneyDigits),
  };
  const id = String(order.order);
  const comment = order.comment === '' ? {} : { comment: order.comment };
  const closed = readBrokerTime(order.closeTime);
  if (order.type !== 'buy' && order.type !== 'sell') {
    const type = OPERATIONS[order.type] ?? 'DEAL_TYPE_OTHER';
    const told = isUnknown({ type })
      ? { comment: commentOfUnknown(order.type, order.comment) }
      : comment;
    return [{ id, type, volume: 0, ...money, timeMs: closed, ...told }];
  }
  if (!isBooking(order)) return [];
  const isBuy = order.type === 'buy';
  const shared = {
    positionId: id,
    symbol: order.symbol,
    volume: toVolume(order.lots),
    magic: magicOf(order.magic),
    stopLoss: levelOf(order.stopLoss),
    takeProfit: levelOf(order.takeProfit),
    ...comment,
    ...(order.digits === undefined ? {} : { digits: order.digits }),
    ...(order.contractSize === undefined ? {} : { contractSize: order.contractSize }),
  };
  return [
    {
      ...shared,
      id: `${id}-in`,
      type: isBuy ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
      entry: 'DEAL_ENTRY_IN',
      price: order.openPrice,
      profit: 0,
      swap: 0,
      commission: 0,
      fee: 0,
      timeMs: readBrokerTime(order.openTime),
    },
    {
      ...shared,
      id: `${id}-out`,
      type: isBuy ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY',
      entry: 'DEAL_ENTRY_OUT',
      price: order.closePrice,
      positionPrice: order.openPrice,
      ...money,
      timeMs: closed,
    },
  ];
}
