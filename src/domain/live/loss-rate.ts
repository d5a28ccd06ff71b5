import { type BrokerTimeMs, HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { EquityHour } from './live-records.ts';

/** A rate over less time than this means nothing. */
const LEAST_MS = MINUTE_MS;
/** Once the running hour is this long it counts alone; until then, so does the hour before. */
const LONG_ENOUGH_MS = 15 * MINUTE_MS;

/** An account's present figures and its running hour. */
export type Running = {
  lastTimeMs: BrokerTimeMs;
  balance: Money;
  equity: Money;
  hourStartMs: BrokerTimeMs;
  hourStartBalance: Money;
  hourStartEquity: Money;
};

/** The hour from whose beginning the present loss is measured, with its first snapshot. */
export type LossStart = Pick<EquityHour, 'startTimeMs' | 'startBalance' | 'startEquity'>;

/** Where the measurement of the present loss starts; undefined while unknown. */
export function lossStart(
  { lastTimeMs, hourStartMs, hourStartBalance, hourStartEquity }: Running,
  hourBefore: LossStart | undefined,
): LossStart | undefined {
  const own = {
    startTimeMs: hourStartMs,
    startBalance: hourStartBalance,
    startEquity: hourStartEquity,
  };
  const spentMs = lastTimeMs - hourStartMs;
  if (spentMs >= LONG_ENOUGH_MS) return own;
  if (hourBefore?.startTimeMs === hourStartMs - HOUR_MS) return hourBefore;
  return spentMs >= LEAST_MS ? own : undefined;
}

/**
 * Equity lost per hour since the start, without money paid in or out; 0 if none was lost. The start
 * is 15 to 75 minutes ago, or 1 to 15 if the hour before is unknown.
 * @param transfers money of the deals since the start that are no profit or loss
 */
export function lossPerHour(
  { lastTimeMs, equity }: Pick<Running, 'lastTimeMs' | 'equity'>,
  start: Pick<LossStart, 'startTimeMs' | 'startEquity'>,
  transfers: Money,
): Money {
  const lost = start.startEquity + transfers - equity;
  return lost > 0 ? Math.round((lost * HOUR_MS) / (lastTimeMs - start.startTimeMs)) : 0;
}
