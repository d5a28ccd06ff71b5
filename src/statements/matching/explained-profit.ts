import { fromVolume } from '../../domain/money.ts';
import type { ContractRate } from './contract-rate.ts';
import type { Exit, Position } from './hedging-groups.ts';

/** A printed profit is rounded once or twice: in the symbol's currency and in the account's. */
const ROUNDING_STEPS = 1.05;
/** Prices are decimal numbers held as doubles. */
const PRICE_EPSILON = 1e-9;
/** Below it, the profit consists of rounding, and proves nothing. */
const ROUGH_SPREAD = 1e-3;

/** Money of a lot of the exit for a move of 1. */
export const moneyOfMove = ({ rate, isPerPrice }: ContractRate, exit: Exit): number =>
  isPerPrice ? rate / exit.price : rate;

export const expectedProfit = (
  exit: Exit,
  openPrice: number,
  direction: 1 | -1,
  rate: ContractRate,
): number =>
  direction * (exit.price - openPrice) * fromVolume(exit.volume) * moneyOfMove(rate, exit);

export const slackOf = (exit: Exit, rate: ContractRate, step: number): number =>
  step * ROUNDING_STEPS + Math.abs(exit.profit) * rate.spread;

/**
 * The open prices, from and to, that explain the exit's profit; undefined if no rate is known. Of
 * the two deals of a close-by one books all the profit; the other's position opened at its price.
 */
export function openPricesOf(
  exit: Exit,
  direction: 1 | -1,
  rate: ContractRate | undefined,
  step: number,
): [number, number] | undefined {
  if (exit.isCloseBy && exit.profit === 0 && exit.partnerPrice !== undefined)
    return around(exit.partnerPrice, 0);
  if (!rate) return undefined;
  const worth = moneyOfMove(rate, exit) * fromVolume(exit.volume);
  return around(exit.price - (direction * exit.profit) / worth, slackOf(exit, rate, step) / worth);
}

export const explainedBy = (
  exit: Exit,
  openPrice: number,
  direction: 1 | -1,
  rate: ContractRate | undefined,
  step: number,
): boolean => {
  const range = openPricesOf(exit, direction, rate, step);
  return !range || (openPrice >= range[0] && openPrice <= range[1]);
};

/** The error of the profit, 0 to 1, if the rate is known only roughly. */
export const missOf = (
  exit: Exit,
  position: Position,
  direction: 1 | -1,
  rate: ContractRate | undefined,
  step: number,
): number =>
  rate && rate.spread > ROUGH_SPREAD
    ? Math.abs(exit.profit - expectedProfit(exit, position.openPrice, direction, rate)) /
      slackOf(exit, rate, step)
    : 0;

const around = (price: number, by: number): [number, number] => {
  const slack = Math.abs(by) + Math.abs(price) * PRICE_EPSILON;
  return [price - slack, price + slack];
};
