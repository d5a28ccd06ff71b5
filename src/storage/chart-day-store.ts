import { type BrokerTimeMs, DAY_MS } from '../domain/broker-time.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { bufferOf, forShare, inSlices, pairs, tuples, utf8Bytes } from './sql-text.ts';

/** A whole day of an account's chart: the wire JSON of its hours, joined by commas. */
export type ChartDay = { startMs: BrokerTimeMs; hours: Buffer };

export type StoredDays = {
  /** In order. */
  days: ChartDay[];
  /** When the account's first hour began. */
  firstHourMs: BrokerTimeMs | undefined;
  /** The version of its closed hours. */
  hoursVersion: number;
};

/** The stored days of [from, until). */
export async function readChartDays(
  sql: Sql,
  accountNumber: number,
  fromMs: BrokerTimeMs,
  untilMs: BrokerTimeMs,
): Promise<StoredDays> {
  type Found = Row & { what: string; value: number | null; hours: Uint8Array | string | null };
  const rows = await sql.all<Found>(
    `select 'day' as what, start_time_ms as value, ${utf8Bytes(sql.kind, 'hours')} from chart_day
     where account_number = $1 and start_time_ms >= $2 and start_time_ms < $3
     union all
     select 'first', (select min(start_time_ms) from equity_bucket where account_number = $1), null
     union all
     select 'version', (select hours_version from live_account where account_number = $1), null`,
    [accountNumber, fromMs, untilMs],
  );
  const found: StoredDays = { days: [], firstHourMs: undefined, hoursVersion: 0 };
  for (const { what, value, hours } of rows) {
    if (what === 'first') found.firstHourMs = value ?? undefined;
    else if (what === 'version') found.hoursVersion = value ?? 0;
    else if (value !== null && hours !== null)
      found.days.push({ startMs: value, hours: bufferOf(hours) });
  }
  found.days.sort((a, b) => a.startMs - b.startMs);
  return found;
}

/** Stores days made from the hours of a version; stores none if these have changed since. */
export async function insertChartDays(
  tx: Transaction,
  accountNumber: number,
  hoursVersion: number,
  days: readonly ChartDay[],
): Promise<void> {
  // Every change of hours writes this row in its transaction: it waits, or is seen here.
  const isCurrent = await tx.get(
    `select 1 as held from live_account where account_number = $1 and hours_version = $2
     ${forShare(tx.kind)}`,
    [accountNumber, hoursVersion],
  );
  if (!isCurrent) return;
  await inSlices(days, async (slice) => {
    await tx.run(
      `insert into chart_day (account_number, start_time_ms, hours)
       values ${tuples(slice.length, 3)} on conflict do nothing`,
      slice.flatMap(({ startMs, hours }) => [accountNumber, startMs, hours]),
    );
  });
}

/** Deletes the days of hours that have changed. */
export async function deleteChartDays(
  tx: Transaction,
  changed: readonly { accountNumber: number; startTimeMs: BrokerTimeMs }[],
): Promise<void> {
  const days = new Map<string, [accountNumber: number, startMs: BrokerTimeMs]>();
  for (const { accountNumber, startTimeMs } of changed) {
    const startMs = Math.floor(startTimeMs / DAY_MS) * DAY_MS;
    days.set(`${accountNumber} ${startMs}`, [accountNumber, startMs]);
  }
  await inSlices([...days.values()], async (slice) => {
    await tx.run(
      `delete from chart_day where (account_number, start_time_ms) in (${pairs(slice.length)})`,
      slice.flat(),
    );
  });
}
