import type { PeriodStatisticsRecord } from '../../contract/operations/trackers.ts';
import { brokerTimeAt, DAY_MS } from '../../domain/broker-time.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { readNewestPeriods } from './newest-periods.ts';
import { presentPeriod } from './present-tracker.ts';
import { withTradeDays } from './trade-days.ts';

export type StatisticsQuery = {
  startTime?: string | undefined;
  limit: number;
  realTime: boolean;
};

/**
 * Periods of a tracker, newest first: those that start at or before startTime, or all. The running
 * one is as of this moment with realTime, otherwise as available to LiveReader.
 */
export async function readStatistics(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  trackerId: string,
  { startTime, limit, realTime }: StatisticsQuery,
): Promise<PeriodStatisticsRecord[]> {
  const account = await accessAccount(context, principal, accountId);
  const { number } = account;
  if (!(await context.catalogue.tracker(number, trackerId))) throw notFound('Tracker');
  const untilMs =
    startTime === undefined ? Number.MAX_SAFE_INTEGER : readBrokerTimes({ startTime }).startTime;
  const query = { untilMs, limit, realTime };
  const found = await readNewestPeriods(context, number, trackerId, query);
  const nowMs = brokerTimeAt(context.now(), account.brokerClock) + DAY_MS;
  const shown = await withTradeDays(context.database, number, found, nowMs);
  const digits = moneyDigits(account.currency);
  return shown.map((period) => presentPeriod(period, digits));
}
