import { DEAL_TYPES, type DealEntry, type DealType } from '../words/deals.ts';
import type { BrokerTimeMs } from './broker-time.ts';
import type { Money, Volume } from './money.ts';

/**
 * One execution or one balance operation, as the platform booked it. Common form of p5 deals, of p4
 * tickets (an IN deal `<ticket>-in` and an OUT deal `<ticket>-out` of position `<ticket>`) and of
 * rows of statements. Money is in units of the account's currency.
 */
export type Deal = {
  id: string;
  /** Absent on balance operations, and if the source does not tell positions apart. */
  positionId?: string | undefined;
  type: DealType;
  /** Absent on balance operations, and if the source does not state it. */
  entry?: DealEntry | undefined;
  symbol?: string | undefined;
  volume: Volume;
  /** INOUT deals: the part of the volume that closed, if the source states it. */
  volumeClosed?: Volume | undefined;
  price?: number | undefined;
  /** Price of the position that a closing deal closed, if the source states it. */
  positionPrice?: number | undefined;
  /** When that position was opened, if the source states that but has no deal of it. */
  positionTimeMs?: BrokerTimeMs | undefined;
  profit: Money;
  swap: Money;
  commission: Money;
  fee: Money;
  timeMs: BrokerTimeMs;
  comment?: string | undefined;
  /** The number that an expert marks its orders with; 0 by hand. */
  magic?: number | undefined;
  /** Prices of the stop and of the target, as far as the source states them. */
  stopLoss?: number | undefined;
  takeProfit?: number | undefined;
  /** Digits of the symbol's price. */
  digits?: number | undefined;
  contractSize?: number | undefined;
};

export const isTradeDeal = (deal: Pick<Deal, 'type'>): boolean =>
  deal.type === 'DEAL_TYPE_BUY' || deal.type === 'DEAL_TYPE_SELL';

/** What a purchase or sale says of its position. */
export type DealTrade = Pick<
  Deal,
  'positionId' | 'entry' | 'symbol' | 'volume' | 'volumeClosed'
> & {
  /** What was lost by profit and swap together; absent if nothing was. */
  loss?: Money | undefined;
};
export type TradeDeal = Pick<Deal, 'id' | 'type' | 'timeMs'> & { trade: DealTrade };

export const tradeOf = (deal: Deal): DealTrade | undefined => {
  if (!isTradeDeal(deal)) return undefined;
  const { positionId, entry, symbol, volume, volumeClosed } = deal;
  const gained = deal.profit + deal.swap;
  const trade = { positionId, entry, symbol, volume, volumeClosed };
  return gained < 0 ? { ...trade, loss: -gained } : trade;
};

/** Money paid out of the account. */
export const isWithdrawal = ({ type, money }: { type: DealType; money: Money }): boolean =>
  type === 'DEAL_TYPE_BALANCE' && money < 0;

/** The whole effect of a deal on equity: profit net of swap, commission and fee. */
export const moneyOf = (deal: Deal): Money => deal.profit + deal.swap + deal.commission + deal.fee;

/** Whether a deal is known to open nothing. */
export const closesOnly = ({ entry }: Pick<Deal, 'entry'>): boolean =>
  entry === 'DEAL_ENTRY_OUT' || entry === 'DEAL_ENTRY_OUT_BY';

/** A magic number that can be held exactly; undefined for any other. */
export const magicOf = (number: number | undefined): number | undefined =>
  Number.isSafeInteger(number) ? number : undefined;

/** A price of a stop or target; the terminals write 0 for none. */
export const levelOf = (price: number | undefined): number | undefined =>
  price !== undefined && price > 0 ? price : undefined;

/** Kinds outside these lists; see `DEAL_TYPES`. */
export const UNKNOWN_TYPES = ['DEAL_TYPE_OTHER', 'DEAL_TYPE_OTHER_CREDIT'] as const;
const unknownTypes: ReadonlySet<DealType> = new Set(UNKNOWN_TYPES);

export const isUnknown = (deal: Pick<Deal, 'type'>): boolean => unknownTypes.has(deal.type);

/** The type of a p5 deal by the platform's number. */
export const dealTypeOfNumber = (number: number): DealType =>
  DEAL_TYPES.slice(0, -UNKNOWN_TYPES.length)[number] ?? 'DEAL_TYPE_OTHER';

/** Prefix of the comment of a deal of unknown kind, which keeps its original word. */
export const commentOfUnknown = (word: string | number, comment: string | undefined): string =>
  `type ${word}${comment ? `: ${comment}` : ''}`;

/** Credit is not part of the balance. */
export const CREDIT_TYPES = [
  'DEAL_TYPE_CREDIT',
  'DEAL_TYPE_SO_COMPENSATION_CREDIT',
  'DEAL_TYPE_OTHER_CREDIT',
] as const;
const creditTypes: ReadonlySet<DealType> = new Set(CREDIT_TYPES);

export const isCredit = (deal: Pick<Deal, 'type'>): boolean => creditTypes.has(deal.type);

/**
 * Platforms number deals in order of time; within a moment the shorter, then smaller id came first.
 */
export function compareDeals(
  a: Pick<Deal, 'id' | 'timeMs'>,
  b: Pick<Deal, 'id' | 'timeMs'>,
): number {
  return a.timeMs - b.timeMs || compareIds(a.id, b.id);
}

/** A number, or p4's two deals of one ticket. */
const NUMBERED = /^(\d+)(?:-in|-out)?$/;

/**
 * Orders ids of digits, and p4's `<ticket>-in` and `-out`, as numbers; others after them as text.
 */
export function compareIds(a: string, b: string): number {
  const aNumber = NUMBERED.exec(a)?.[1];
  const bNumber = NUMBERED.exec(b)?.[1];
  if ((aNumber === undefined) !== (bNumber === undefined)) return aNumber === undefined ? 1 : -1;
  if (aNumber !== undefined && bNumber !== undefined && aNumber.length !== bNumber.length)
    return aNumber.length - bNumber.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
