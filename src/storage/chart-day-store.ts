import { type BrokerTimeMs, DAY_MS } from '../domain/broker-time.ts';
import type { Database, Row, Sql, Transaction } from './database.ts';
import { partitionCount, partitionOf } from './journal-store.ts';
import { bufferOf, inSlices, tuples, utf8Bytes } from './sql-text.ts';

/** A whole day of an account's chart: wire JSON of its hours, joined by commas; empty without any. */
export type ChartDay = { startMs: BrokerTimeMs; hours: Buffer };

/**
 * Held by whoever makes days of a partition's accounts and by whoever changes hours that may be in
 * one; taken before any row.
 */
export const chartDaysLock = (partition: number): string => `chart-days:${partition}`;

export const chartDaysLockOf = (kind: Database['kind'], accountId: string): string =>
  chartDaysLock(partitionOf(accountId, partitionCount(kind)));

/** Days of [from, until) that are stored, in order, and when the account's first hour began. */
export async function readChartDays(
  sql: Sql,
  accountId: string,
  fromMs: BrokerTimeMs,
  untilMs: BrokerTimeMs,
): Promise<{ days: ChartDay[]; firstHourMs: BrokerTimeMs | undefined }> {
  type DayRow = Row & { start_time_ms: number | null; hours: Uint8Array | string | null };
  const rows = await sql.all<DayRow>(
    `select start_time_ms, ${utf8Bytes(sql.kind, 'hours')} from chart_day
     where account_id = $1 and start_time_ms >= $2 and start_time_ms < $3
     union all
     select min(start_time_ms), null from equity_bucket where account_id = $1`,
    [accountId, fromMs, untilMs],
  );
  let firstHourMs: BrokerTimeMs | undefined;
  const days: ChartDay[] = [];
  for (const { start_time_ms: startMs, hours } of rows) {
    if (hours === null) firstHourMs = startMs ?? undefined;
    else if (startMs !== null) days.push({ startMs, hours: bufferOf(hours) });
  }
  return { days: days.sort((a, b) => a.startMs - b.startMs), firstHourMs };
}

export async function insertChartDays(
  tx: Transaction,
  accountId: string,
  days: readonly ChartDay[],
): Promise<void> {
  await inSlices(days, async (slice) => {
    await tx.run(
      `insert into chart_day (account_id, start_time_ms, hours)
       values ${tuples(slice.length, 3)} on conflict do nothing`,
      slice.flatMap(({ startMs, hours }) => [accountId, startMs, hours]),
    );
  });
}

/** Forgets the days of hours that have changed. */
export async function deleteChartDays(
  tx: Transaction,
  changed: readonly { accountId: string; startTimeMs: BrokerTimeMs }[],
): Promise<void> {
  const days = new Map<string, [accountId: string, startMs: BrokerTimeMs]>();
  for (const { accountId, startTimeMs } of changed) {
    const startMs = Math.floor(startTimeMs / DAY_MS) * DAY_MS;
    days.set(`${startMs} ${accountId}`, [accountId, startMs]);
  }
  await inSlices([...days.values()], async (slice) => {
    const keys = Array.from({ length: slice.length }, (_, index) => {
      const place = index * 2 + 1;
      return `($${place}, cast($${place + 1} as bigint))`;
    });
    await tx.run(
      `delete from chart_day where (account_id, start_time_ms) in (values ${keys.join(', ')})`,
      slice.flat(),
    );
  });
}
