import type { Database } from '../../src/storage/database.ts';
import { storeLiveAccounts } from './live.ts';
import type { BenchAccount } from './user.ts';

const ROWS_PER_TRANSACTION = 20_000;
const STATEMENT_MS = 600_000;
/** As accountId has it, of the copy with number i. */
const ACCOUNT_ID = "'bench-' || substr(cast(1000000 + i as text), 2)";

/**
 * Stores as many rows more like those of a table for which `where` is true, which it must be of no
 * copy. `changed` has SQL of the columns that differ, in which `i` counts from 1; what is
 * `undefined` there is left to the database.
 */
export async function copyRows(
  database: Database,
  table: string,
  where: string,
  copies: number,
  changed: Record<string, string | undefined>,
): Promise<void> {
  const row = await database.get(`select * from ${table} where ${where}`);
  if (!row) return;
  const columns = Object.keys(row).filter((name) => !(name in changed) || changed[name]);
  const values = columns.map((name) => changed[name] ?? name);
  for (let from = 1; from <= copies; from += ROWS_PER_TRANSACTION) {
    const to = Math.min(copies, from + ROWS_PER_TRANSACTION - 1);
    const statement = `insert into ${table} (${columns.join(', ')})
      with recursive counted (i) as
        (select cast(${from} as bigint) union all select i + 1 from counted where i < ${to}),
        copied as materialized (select * from ${table} where ${where})
      select ${values.join(', ')} from counted cross join copied order by i`;
    await atLeisure(database, statement);
  }
}

/** A user with so many accounts, all alike: as storeLiveAccounts, quickly. The first of them. */
export async function storeManyAccounts(
  database: Database,
  count: number,
  trackersEach: number,
): Promise<BenchAccount> {
  const [first] = await storeLiveAccounts(database, 1, trackersEach);
  if (!first) throw new Error('Invariant: there is a first account');
  const { number } = first;
  const copies = count - 1;
  await copyRows(database, 'account', `number = ${number}`, copies, {
    ...{ number: undefined, id: ACCOUNT_ID, name: ACCOUNT_ID },
  });
  for (const table of ['tracker', 'live_account']) {
    const accountNumber = `${number} + i`;
    await copyRows(database, table, `account_number = ${number}`, copies, {
      account_number: accountNumber,
    });
  }
  await database.run('update account_count set accounts = accounts + $1', [copies]);
  await learnSizes(database);
  return first;
}

/** What PostgreSQL learns by itself within a minute. */
export async function learnSizes(database: Database): Promise<void> {
  if (database.kind === 'postgres') await atLeisure(database, 'analyze');
}

/** Runs a statement that may take longer than those of an answer. */
export async function atLeisure(database: Database, statement: string): Promise<void> {
  await database.transaction((tx) => tx.run(statement), { statementMs: STATEMENT_MS });
}
