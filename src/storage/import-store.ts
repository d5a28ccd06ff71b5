import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { Money } from '../domain/money.ts';
import type { ImportState } from '../words/service.ts';
import { isUnclaimed } from './claim-store.ts';
import type { Database, Row, Sql, Transaction } from './database.ts';
import { deleteDealRow } from './deal-store.ts';
import { countUnsettled, historyLock, noteDealsChanged } from './history-store.ts';
import { countFacts } from './holding-store.ts';
import { json, optional, plain, RecordTable } from './record-table.ts';
import { allIn, forChange, numberOf, someRows } from './sql-text.ts';

/** A report file that was imported into an account. */
export type StatementImport = {
  number: number;
  accountNumber: number;
  id: string;
  /** SHA-256 of the file: a repeated file is the same import. */
  contentHash: string;
  state: ImportState;
  createdAtMs: number;
  /** The balance before carriedInTimeMs, as the report states it. */
  carriedIn: Money | undefined;
  carriedInTimeMs: BrokerTimeMs | undefined;
  /** Warnings shown to the user. */
  record: object;
};

const IMPORT = new RecordTable<StatementImport>('statement_import', {
  number: plain('number'),
  accountNumber: plain('account_number'),
  id: plain('id'),
  contentHash: plain('content_hash'),
  state: plain('state'),
  createdAtMs: plain('created_at_ms'),
  carriedIn: optional('carried_in'),
  carriedInTimeMs: optional('carried_in_time_ms'),
  record: json('record'),
});

/** Stores a new import and returns its number. */
export async function insertImport(
  tx: Transaction,
  statementImport: Omit<StatementImport, 'number'>,
): Promise<number> {
  const { text, values } = IMPORT.insertWithout({ ...statementImport, number: 0 }, 'number');
  const row = await tx.get<{ number: number }>(`${text} returning number`, values);
  if (!row) throw new Error('Invariant: an inserted import has a number');
  await countFacts(tx, 'import', [[statementImport.accountNumber, 1]]);
  return row.number;
}

export async function updateImport(
  tx: Transaction,
  statementImport: StatementImport,
): Promise<void> {
  await tx.run(`update statement_import set ${IMPORT.assign(2, 'number')} where number = $1`, [
    statementImport.number,
    ...IMPORT.valuesWithout(statementImport, 'number'),
  ]);
}

/** Whether it is still in this state. If so, it stays so until the end of the transaction. */
export async function holdImport(
  tx: Transaction,
  number: number,
  state: ImportState,
): Promise<boolean> {
  const row = await tx.get(
    `select 1 as held from statement_import where number = $1 and state = $2
     ${forChange(tx.kind)}`,
    [number, state],
  );
  return row !== undefined;
}

/**
 * Makes the sweeper take the import back; false if it is no longer in that state. An import that
 * was stored must then be counted as unsettled; one that is being stored already is.
 */
export async function leaveImport(
  tx: Transaction,
  number: number,
  from: 'storing' | 'stored',
): Promise<boolean> {
  const changed = await tx.run(
    `update statement_import set state = 'leaving' where number = $1 and state = $2`,
    [number, from],
  );
  return changed > 0;
}

export const findImport = (
  sql: Sql,
  accountNumber: number,
  id: string,
): Promise<StatementImport | undefined> =>
  IMPORT.get(sql, 'where account_number = $1 and id = $2', [accountNumber, id]);

/** The id of an import by its number. */
export async function findImportId(
  sql: Sql,
  number: number | undefined,
): Promise<string | undefined> {
  if (number === undefined) return undefined;
  type Found = Row & { id: string };
  return (await sql.get<Found>('select id from statement_import where number = $1', [number]))?.id;
}

export const findImportOf = (
  sql: Sql,
  accountNumber: number,
  contentHash: string,
): Promise<StatementImport | undefined> =>
  IMPORT.get(sql, 'where account_number = $1 and content_hash = $2', [accountNumber, contentHash]);

/** A page of an account's imports, newest first. */
export const listImports = (
  sql: Sql,
  accountNumber: number,
  limit: number,
  offset: number,
): Promise<StatementImport[]> =>
  IMPORT.all(
    sql,
    `where account_number = $1
     order by number desc limit $2 offset $3`,
    [accountNumber, limit, offset],
  );

export const countImports = (sql: Sql, accountNumber: number): Promise<number> =>
  numberOf(sql, 'select count(*) as count from statement_import where account_number = $1', [
    accountNumber,
  ]);

/** The ids of imports by number; absent ones are left out. */
export async function importIds(
  sql: Sql,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  const rows = await allIn<{ number: number; id: string }>(
    sql,
    numbers,
    (list) => `select number, id from statement_import where number in (${list})`,
  );
  return new Map(rows.map(({ number, id }) => [number, id]));
}

/** The balances that an account's reports state for their starts, in order of time. */
export async function listCarriedIn(
  sql: Sql,
  accountNumber: number,
): Promise<{ timeMs: BrokerTimeMs; balance: Money }[]> {
  const rows = await sql.all<{ carried_in: number; carried_in_time_ms: number }>(
    `select carried_in, carried_in_time_ms from statement_import
     where account_number = $1 and state = 'stored' and carried_in is not null
     order by carried_in_time_ms, number`,
    [accountNumber],
  );
  return rows.map((row) => ({ timeMs: row.carried_in_time_ms, balance: row.carried_in }));
}

/** Notes deals of the import that others had brought, unless it was taken back meanwhile. */
export async function noteListed(
  tx: Transaction,
  { accountNumber, number }: Pick<StatementImport, 'accountNumber' | 'number'>,
  dealIds: readonly string[],
): Promise<void> {
  const rows = await allIn<{ id: string }>(
    tx,
    dealIds,
    (list) =>
      `select id from deal where account_number = $1 and import_number is not null
         and import_number <> $2 and id in (${list})
         and exists (select 1 from statement_import where number = $2)`,
    [accountNumber, number],
  );
  for (const { id } of rows) {
    await tx.run(
      `insert into listed_deal (account_number, import_number, deal_id) values ($1, $2, $3)
       on conflict (account_number, deal_id, import_number) do nothing`,
      [accountNumber, number, id],
    );
  }
}

/** Numbers of the imports that list any of these deals besides those that brought them. */
export async function listWitnesses(
  sql: Sql,
  accountNumber: number,
  dealIds: readonly string[],
): Promise<number[]> {
  const rows = await allIn<{ import_number: number }>(
    sql,
    dealIds,
    (list) =>
      `select distinct import_number from listed_deal
       where account_number = $1 and deal_id in (${list})`,
    [accountNumber],
  );
  return rows.map((row) => row.import_number);
}

/** Imports that are to be taken back: left, or in `storing` without a process that stores them. */
export const listLeft = (sql: Sql, limit: number): Promise<StatementImport[]> =>
  IMPORT.all(
    sql,
    `where state <> 'stored'
       and (state = 'leaving' or ${isUnclaimed('import', 'statement_import.number')})
     order by number limit $1`,
    [limit],
  );

/** Deals that one transaction takes back, so that others wait for it some milliseconds at most. */
const DEALS_PER_SWEEP = 200;

/**
 * Takes back some of the deals that an import brought, except those that another one lists, and in
 * the end the import itself. False if nothing is left of it, or it has been stored since. An import
 * in `storing` is marked first, so that its storing stops.
 */
export async function sweepImport(
  database: Database,
  { accountNumber, number, state }: StatementImport,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await tx.lock(historyLock(accountNumber));
    if (state === 'storing' && !(await leaveImport(tx, number, state))) return false;
    if (await sweepDeals(tx, accountNumber, number)) return true;
    if (await sweepListed(tx, accountNumber, number)) return true;
    const removed = await tx.run('delete from statement_import where number = $1', [number]);
    if (removed === 0) return false;
    await countFacts(tx, 'import', [[accountNumber, -removed]]);
    await countUnsettled(tx, accountNumber, -1);
    await noteDealsChanged(tx, accountNumber, true);
    return false;
  });
}

async function sweepDeals(tx: Transaction, accountNumber: number, number: number) {
  const rows = await tx.all<{ id: string; heir: number | null }>(
    `select id, (select min(listed_deal.import_number) from listed_deal
         where listed_deal.account_number = $1 and listed_deal.deal_id = deal.id) as heir
     from deal where account_number = $1 and import_number = $2 limit $3`,
    [accountNumber, number, DEALS_PER_SWEEP],
  );
  for (const { id, heir } of rows) {
    if (heir === null) {
      await deleteDealRow(tx, accountNumber, id);
      continue;
    }
    await tx.run('update deal set import_number = $3 where account_number = $1 and id = $2', [
      accountNumber,
      id,
      heir,
    ]);
    await tx.run(
      `delete from listed_deal
       where account_number = $1 and deal_id = $2 and import_number = $3`,
      [accountNumber, id, heir],
    );
  }
  if (rows.length > 0) await noteDealsChanged(tx, accountNumber, true);
  return rows.length > 0;
}

async function sweepListed(tx: Transaction, accountNumber: number, number: number) {
  const some = 'account_number = $1 and import_number = $2 limit $3';
  const deleted = await tx.run(
    `delete from listed_deal where ${someRows(tx.kind, 'listed_deal', some)}`,
    [accountNumber, number, DEALS_PER_SWEEP],
  );
  return deleted > 0;
}
