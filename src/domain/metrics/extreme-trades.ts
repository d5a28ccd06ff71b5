import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';

export type ExtremeTrade = {
  id: string;
  symbol?: string | undefined;
  profit: Money;
  closeTimeMs: BrokerTimeMs;
};

/** The trade with the most and the one with the least profit; of equal ones the first. */
export function extremeTradesOf(trades: readonly Trade[]): {
  bestTrade?: ExtremeTrade | undefined;
  worstTrade?: ExtremeTrade | undefined;
} {
  let best: Trade | undefined;
  let worst: Trade | undefined;
  for (const trade of trades) {
    if (!best || trade.profit > best.profit) best = trade;
    if (!worst || trade.profit < worst.profit) worst = trade;
  }
  return { bestTrade: best && extremeOf(best), worstTrade: worst && extremeOf(worst) };
}

const extremeOf = ({ id, symbol, profit, closeTimeMs }: Trade): ExtremeTrade => ({
  ...{ id, symbol, profit, closeTimeMs },
});
