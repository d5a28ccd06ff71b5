import { type BrokerTimeMs, HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { EquityHour } from './live-records.ts';

/** A rate of less time than this says nothing. */
const LEAST_MS = MINUTE_MS;
/** The running hour alone counts from here on; before, the one before it counts as well. */
const LONG_ENOUGH_MS = 15 * MINUTE_MS;

/** Where an account stands, and the hour that runs. */
export type Running = {
  lastTimeMs: BrokerTimeMs;
  equity: Money;
  hourStartMs: BrokerTimeMs;
  hourStartEquity: Money;
};

/** The moment and the equity from which the present loss is measured; undefined while unknown. */
export function lossStart(
  { lastTimeMs, hourStartMs, hourStartEquity }: Running,
  hourBefore: Pick<EquityHour, 'startTimeMs' | 'startEquity'> | undefined,
): { timeMs: BrokerTimeMs; equity: Money } | undefined {
  const own = { timeMs: hourStartMs, equity: hourStartEquity };
  const spentMs = lastTimeMs - hourStartMs;
  if (spentMs >= LONG_ENOUGH_MS) return own;
  if (hourBefore?.startTimeMs === hourStartMs - HOUR_MS) {
    return { timeMs: hourBefore.startTimeMs, equity: hourBefore.startEquity };
  }
  return spentMs >= LEAST_MS ? own : undefined;
}

/**
 * Equity lost an hour, measured over the last quarter to five quarters of an hour, without money paid
 * in or out; 0 where nothing was lost.
 * @param transfers money of the deals since the start that are no profit or loss
 */
export function lossPerHour(
  { lastTimeMs, equity }: Running,
  start: { timeMs: BrokerTimeMs; equity: Money },
  transfers: Money,
): Money {
  const lost = start.equity + transfers - equity;
  return lost > 0 ? Math.round((lost * HOUR_MS) / (lastTimeMs - start.timeMs)) : 0;
}
