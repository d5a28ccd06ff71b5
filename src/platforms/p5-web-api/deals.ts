import {
  commentOfUnknown,
  type Deal,
  dealTypeOfNumber,
  isTradeDeal,
  isUnknown,
  levelOf,
  magicOf,
} from '../../domain/deal.ts';
import { toUnits, VOLUME_DIGITS, type Volume } from '../../domain/money.ts';
import { DEAL_ENTRIES } from '../../words/deals.ts';
import { type PendingOrder, PlatformError, type PlatformPosition } from '../gateway.ts';
import {
  numberOf,
  numberOrNoneOf,
  optionalNumberOf,
  type P5Record,
  requiredNumberOf,
  textOf,
} from './record.ts';

/** Tickets are 64-bit numbers, names and comments a few dozen characters. */
const ID = /^\d{1,20}$/;
const MAX_TEXT = 256;
/** The end of the year 9999. */
const MAX_TIME_MS = 253_402_300_800_000;

const noDeal = (): PlatformError =>
  new PlatformError('unavailable', 'The trading server sent an invalid deal');

/** Amounts that can't be held exactly are never booked by a platform. */
function held(read: () => number): number {
  try {
    return read();
  } catch {
    throw noDeal();
  }
}

/** Plain volumes of the platform count ten-thousandths of a lot, extended ones 1e-8 lot. */
const PLAIN_TO_EXTENDED = 10 ** (VOLUME_DIGITS - 4);

/**
 * A deal booked by the platform. Its times are the server's wall clock written as if it were an
 * epoch, which is broker time already. Unknown kinds and directions are kept as data. Throws
 * PlatformError for a row without number, time or readable amounts.
 */
export function toDeal(row: P5Record, moneyDigits: number): Deal {
  const id = textOf(row, 'Deal');
  const action = numberOrNoneOf(row, 'Action');
  const type = dealTypeOfNumber(action);
  const entry = DEAL_ENTRIES[numberOrNoneOf(row, 'Entry')];
  const timeMs = timeOf(row, 'Time');
  if (!ID.test(id) || !(timeMs > 0 && timeMs < MAX_TIME_MS)) throw noDeal();
  const money = (key: string, value = numberOrNoneOf(row, key)): number =>
    held(() => toUnits(value, moneyDigits));
  const told = textOf(row, 'Comment');
  const comment = isUnknown({ type }) ? commentOfUnknown(action, told) : told;
  const common = {
    id,
    type,
    profit: money('Profit', requiredNumberOf(row, 'Profit')),
    swap: money('Storage'),
    commission: money('Commission'),
    fee: money('Fee'),
    timeMs,
    comment: comment.slice(0, MAX_TEXT) || undefined,
  };
  if (!isTradeDeal({ type })) return { ...common, volume: 0 };
  const closed = volumeOf(row, 'VolumeClosed');
  const positionPrice = optionalNumberOf(row, 'PricePosition');
  return {
    ...common,
    positionId: idOf(row, 'PositionID'),
    entry,
    symbol: textOf(row, 'Symbol').slice(0, MAX_TEXT),
    volume: volumeOf(row, 'Volume'),
    volumeClosed: entry === 'DEAL_ENTRY_INOUT' && closed > 0 ? closed : undefined,
    price: numberOf(row, 'Price'),
    positionPrice: positionPrice && entry !== 'DEAL_ENTRY_IN' ? positionPrice : undefined,
    magic: magicOf(optionalNumberOf(row, 'ExpertID')),
    stopLoss: levelOf(optionalNumberOf(row, 'PriceSL')),
    takeProfit: levelOf(optionalNumberOf(row, 'PriceTP')),
    digits: optionalNumberOf(row, 'Digits'),
    contractSize: optionalNumberOf(row, 'ContractSize'),
  };
}

export function toPosition(row: P5Record): PlatformPosition {
  return {
    positionId: textOf(row, 'Position'),
    symbol: textOf(row, 'Symbol'),
    type: numberOf(row, 'Action') === 1 ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY',
    volume: volumeOf(row, 'Volume') / 10 ** VOLUME_DIGITS,
    openPrice: numberOf(row, 'PriceOpen'),
    currentPrice: numberOf(row, 'PriceCurrent'),
    profit: numberOf(row, 'Profit'),
    swap: numberOf(row, 'Storage'),
    openTimeMs: timeOf(row, 'TimeCreate'),
  };
}

/** Types of orders in the platform's numbers; market orders (0 and 1) are not waiting. */
const PENDING_TYPES: Readonly<Record<number, string>> = {
  2: 'ORDER_TYPE_BUY_LIMIT',
  3: 'ORDER_TYPE_SELL_LIMIT',
  4: 'ORDER_TYPE_BUY_STOP',
  5: 'ORDER_TYPE_SELL_STOP',
  6: 'ORDER_TYPE_BUY_STOP_LIMIT',
  7: 'ORDER_TYPE_SELL_STOP_LIMIT',
};

/** Undefined for an order that is not waiting. */
export function toPendingOrder(row: P5Record): PendingOrder | undefined {
  const number = numberOf(row, 'Type');
  if (number < 2) return undefined;
  const type = PENDING_TYPES[number] ?? `ORDER_TYPE_${number}`;
  return {
    orderId: textOf(row, 'Order'),
    symbol: textOf(row, 'Symbol'),
    type,
    volume: volumeOf(row, 'VolumeCurrent') / 10 ** VOLUME_DIGITS,
    price: numberOf(row, 'PriceOrder'),
  };
}

/** `TimeMsc`, or `Time` in seconds from older builds. */
const timeOf = (row: P5Record, key: string): number =>
  numberOf(row, `${key}Msc`) || numberOf(row, key) * 1000;

const idOf = (row: P5Record, key: string): string | undefined => {
  const id = textOf(row, key);
  return ID.test(id) && id !== '0' ? id : undefined;
};

function volumeOf(row: P5Record, key: string): Volume {
  const volume = numberOf(row, `${key}Ext`) || numberOf(row, key) * PLAIN_TO_EXTENDED;
  if (!Number.isSafeInteger(volume) || volume < 0) throw noDeal();
  return volume;
}
