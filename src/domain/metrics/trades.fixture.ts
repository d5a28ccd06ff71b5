import type { Trade } from '../trade.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A closed long position of one lot; it opens when it closes by default. */
export function closedTrade(profit: number, closeTimeMs: number, more: Partial<Trade> = {}): Trade {
  return {
    ...{ id: `t${closeTimeMs}`, positionId: `t${closeTimeMs}`, type: 'DEAL_TYPE_BUY' },
    ...{ symbol: 'EURUSD', volume: 100_000_000, openTimeMs: closeTimeMs, closeTimeMs },
    closeBalance: profit,
    ...{ profit, swap: 0, commission: 0, fee: 0, gain: 0, durationInMinutes: 0 },
    success: profit > 0 ? 'won' : 'lost',
    ...more,
  };
}
