import type { PeriodStatisticsRecord } from '../../contract/operations/trackers.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { readPeriods } from '../../storage/tracker-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { presentPeriod } from './present-tracker.ts';

export type StatisticsQuery = {
  startTime?: string | undefined;
  limit: number;
  realTime: boolean;
};

/**
 * Periods of a tracker, newest first: those that start at or before startTime, or all. The running
 * one is as of this moment with realTime, else as it is at hand: see LiveReader.
 */
export async function readStatistics(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  trackerId: string,
  { startTime, limit, realTime }: StatisticsQuery,
): Promise<PeriodStatisticsRecord[]> {
  const account = await accessAccount(context, principal, accountId);
  const { database, live } = context;
  const { number } = account;
  if (!(await context.catalogue.tracker(number, trackerId))) throw notFound('Tracker');
  const untilMs =
    startTime === undefined ? Number.MAX_SAFE_INTEGER : readBrokerTimes({ startTime }).startTime;
  const newest = await live.read(number, realTime, (view) => view.newestPeriods(trackerId));
  const stored = await readPeriods(database, number, trackerId, untilMs, limit);
  const periods = new Map(stored.map((period) => [period.startTimeMs, period]));
  for (const period of newest ?? []) {
    // One that was running when it was looked at may be complete in the database by now.
    const isOlder = period.periodStatus === 'running' && periods.has(period.startTimeMs);
    if (!isOlder) periods.set(period.startTimeMs, period);
  }
  const shown = [...periods.values()]
    .filter(({ startTimeMs }) => startTimeMs <= untilMs)
    .sort((a, b) => b.startTimeMs - a.startTimeMs)
    .slice(0, limit);
  const digits = moneyDigits(account.currency);
  return shown.map((period) => presentPeriod(period, digits));
}
