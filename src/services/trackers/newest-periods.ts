import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import type { PeriodStatistics } from '../../domain/live/live-records.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { Sql } from '../../storage/database.ts';
import { readPeriods } from '../../storage/tracker-store.ts';

/**
 * Periods of a tracker that start at or before a time, newest first, including the running one: as
 * of this moment with realTime, otherwise as available to LiveReader.
 */
export async function readNewestPeriods(
  { database, live }: { database: Sql; live: LiveReader },
  accountNumber: number,
  trackerId: string,
  { untilMs, limit, realTime }: { untilMs: BrokerTimeMs; limit: number; realTime: boolean },
): Promise<PeriodStatistics[]> {
  const newest = await live.read(accountNumber, realTime, (view) => view.newestPeriods(trackerId));
  const stored = await readPeriods(database, accountNumber, trackerId, untilMs, limit);
  const periods = new Map(stored.map((period) => [period.startTimeMs, period]));
  for (const period of newest ?? []) {
    // A period that was running when it was read may be complete in the database by now.
    const isOlder = period.periodStatus === 'running' && periods.has(period.startTimeMs);
    if (!isOlder) periods.set(period.startTimeMs, period);
  }
  return [...periods.values()]
    .filter(({ startTimeMs }) => startTimeMs <= untilMs)
    .sort((a, b) => b.startTimeMs - a.startTimeMs)
    .slice(0, limit);
}
