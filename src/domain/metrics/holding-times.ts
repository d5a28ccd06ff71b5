import type { Trade } from '../trade.ts';

/** How long positions were held, in milliseconds; half a millisecond is rounded up. */
export type HoldingTimes = {
  averageMs: number;
  medianMs: number;
  shortestMs: number;
  longestMs: number;
};

/** Undefined without a trade whose opening is known. */
export function holdingTimesOf(trades: readonly Trade[]): HoldingTimes | undefined {
  const times = trades
    .filter((trade) => !trade.incomplete)
    .map((trade) => trade.closeTimeMs - trade.openTimeMs)
    .sort((a, b) => a - b);
  const at = (index: number): number => times[index] ?? 0;
  const count = times.length;
  if (count === 0) return undefined;
  const sum = times.reduce((total, time) => total + time, 0);
  return {
    averageMs: Math.round(sum / count),
    medianMs: Math.round((at(Math.floor((count - 1) / 2)) + at(Math.floor(count / 2))) / 2),
    shortestMs: at(0),
    longestMs: at(count - 1),
  };
}
