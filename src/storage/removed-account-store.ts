import type { Database } from './database.ts';
import { fence } from './partition-store.ts';
import { places } from './sql-text.ts';

const NUMBERS_PER_STATEMENT = 100;

/** Notes that the fold has come to the removal of accounts: from now on nothing of theirs is written. */
export async function noteFolded(
  database: Database,
  partition: number,
  epoch: number,
  numbers: readonly number[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await fence(tx, partition, epoch);
    for (let start = 0; start < numbers.length; start += NUMBERS_PER_STATEMENT) {
      const some = numbers.slice(start, start + NUMBERS_PER_STATEMENT);
      await tx.run(
        `update removed_account set is_folded = 1 where number in (${places(1, some.length)})`,
        some,
      );
    }
  });
}

/** Tables that hold rows of an account, beside its own. */
const TABLES = [
  'incident_entry',
  'tracker_event',
  'breach_action',
  'tracker_action',
  'tracker',
  'enrolment',
  'period_statistics',
  'live_account',
  'parked_entry',
  'chart_day',
  'equity_bucket',
  'trade_chunk',
  'growth_day',
  'fold_stage',
  'account_history',
  'account_market',
  'account_sync',
  'listed_deal',
  'statement_import',
  'deal',
] as const;

/** Rows that one statement deletes: others wait for it no longer than some milliseconds. */
const ROWS_PER_STATEMENT = 500;

/** Accounts whose removal is folded and of which there may be rows left, at most so many. */
export async function listSweepable(database: Database, limit: number): Promise<number[]> {
  const rows = await database.all<{ number: number }>(
    'select number from removed_account where is_folded = 1 order by number limit $1',
    [limit],
  );
  return rows.map((row) => row.number);
}

/** Deletes some of the rows that are left of a removed account; false when none was. */
export async function sweepSome(database: Database, accountNumber: number): Promise<boolean> {
  for (const table of TABLES) {
    const row = database.kind === 'sqlite' ? 'rowid' : 'ctid';
    const deleted = await database.run(
      `delete from ${table} where ${row} in
         (select ${row} from ${table} where account_number = $1 limit ${ROWS_PER_STATEMENT})`,
      [accountNumber],
    );
    if (deleted > 0) return true;
  }
  // Its place in the chain stays, or nobody could tell whether another was taken out.
  await database.run(
    'update event_seal set statement = null where account_number = $1 and statement is not null',
    [accountNumber],
  );
  await database.run('delete from removed_account where number = $1', [accountNumber]);
  return false;
}
