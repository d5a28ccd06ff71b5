import { type BrokerTimeMs, DAY_MS } from '../domain/broker-time.ts';
import type { EquityBucket, EquityHour } from '../domain/live/live-records.ts';
import type { Money } from '../domain/money.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { countFacts } from './holding-store.ts';
import { flag, plain, RecordTable } from './record-table.ts';
import { inSlices, numberOf } from './sql-text.ts';

/** An hour of an account. */
export type StoredHour = Omit<EquityBucket, 'accountId'> & { accountNumber: number };

const HOUR = new RecordTable<StoredHour>('equity_bucket', {
  accountNumber: plain('account_number'),
  startTimeMs: plain('start_time_ms'),
  averageBalance: plain('average_balance'),
  minBalance: plain('min_balance'),
  maxBalance: plain('max_balance'),
  averageEquity: plain('average_equity'),
  minEquity: plain('min_equity'),
  maxEquity: plain('max_equity'),
  startBalance: plain('start_balance'),
  startEquity: plain('start_equity'),
  lastBalance: plain('last_balance'),
  lastEquity: plain('last_equity'),
  hasLateExtremes: flag('has_late_extremes'),
});

/** Writes closed hours, replacing existing ones. */
export async function writeHours(tx: Transaction, hours: readonly StoredHour[]): Promise<void> {
  const fresh = new Map<number, number>();
  await inSlices(hours, async (slice) => {
    const values = slice.flatMap((hour) => HOUR.values(hour));
    // Which are new must be known, to count them. Nearly always all are.
    const rows = await tx.all<{ account_number: number }>(
      `${HOUR.insert(slice.length)} on conflict (account_number, start_time_ms) do nothing
       returning account_number`,
      values,
    );
    for (const { account_number: number } of rows) fresh.set(number, (fresh.get(number) ?? 0) + 1);
    if (rows.length === slice.length) return;
    await tx.run(
      `${HOUR.insert(slice.length)} on conflict (account_number, start_time_ms)
       ${HOUR.replace('account_number', 'start_time_ms')}`,
      values,
    );
  });
  await countFacts(tx, 'hour', fresh);
}

/** A late snapshot of a closed hour. */
export type HourCorrection = {
  accountNumber: number;
  startTimeMs: BrokerTimeMs;
  balance: Money;
  equity: Money;
};

/** `$3` is the late balance, `$4` the late equity. */
const least = (column: string, place: string) =>
  `${column} = case when ${place} < ${column} then ${place} else ${column} end`;
const greatest = (column: string, place: string) => least(column, place).replace(' < ', ' > ');

/** Widens stored hours by late snapshots, like correctBucket in the domain. */
export async function correctHours(
  tx: Transaction,
  corrections: readonly HourCorrection[],
): Promise<void> {
  const fresh = new Map<number, number>();
  for (const { accountNumber, startTimeMs, balance, equity } of corrections) {
    const values = [accountNumber, startTimeMs, balance, equity];
    const widened = await tx.run(
      `update equity_bucket set ${least('min_balance', '$3')}, ${greatest('max_balance', '$3')},
         ${least('min_equity', '$4')}, ${greatest('max_equity', '$4')},
         has_late_extremes = case when $4 < min_equity or $4 > max_equity then 1
           else has_late_extremes end
       where account_number = $1 and start_time_ms = $2`,
      values,
    );
    if (widened > 0) continue;
    await tx.run(
      `insert into equity_bucket (${HOUR.list})
       values ($1, $2, $3, $3, $3, $4, $4, $4, $3, $4, $3, $4, 0)`,
      values,
    );
    fresh.set(accountNumber, (fresh.get(accountNumber) ?? 0) + 1);
  }
  await countFacts(tx, 'hour', fresh);
}

/** Hours that begin in [start, end), in order, at most `limit`. */
export const readHours = (
  sql: Sql,
  accountNumber: number,
  startMs: BrokerTimeMs,
  endMs: BrokerTimeMs,
  limit: number,
): Promise<StoredHour[]> =>
  HOUR.all(
    sql,
    `where account_number = $1 and start_time_ms >= $2 and start_time_ms < $3
     order by start_time_ms limit $4`,
    [accountNumber, startMs, endMs, limit],
  );

/** The newest hour that begins before a time. */
export const findHourBefore = (
  sql: Sql,
  accountNumber: number,
  beforeMs: BrokerTimeMs,
): Promise<StoredHour | undefined> =>
  HOUR.get(
    sql,
    `where account_number = $1 and start_time_ms < $2
     order by start_time_ms desc limit 1`,
    [accountNumber, beforeMs],
  );

/** When the newest hours before a time begin, newest first; at most `limit`. */
export async function readHourStartsBefore(
  sql: Sql,
  accountNumber: number,
  beforeMs: BrokerTimeMs,
  limit: number,
): Promise<BrokerTimeMs[]> {
  const rows = await sql.all<Row & { start_time_ms: number }>(
    `select start_time_ms from equity_bucket where account_number = $1 and start_time_ms < $2
     order by start_time_ms desc limit $3`,
    [accountNumber, beforeMs, limit],
  );
  return rows.map((row) => row.start_time_ms);
}

/** An hour's first and last snapshot. */
export type HourEnds = Pick<
  EquityHour,
  'startTimeMs' | 'startBalance' | 'startEquity' | 'lastBalance' | 'lastEquity'
>;

const ENDS = new RecordTable<HourEnds>('equity_bucket', {
  startTimeMs: plain('start_time_ms'),
  startBalance: plain('start_balance'),
  startEquity: plain('start_equity'),
  lastBalance: plain('last_balance'),
  lastEquity: plain('last_equity'),
});

/** The hours since a time, in order; at most `limit`. */
export const readRecentHours = (
  sql: Sql,
  accountNumber: number,
  sinceMs: BrokerTimeMs,
  limit: number,
): Promise<HourEnds[]> =>
  ENDS.all(
    sql,
    'where account_number = $1 and start_time_ms >= $2 order by start_time_ms limit $3',
    [accountNumber, sinceMs, limit],
  );

/** Counts the changes of an account's closed hours. */
export const readHoursVersion = (sql: Sql, accountNumber: number): Promise<number> =>
  numberOf(sql, 'select hours_version from live_account where account_number = $1', [
    accountNumber,
  ]);

/** When the account's first and last closed hours began. */
export async function readHoursRange(
  sql: Sql,
  accountNumber: number,
): Promise<{ firstMs: BrokerTimeMs; lastMs: BrokerTimeMs } | undefined> {
  const row = await sql.get<{ first: number | null; last: number | null }>(
    `select (select min(start_time_ms) from equity_bucket where account_number = $1) as first,
       (select max(start_time_ms) from equity_bucket where account_number = $1) as last`,
    [accountNumber],
  );
  return row && row.first !== null && row.last !== null
    ? { firstMs: row.first, lastMs: row.last }
    : undefined;
}

/** The last hour of each day in [from, until), both midnights, in order. */
export async function readLastHours(
  sql: Sql,
  accountNumber: number,
  fromMs: BrokerTimeMs,
  untilMs: BrokerTimeMs,
): Promise<HourEnds[]> {
  const range = 'account_number = $1 and start_time_ms >= $2 and start_time_ms < $3';
  return ENDS.all(
    sql,
    `where ${range} and start_time_ms in
       (select max(start_time_ms) from equity_bucket
        where ${range} group by start_time_ms / ${DAY_MS})
     order by start_time_ms`,
    [accountNumber, fromMs, untilMs],
  );
}
