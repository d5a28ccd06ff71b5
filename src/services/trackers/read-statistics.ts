import type { PeriodStatisticsRecord } from '../../contract/operations/trackers.ts';
import { runningPeriod } from '../../domain/live/tracker-records.ts';
import { moneyDigits } from '../../domain/money.ts';
import { readPeriods } from '../../storage/tracker-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { readBrokerTimes } from '../broker-times.ts';
import type { Context, Principal } from '../context.ts';
import { type LiveParts, readLiveAccount } from '../equity-chart/read-live-account.ts';
import { notFound } from '../errors.ts';
import { presentPeriod } from './present-tracker.ts';

export type StatisticsQuery = {
  startTime?: string | undefined;
  limit: number;
  realTime: boolean;
};

/**
 * Periods of a tracker, newest first: those that start at or before startTime, or all. The running
 * one is as of this moment with realTime, else as it is at hand: see readLiveAccount.
 */
export async function readStatistics(
  context: Context & LiveParts,
  principal: Principal,
  accountId: string,
  trackerId: string,
  { startTime, limit, realTime }: StatisticsQuery,
): Promise<PeriodStatisticsRecord[]> {
  const account = await accessAccount(context, principal, accountId);
  const { database } = context;
  if (!(await context.catalogue.tracker(accountId, trackerId))) throw notFound('Tracker');
  const untilMs =
    startTime === undefined ? Number.MAX_SAFE_INTEGER : readBrokerTimes({ startTime }).startTime;
  const live = await readLiveAccount(context, account, realTime);
  const tracker = live?.account.trackers.find(({ id }) => id === trackerId);
  const running = live && tracker && runningPeriod(live.account, tracker);
  const stored = await readPeriods(database, trackerId, untilMs, limit);
  const periods = new Map(stored.map((period) => [period.startTimeMs, period]));
  for (const period of live?.periods ?? []) {
    if (period.trackerId === trackerId) periods.set(period.startTimeMs, period);
  }
  // Completed meanwhile: then the stored period is the newer one.
  if (running && !periods.has(running.startTimeMs)) periods.set(running.startTimeMs, running);
  const newest = [...periods.values()]
    .filter(({ startTimeMs }) => startTimeMs <= untilMs)
    .sort((a, b) => b.startTimeMs - a.startTimeMs)
    .slice(0, limit);
  const digits = moneyDigits(account.currency);
  return newest.map((period) => presentPeriod(period, digits));
}
