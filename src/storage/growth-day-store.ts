import type { GrowthDay } from '../domain/metrics/growth-day.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { optional, plain, RecordTable } from './record-table.ts';
import { inSlices } from './sql-text.ts';

type StoredDay = GrowthDay & { accountNumber: number };

const DAY = new RecordTable<StoredDay>('growth_day', {
  accountNumber: plain('account_number'),
  day: plain('day'),
  trades: plain('trades'),
  won: plain('won'),
  volume: plain('volume'),
  pipTenths: optional('pip_tenths'),
  profit: plain('profit'),
  transfers: plain('transfers'),
  credit: plain('credit'),
  factor: plain('factor'),
  balance: plain('balance'),
  result: plain('result'),
  index: plain('growth_index'),
  maximalFall: plain('maximal_fall'),
  maximalFallPercent: plain('maximal_fall_percent'),
  fallPercent: plain('fall_percent'),
});

/** Days after a day, in order; at most `limit`. */
export const readGrowthDays = (
  sql: Sql,
  accountNumber: number,
  afterDay: number,
  limit: number,
): Promise<GrowthDay[]> =>
  DAY.all(
    sql,
    `where account_number = $1 and day > $2
     order by day limit $3`,
    [accountNumber, afterDay, limit],
  );

/** The day before the newest `count` ones; undefined if there are no more. */
export async function dayBeforeNewest(
  sql: Sql,
  accountNumber: number,
  count: number,
): Promise<number | undefined> {
  const row = await sql.get<Row & { day: number }>(
    'select day from growth_day where account_number = $1 order by day desc limit 1 offset $2',
    [accountNumber, count],
  );
  return row?.day;
}

/** Replaces the account's days in [from, until] by those given. */
export async function replaceGrowthDays(
  tx: Transaction,
  accountNumber: number,
  { fromDay, untilDay }: { fromDay: number; untilDay: number },
  days: readonly GrowthDay[],
): Promise<void> {
  await tx.run('delete from growth_day where account_number = $1 and day >= $2 and day <= $3', [
    ...[accountNumber, fromDay, untilDay],
  ]);
  await inSlices(days, async (slice) => {
    await tx.run(
      DAY.insert(slice.length),
      slice.flatMap((day) => DAY.values({ ...day, accountNumber })),
    );
  });
}
