import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { CountedTrade } from './counted-trade.ts';
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

export function addExtremes(extremes: ExtremeTrades, trade: CountedTrade): void {
  const { id, symbol, profit, closeTimeMs, pips } = trade;
  const { best, worst } = extremes;
  if (!best || profit > best.profit) extremes.best = { id, symbol, profit, closeTimeMs };
  if (!worst || profit < worst.profit) extremes.worst = { id, symbol, profit, closeTimeMs };
  if (pips !== undefined) addPips(extremes, { tenths: tenthsOf(pips), closeTimeMs });
}

/** Joins the extremes of trades and of later ones. */
export function joinExtremes(a: ExtremeTrades, b: ExtremeTrades): ExtremeTrades {
  const joined = { ...a };
  if (!a.best || (b.best && b.best.profit > a.best.profit)) joined.best = b.best;
  if (!a.worst || (b.worst && b.worst.profit < a.worst.profit)) joined.worst = b.worst;
  for (const pips of [b.mostPips, b.leastPips]) if (pips) addPips(joined, pips);
  return joined;
}

function addPips(extremes: ExtremeTrades, { tenths, closeTimeMs }: ExtremePips): void {
  const { mostPips, leastPips } = extremes;
  if (!mostPips || tenths > mostPips.tenths) extremes.mostPips = { tenths, closeTimeMs };
  if (!leastPips || tenths < leastPips.tenths) extremes.leastPips = { tenths, closeTimeMs };
}
