import type { DealType } from '../../words/deals.ts';
import { MINUTE_MS } from '../broker-time.ts';
import { type Deal, moneyOf } from '../deal.ts';
import type { Money, Volume } from '../money.ts';
import { toUnits } from '../money.ts';
import { heldMsOf, type Trade } from '../trade.ts';
import { legId } from './trade-ids.ts';
import {
  addPrice,
  averageUnits,
  noPrice,
  priceDecimals,
  priceOf,
  priceUnits,
  type WeightedPrice,
} from './weighted-price.ts';

export type Side = 'DEAL_TYPE_BUY' | 'DEAL_TYPE_SELL';

/** From this many pips on, the pip size cannot be right for the price. */
const MOST_PIPS = 1e12;

/** The four parts of a deal's money. */
export type MoneyParts = { profit: Money; swap: Money; commission: Money; fee: Money };

/** An open leg of a position, with all data for its trade. */
export type OpenPosition = MoneyParts & {
  positionId: string;
  type: Side;
  symbol?: string | undefined;
  /** The id of its trade without the leg's number; see `legId`. */
  id: string;
  /** Counted from 1; each reversal begins the next leg. */
  leg: number;
  entered: Volume;
  exited: Volume;
  entry: WeightedPrice;
  exit: WeightedPrice;
  /** Digits of the symbol's price, if the source states them. */
  digits?: number | undefined;
  /** Most decimals seen in prices of deals that do not state the digits. */
  decimals: number;
  openTimeMs: number;
  /** The account's balance just before the opening deal, without credit. */
  balanceBefore: Money;
  comment?: string | undefined;
  magic?: number | undefined;
  stopLoss?: number | undefined;
  takeProfit?: number | undefined;
  incomplete: boolean;
};

export const opposite = (type: DealType): Side =>
  type === 'DEAL_TYPE_BUY' ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY';

export const openVolume = (position: OpenPosition): Volume =>
  Math.max(0, position.entered - position.exited);

/** A new leg, opened by a deal, still without volume and money. */
export function beginPosition(
  deal: Deal,
  type: Side,
  { positionId, id, leg }: Pick<OpenPosition, 'positionId' | 'id' | 'leg'>,
  balanceBefore: Money,
): OpenPosition {
  return {
    positionId,
    id,
    leg,
    type,
    symbol: deal.symbol,
    entered: 0,
    exited: 0,
    entry: noPrice(),
    exit: noPrice(),
    digits: undefined,
    decimals: 0,
    openTimeMs: deal.positionTimeMs ?? deal.timeMs,
    balanceBefore,
    profit: 0,
    swap: 0,
    commission: 0,
    fee: 0,
    ...{ comment: undefined, magic: undefined, stopLoss: undefined, takeProfit: undefined },
    incomplete: false,
  };
}

export function enter(position: OpenPosition, deal: Deal, volume: Volume): void {
  position.entered += volume;
  if (deal.price !== undefined) addPrice(position.entry, volume, deal.price);
  // What closes it says why it was closed (`[tp]`), not what it was opened for.
  if (deal.comment) position.comment ??= deal.comment;
  describe(position, deal);
}

/**
 * Takes volume out of the position. If that is more than is open, the history lacks entries (the
 * broker cut it): they are added, at the position's price if the deal states it.
 */
export function exit(position: OpenPosition, deal: Deal, volume: Volume): void {
  const missing = volume - openVolume(position);
  if (missing > 0) {
    position.entered += missing;
    position.incomplete = true;
    if (deal.positionPrice !== undefined) addPrice(position.entry, missing, deal.positionPrice);
  }
  position.exited += volume;
  if (deal.price !== undefined) addPrice(position.exit, volume, deal.price);
  describe(position, deal);
}

function describe(position: OpenPosition, deal: Deal): void {
  position.symbol ??= deal.symbol;
  position.magic ??= deal.magic;
  position.stopLoss ??= deal.stopLoss;
  position.takeProfit ??= deal.takeProfit;
  if (deal.digits !== undefined) position.digits = Math.max(position.digits ?? 0, deal.digits);
  else if (deal.price !== undefined)
    position.decimals = Math.max(position.decimals, priceDecimals(deal.price));
}

export function addMoney(position: OpenPosition, parts: MoneyParts): void {
  position.profit += parts.profit;
  position.swap += parts.swap;
  position.commission += parts.commission;
  position.fee += parts.fee;
}

/** The volume-weighted price of all entries; undefined if none has a price. */
export function openPriceOf(position: OpenPosition): number | undefined {
  const units = averageUnits(position.entry);
  return units === undefined ? undefined : priceOf(units);
}

/** The trade of a closed position. */
export function toTrade(
  position: OpenPosition,
  closeTimeMs: number,
  pipSize: number | undefined,
  closeBalance: Money,
): Trade {
  const open = averageUnits(position.entry);
  const close = averageUnits(position.exit);
  const profit = moneyOfParts(position);
  const trade: Trade = {
    id: legId(position.id, position.leg),
    positionId: position.positionId,
    type: position.type,
    volume: position.entered,
    openTimeMs: position.openTimeMs,
    closeTimeMs,
    profit,
    swap: position.swap,
    commission: position.commission,
    fee: position.fee,
    gain: gainOf(profit, position.balanceBefore),
    success: profit > 0 ? 'won' : 'lost',
    durationInMinutes: Math.floor(heldMsOf({ ...position, closeTimeMs }) / MINUTE_MS),
    closeBalance,
  };
  if (position.symbol !== undefined) trade.symbol = position.symbol;
  if (open !== undefined) trade.openPrice = priceOf(open);
  if (close !== undefined) trade.closePrice = priceOf(close);
  if (open !== undefined && close !== undefined && pipSize !== undefined) {
    const gained = position.type === 'DEAL_TYPE_BUY' ? close - open : open - close;
    const pips = pipsOf(gained, pipSize);
    if (pips !== undefined) trade.pips = pips;
  }
  for (const name of ['comment', 'magic', 'stopLoss', 'takeProfit'] as const)
    if (position[name] !== undefined) Object.assign(trade, { [name]: position[name] });
  Object.assign(trade, valuesOf(position, open, close, pipSize));
  if (position.incomplete) trade.incomplete = true;
  return trade;
}

/**
 * A hundred of the smallest parts that platforms print (see Money): rounded by half of one, it is
 * wrong by at most 0.5 %, and so is the value of what was traded.
 */
const LEAST_PROFIT_FOR_VALUE = 10_000;

/**
 * The value of the volume at the open price, the loss at the stop and the gain at the target: the
 * value of a point follows from the profit and the move of the price. Undefined if the profit does
 * not follow the prices; the last two for a stop beyond the open price, which limits no loss.
 */
function valuesOf(
  position: OpenPosition,
  open: bigint | undefined,
  close: bigint | undefined,
  pipSize: number | undefined,
): Pick<Trade, 'marketValue' | 'risk' | 'reward' | 'riskPercent' | 'riskPips'> {
  const { stopLoss, takeProfit, profit, balanceBefore } = position;
  if (open === undefined || close === undefined) return {};
  const side = position.type === 'DEAL_TYPE_BUY' ? 1 : -1;
  const perUnit = profit / (side * Number(close - open));
  const moneyOf = (distance: number): Money | undefined => {
    const money = Math.round(distance * perUnit);
    return perUnit > 0 && money > 0 && Number.isSafeInteger(money) ? money : undefined;
  };
  const isFine = Math.abs(profit) >= LEAST_PROFIT_FOR_VALUE;
  const marketValue = isFine ? moneyOf(Number(open)) : undefined;
  if (stopLoss === undefined) return { marketValue };
  const distance = side * Number(open - priceUnits(stopLoss));
  const risk = moneyOf(distance);
  if (risk === undefined) return { marketValue };
  const way = takeProfit === undefined ? 0 : side * Number(priceUnits(takeProfit) - open);
  return {
    ...{ marketValue, risk, reward: moneyOf(way) },
    riskPercent: balanceBefore > 0 ? gainOf(risk, balanceBefore) : undefined,
    riskPips: pipSize === undefined ? undefined : pipsOf(BigInt(distance), pipSize),
  };
}

/** A line of the history for a balance operation, or any other deal outside of positions. */
export function toOperation(deal: Deal, id: string, closeBalance: Money): Trade {
  const profit = moneyOf(deal);
  const trade: Trade = {
    id,
    positionId: deal.id,
    type: deal.type,
    volume: 0,
    openTimeMs: deal.timeMs,
    closeTimeMs: deal.timeMs,
    profit,
    swap: deal.swap,
    commission: deal.commission,
    fee: deal.fee,
    gain: 0,
    success: profit > 0 ? 'won' : 'lost',
    durationInMinutes: 0,
    closeBalance,
  };
  if (deal.comment) trade.comment = deal.comment;
  return trade;
}

export const moneyOfParts = (parts: MoneyParts): Money =>
  parts.profit + parts.swap + parts.commission + parts.fee;

/** A price difference in units of 1e-10 as pips, rounded to 0.1; undefined from MOST_PIPS on. */
function pipsOf(units: bigint, pipSize: number): number | undefined {
  const pips = Number(units) / Number(priceUnits(pipSize));
  return Math.abs(pips) < MOST_PIPS ? toUnits(pips, 1) / 10 : undefined;
}

/** The profit in percent of the balance, rounded to 1e-8; 0 if the balance is not positive. */
function gainOf(profit: Money, balanceBefore: Money): number {
  if (balanceBefore <= 0) return 0;
  // `|| 0` turns the -0 of a tiny loss into 0.
  return Number(((profit / balanceBefore) * 100).toFixed(8)) || 0;
}
