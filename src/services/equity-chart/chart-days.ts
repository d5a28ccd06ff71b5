import { type BrokerTimeMs, DAY_MS } from '../../domain/broker-time.ts';
import type { EquityBucket } from '../../domain/live/live-records.ts';
import { moneyDigits } from '../../domain/money.ts';
import { type Account, findAccount } from '../../storage/account-store.ts';
import { readBuckets } from '../../storage/bucket-store.ts';
import {
  type ChartDay,
  chartDaysLockOf,
  insertChartDays,
  readChartDays,
} from '../../storage/chart-day-store.ts';
import type { Database } from '../../storage/database.ts';
import { jsonOfHours } from './present-hours.ts';

/** Days before the end of a chart that are kept; what is older is read hour by hour. */
export const MAX_DAYS = 1000;
const HOURS_PER_DAY = 24;

/**
 * Wire JSON of the hours of whole days in [from, until), both midnights and at most MAX_DAYS apart, in
 * parts that follow each other.
 */
export async function chartDays(
  database: Database,
  account: Account,
  fromMs: BrokerTimeMs,
  untilMs: BrokerTimeMs,
): Promise<Buffer[]> {
  if (fromMs === untilMs) return [];
  return (await storedDays(database, account, fromMs, untilMs)).map(({ hours }) => hours);
}

/** Those that are stored, and those that this call makes and stores. */
async function storedDays(
  database: Database,
  account: Account,
  fromMs: BrokerTimeMs,
  untilMs: BrokerTimeMs,
): Promise<ChartDay[]> {
  const stored = await readChartDays(database, account.id, fromMs, untilMs);
  const firstHourMs = stored.firstHourMs ?? untilMs;
  const firstMs = Math.max(fromMs, Math.floor(firstHourMs / DAY_MS) * DAY_MS);
  if (stored.days.length >= (untilMs - firstMs) / DAY_MS) return stored.days;
  return makeChartDays(database, account, firstMs, untilMs);
}

/** Makes the days that are missing, under the lock of those who change hours, and reads all. */
async function makeChartDays(
  database: Database,
  { id, currency, createdAtMs }: Account,
  fromMs: BrokerTimeMs,
  untilMs: BrokerTimeMs,
): Promise<ChartDay[]> {
  return database.transaction(async (tx) => {
    await tx.lock(chartDaysLockOf(tx.kind, id));
    if ((await findAccount(tx, id))?.createdAtMs !== createdAtMs) return [];
    const stored = await readChartDays(tx, id, fromMs, untilMs);
    const known = new Map(stored.days.map((day) => [day.startMs, day]));
    const hours = await readBuckets(tx, id, fromMs, untilMs, MAX_DAYS * HOURS_PER_DAY);
    const byDay = Map.groupBy(hours, (hour) => Math.floor(hour.startTimeMs / DAY_MS) * DAY_MS);
    const days: ChartDay[] = [];
    for (let startMs = fromMs; startMs < untilMs; startMs += DAY_MS) {
      const own: EquityBucket[] = byDay.get(startMs) ?? [];
      const made = { startMs, hours: Buffer.from(jsonOfHours(own, moneyDigits(currency))) };
      days.push(known.get(startMs) ?? made);
    }
    const missing = days.filter(({ startMs }) => !known.has(startMs));
    await insertChartDays(tx, id, missing);
    return days;
  });
}
