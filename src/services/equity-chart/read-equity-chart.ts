import { type BrokerTimeMs, brokerTimeAt, HOUR_MS } from '../../domain/broker-time.ts';
import type { RunningBucket } from '../../domain/live/live-records.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import type { PageCache } from '../page-cache.ts';
import { type ChartRange, type HourRange, rangeOf } from './chart-range.ts';
import { closedHours, NO_HOURS } from './closed-hours.ts';
import { joined, jsonOfHours, jsonOfRunning } from './present-hours.ts';

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

export type ChartQuery = ChartRange & { realTime: boolean };

/**
 * Hours of an account that begin in [the hour of startTime, endTime), by default the last 30 days,
 * as the answer's bytes in consecutive parts. The hour that is still running by the account's clock
 * is included only with realTime, with its present figures.
 */
export async function readEquityChart(
  context: Context & { live: LiveReader; pages: PageCache },
  principal: Principal,
  accountId: string,
  query: ChartQuery,
): Promise<Buffer[]> {
  const account = await accessAccount(context, principal, accountId);
  const nowMs = brokerTimeAt(context.now(), account.brokerClock);
  const { startMs, endMs } = rangeOf(query, nowMs);
  const newest = await context.live.read(account.number, query.realTime, (view) => ({
    running: view.runningHour(),
    ...view.pendingHours(),
    hoursVersion: view.hoursVersion,
  }));
  const { running } = newest ?? NO_HOURS;
  const range = { startMs, endMs };
  const closed = await closedHours(context, account, newest ?? NO_HOURS, range);
  const shown = {
    ...range,
    nowMs,
    digits: moneyDigits(account.currency),
    realTime: query.realTime,
  };
  const last = running && !closed.hasRunning ? runningPart(running, shown) : '';
  return [OPEN, ...joined([...closed.parts, Buffer.from(last)]), CLOSE];
}

/** The running hour if it belongs in the answer, otherwise ''. */
function runningPart(
  running: RunningBucket,
  {
    startMs,
    endMs,
    nowMs,
    digits,
    realTime,
  }: HourRange & { nowMs: BrokerTimeMs; digits: number; realTime: boolean },
): string {
  const { startTimeMs } = running;
  if (startTimeMs < startMs || startTimeMs >= endMs) return '';
  if (realTime) return jsonOfRunning(running, digits);
  return startTimeMs + HOUR_MS <= nowMs ? jsonOfHours([running], digits) : '';
}
