import { MAX_CHART_MINUTES } from '../../contract/operations/equity-chart.ts';
import {
  type BrokerTimeMs,
  brokerTimeAt,
  MINUTE_MS,
  startOfMinute,
} from '../../domain/broker-time.ts';
import { joinMinute, MINUTES_SHOWN_MS } from '../../domain/live/fold-minute.ts';
import type { EquityMinute } from '../../domain/live/live-records.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { readMinutes } from '../../storage/minute-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { rangeOf } from './chart-range.ts';
import { joined, jsonOfMinutes, jsonParts } from './present-hours.ts';
import type { ChartQuery } from './read-equity-chart.ts';

/**
 * Minutes of an account that begin in [the minute of startTime, endTime) and in the last 48 hours,
 * as the answer's bytes in consecutive parts. The minute that is still running by the account's
 * clock is included only with realTime.
 */
export async function readMinuteChart(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  { realTime, ...query }: ChartQuery,
): Promise<Buffer[]> {
  const { number, brokerClock, currency } = await accessAccount(context, principal, accountId);
  const nowMs = brokerTimeAt(context.now(), brokerClock);
  const asked = rangeOf(query, nowMs, 'minute');
  const startMs = Math.max(asked.startMs, startOfMinute(nowMs - MINUTES_SHOWN_MS));
  // First: what a checkpoint stores meanwhile is in both.
  const newest = await context.live.read(number, realTime, (view) => ({
    minutes: view.newestMinutes(),
    runningMs: startOfMinute(view.lastTimeMs ?? Number.NaN),
  }));
  const minutes = new Map<BrokerTimeMs, EquityMinute>();
  const stored = await readMinutes(context.database, number, startMs, asked.endMs);
  for (const minute of [...stored, ...(newest?.minutes ?? [])]) joinMinute(minutes, minute);
  const runs = (timeMs: BrokerTimeMs): boolean =>
    timeMs === newest?.runningMs && timeMs + MINUTE_MS > nowMs;
  const shown = [...minutes]
    .filter(([timeMs]) => timeMs >= startMs && timeMs < asked.endMs && (realTime || !runs(timeMs)))
    .sort(([a], [b]) => a - b)
    .map(([, minute]) => minute)
    .slice(-MAX_CHART_MINUTES);
  const parts = await jsonParts(shown, moneyDigits(currency), jsonOfMinutes);
  return [Buffer.from('['), ...joined(parts), Buffer.from(']')];
}
