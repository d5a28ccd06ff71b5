import { type BrokerTimeMs, DAY_MS } from '../../domain/broker-time.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import {
  type ChartDay,
  insertChartDays,
  readChartDays,
  type StoredDays,
} from '../../storage/chart-day-store.ts';
import type { StoredHour } from '../../storage/hour-store.ts';
import type { Context } from '../context.ts';
import { LoopSlice } from '../turns.ts';
import { storedHours } from './account-hours.ts';
import { jsonOfHours } from './present-hours.ts';

/** How many days before the end of a chart are kept; older ones are read hour by hour. */
export const MAX_DAYS = 1000;

/**
 * The API's JSON of the hours of whole days in [from, until), both midnights and at most MAX_DAYS
 * apart, in consecutive parts.
 */
export async function chartDays(
  context: Pick<Context, 'database' | 'changes'>,
  account: Account,
  fromMs: BrokerTimeMs,
  untilMs: BrokerTimeMs,
): Promise<Buffer[]> {
  if (fromMs === untilMs) return [];
  const stored = await readChartDays(context.database, account.number, fromMs, untilMs);
  const firstHourMs = stored.firstHourMs ?? untilMs;
  const firstMs = Math.max(fromMs, Math.floor(firstHourMs / DAY_MS) * DAY_MS);
  const isWhole = stored.days.length >= (untilMs - firstMs) / DAY_MS;
  const days = isWhole ? stored.days : await makeDays(context, account, stored, firstMs, untilMs);
  return days.map(({ hours }) => hours);
}

/** Makes the missing days, and stores them unless their hours have changed since. */
async function makeDays(
  { database, changes }: Pick<Context, 'database' | 'changes'>,
  { number, currency }: Account,
  stored: StoredDays,
  fromMs: BrokerTimeMs,
  untilMs: BrokerTimeMs,
): Promise<ChartDay[]> {
  const known = new Map(stored.days.map((day) => [day.startMs, day]));
  const hours = await storedHours(database, number, { startMs: fromMs, endMs: untilMs });
  const byDay = Map.groupBy(hours, (hour) => Math.floor(hour.startTimeMs / DAY_MS) * DAY_MS);
  const days: ChartDay[] = [];
  const slice = new LoopSlice();
  for (let startMs = fromMs; startMs < untilMs; startMs += DAY_MS) {
    if (slice.isOver) await slice.next();
    const own: StoredHour[] = byDay.get(startMs) ?? [];
    const made = { startMs, hours: Buffer.from(jsonOfHours(own, moneyDigits(currency))) };
    days.push(known.get(startMs) ?? made);
  }
  const missing = days.filter(({ startMs }) => !known.has(startMs));
  await changes.record((tx) => insertChartDays(tx, number, stored.hoursVersion, missing));
  return days;
}
