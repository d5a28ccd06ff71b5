import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';
import { tenthsOf } from './trade-groups.ts';

/** The best or the worst trade. */
export type ExtremeTrade = {
  id: string;
  symbol?: string | undefined;
  profit: Money;
  closeTimeMs: BrokerTimeMs;
};

export type ExtremePips = { tenths: number; closeTimeMs: BrokerTimeMs };

/** The trades with the most and the least profit and pips so far; of equal ones the first. */
export type ExtremeTrades = {
  best?: ExtremeTrade | undefined;
  worst?: ExtremeTrade | undefined;
  mostPips?: ExtremePips | undefined;
  leastPips?: ExtremePips | undefined;
};

export function addExtremes(extremes: ExtremeTrades, trade: Trade): void {
  const { id, symbol, profit, closeTimeMs, pips } = trade;
  const { best, worst, mostPips, leastPips } = extremes;
  if (!best || profit > best.profit) extremes.best = { id, symbol, profit, closeTimeMs };
  if (!worst || profit < worst.profit) extremes.worst = { id, symbol, profit, closeTimeMs };
  if (pips === undefined) return;
  const tenths = tenthsOf(pips);
  if (!mostPips || tenths > mostPips.tenths) extremes.mostPips = { tenths, closeTimeMs };
  if (!leastPips || tenths < leastPips.tenths) extremes.leastPips = { tenths, closeTimeMs };
}
