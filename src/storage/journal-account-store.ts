import type { Row, Sql, Transaction } from './database.ts';
import { allIn } from './sql-text.ts';

/** An account as the journal names it; ids can be used again, numbers are not. */
export type JournalAccount = { number: number; id: string; createdAtMs: number };

type JournalAccountRow = Row & { number: number; id: string; created_at_ms: number };

/** Gives a new account its number. */
export async function insertJournalAccount(
  tx: Transaction,
  account: Omit<JournalAccount, 'number'>,
): Promise<void> {
  await tx.run('insert into journal_account (account_id, created_at_ms) values ($1, $2)', [
    account.id,
    account.createdAtMs,
  ]);
}

/** Those of the accounts that exist, by their ids. */
export async function readJournalAccounts(
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, JournalAccount>> {
  const rows = await allIn<JournalAccountRow>(
    sql,
    ids,
    (list) =>
      `select max(named.number) as number, id, account.created_at_ms
       from account join journal_account named
         on named.account_id = id and named.created_at_ms = account.created_at_ms
       where id in (${list}) group by id`,
  );
  return new Map(rows.map((row) => [row.id, journalAccountOf(row)]));
}

/** Accounts that have or had the numbers, in no order. */
export async function readNumberedAccounts(
  sql: Sql,
  numbers: readonly number[],
): Promise<JournalAccount[]> {
  const rows = await allIn<JournalAccountRow>(
    sql,
    numbers,
    (list) =>
      `select number, account_id as id, created_at_ms from journal_account
       where number in (${list})`,
  );
  return rows.map(journalAccountOf);
}

const journalAccountOf = ({ number, id, created_at_ms }: JournalAccountRow): JournalAccount => ({
  number,
  id,
  createdAtMs: created_at_ms,
});
