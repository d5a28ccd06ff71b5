import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { EquityBucket, LateBucketCorrection } from '../domain/live/live-records.ts';
import type { Money } from '../domain/money.ts';
import type { Row, Sql, SqlValue, Transaction } from './database.ts';
import { inSlices, tuples } from './sql-text.ts';

const COLUMNS = [
  'account_id',
  'start_time_ms',
  'average_balance',
  'min_balance',
  'max_balance',
  'average_equity',
  'min_equity',
  'max_equity',
  'start_balance',
  'start_equity',
  'last_balance',
  'last_equity',
];
const VALUES = COLUMNS.slice(2);

type BucketRow = Row & {
  account_id: string;
  start_time_ms: number;
  average_balance: number;
  min_balance: number;
  max_balance: number;
  average_equity: number;
  min_equity: number;
  max_equity: number;
  start_balance: number;
  start_equity: number;
  last_balance: number;
  last_equity: number;
};

/** Writes closed hours; one that is there already is replaced. */
export async function writeBuckets(
  tx: Transaction,
  buckets: readonly EquityBucket[],
): Promise<void> {
  const updates = VALUES.map((column) => `${column} = excluded.${column}`).join(', ');
  await inSlices(buckets, async (slice) => {
    await tx.run(
      `insert into equity_bucket (${COLUMNS.join(', ')}) values ${tuples(slice.length, 12)}
       on conflict (account_id, start_time_ms) do update set ${updates}`,
      slice.flatMap(valuesOf),
    );
  });
}

const least = (column: string) =>
  `${column} = case when excluded.${column} < equity_bucket.${column}
     then excluded.${column} else equity_bucket.${column} end`;
const greatest = (column: string) => least(column).replace(' < ', ' > ');

/** Widens stored hours by late snapshots, as correctBucket of the domain does. */
export async function correctBuckets(
  tx: Transaction,
  corrections: readonly LateBucketCorrection[],
): Promise<void> {
  for (const { accountId, startTimeMs, balance, equity } of corrections) {
    await tx.run(
      `insert into equity_bucket (${COLUMNS.join(', ')})
       values ($1, $2, $3, $3, $3, $4, $4, $4, $3, $4, $3, $4)
       on conflict (account_id, start_time_ms) do update set ${least('min_balance')},
         ${greatest('max_balance')}, ${least('min_equity')}, ${greatest('max_equity')}`,
      [accountId, startTimeMs, balance, equity],
    );
  }
}

/** Hours with start ≤ their start < end, in order. */
export async function readBuckets(
  sql: Sql,
  accountId: string,
  startMs: BrokerTimeMs,
  endMs: BrokerTimeMs,
  limit: number,
): Promise<EquityBucket[]> {
  const rows = await sql.all<BucketRow>(
    `select ${COLUMNS.join(', ')} from equity_bucket
     where account_id = $1 and start_time_ms >= $2 and start_time_ms < $3
     order by start_time_ms limit $4`,
    [accountId, startMs, endMs, limit],
  );
  return rows.map(bucketOf);
}

/** When the hour began that is so many hours before a time, of those there are; or the first one. */
export async function findHourBefore(
  sql: Sql,
  accountId: string,
  beforeMs: BrokerTimeMs,
  hours: number,
): Promise<BrokerTimeMs | undefined> {
  const row = await sql.get<{ start_time_ms: number | null }>(
    `select min(start_time_ms) as start_time_ms from (
       select start_time_ms from equity_bucket where account_id = $1 and start_time_ms < $2
       order by start_time_ms desc limit $3) as earlier`,
    [accountId, beforeMs, hours],
  );
  return row?.start_time_ms ?? undefined;
}

/** Equity at the ends of the hours since a time, in order; at most `limit`. */
export async function readRecentEquity(
  sql: Sql,
  accountId: string,
  sinceMs: BrokerTimeMs,
  limit: number,
): Promise<Money[]> {
  const rows = await sql.all<{ last_equity: number }>(
    `select last_equity from equity_bucket where account_id = $1 and start_time_ms >= $2
     order by start_time_ms limit $3`,
    [accountId, sinceMs, limit],
  );
  return rows.map((row) => row.last_equity);
}

const valuesOf = (bucket: EquityBucket): SqlValue[] => [
  bucket.accountId,
  bucket.startTimeMs,
  bucket.averageBalance,
  bucket.minBalance,
  bucket.maxBalance,
  bucket.averageEquity,
  bucket.minEquity,
  bucket.maxEquity,
  bucket.startBalance,
  bucket.startEquity,
  bucket.lastBalance,
  bucket.lastEquity,
];

const bucketOf = (row: BucketRow): EquityBucket => ({
  accountId: row.account_id,
  startTimeMs: row.start_time_ms,
  averageBalance: row.average_balance,
  minBalance: row.min_balance,
  maxBalance: row.max_balance,
  averageEquity: row.average_equity,
  minEquity: row.min_equity,
  maxEquity: row.max_equity,
  startBalance: row.start_balance,
  startEquity: row.start_equity,
  lastBalance: row.last_balance,
  lastEquity: row.last_equity,
});
