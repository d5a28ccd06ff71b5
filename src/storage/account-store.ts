import type { BrokerClock } from '../domain/broker-time.ts';
import type { Platform, Tier } from '../words/accounts.ts';
import { noteChange } from './change-store.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { clock, flag, json, optional, plain, RecordTable } from './record-table.ts';
import { allIn, forChange, forShare } from './sql-text.ts';

export type Account = {
  /** Identifies it everywhere except in the API; never reused. */
  number: number;
  userId: string;
  /** Unique among the user's accounts. */
  id: string;
  name: string;
  platform: Platform;
  login: string;
  broker: string;
  currency: string;
  leverage: number;
  brokerClock: BrokerClock;
  region: string;
  tier: Tier;
  copy: boolean;
  dedicatedIpv4: boolean;
  deployed: boolean;
  statisticsEnabled: boolean;
  marginMode: string;
  profileId: string | null;
  /** Its groups. */
  labels: string[];
  /** Its feed is reported as silent after this long; 0 or undefined: never. */
  silentAfterSeconds?: number | undefined;
  createdAtMs: number;
};

const ACCOUNT = new RecordTable<Account>('account', {
  number: plain('number'),
  userId: plain('user_id'),
  id: plain('id'),
  name: plain('name'),
  platform: plain('platform'),
  login: plain('login'),
  broker: plain('broker'),
  currency: plain('currency'),
  leverage: plain('leverage'),
  brokerClock: clock('broker_clock'),
  region: plain('region'),
  tier: plain('tier'),
  copy: flag('copy'),
  dedicatedIpv4: flag('dedicated_ipv4'),
  deployed: flag('deployed'),
  statisticsEnabled: flag('statistics_enabled'),
  marginMode: plain('margin_mode'),
  profileId: plain('profile_id'),
  labels: json('labels'),
  silentAfterSeconds: optional('silent_after_seconds'),
  createdAtMs: plain('created_at_ms'),
});
/** Data for receiving and folding snapshots: at a start, for a hundred thousand accounts. */
export type AccountFacts = Pick<Account, 'number' | 'id' | 'currency' | 'brokerClock'>;

const FACTS = new RecordTable<AccountFacts>('account', {
  number: plain('number'),
  id: plain('id'),
  currency: plain('currency'),
  brokerClock: clock('broker_clock'),
});
const FIXED = ['number', 'user_id', 'id', 'created_at_ms'];

/** Stores a new account and returns its number. Throws UniqueViolation if the user has its id. */
export async function insertAccount(
  tx: Transaction,
  account: Omit<Account, 'number'>,
): Promise<number> {
  const { text, values } = ACCOUNT.insertWithout({ ...account, number: 0 }, 'number');
  const row = await tx.get<{ number: number }>(`${text} returning number`, values);
  if (!row) throw new Error('Invariant: an inserted account has a number');
  await count(tx, row.number, 1);
  noteChange(tx, 'account', row.number);
  return row.number;
}

/** Adds an account to the count of its kind, or removes it: see countHoldings. */
async function count(tx: Transaction, number: number, change: 1 | -1): Promise<void> {
  const kind = 'user_id, region, tier, deployed, copy, dedicated_ipv4';
  await tx.run(
    `insert into account_count (${kind}, accounts)
     select ${kind}, $2 from account where number = $1
     on conflict (${kind}) do update set accounts = account_count.accounts + excluded.accounts`,
    [number, change],
  );
}

/** Writes every field that can change. */
export async function updateAccountRow(tx: Transaction, account: Account): Promise<void> {
  await count(tx, account.number, -1);
  await tx.run(`update account set ${ACCOUNT.assign(2, ...FIXED)} where number = $1`, [
    account.number,
    ...ACCOUNT.valuesWithout(account, ...FIXED),
  ]);
  await count(tx, account.number, 1);
  noteChange(tx, 'account', account.number);
}

/** Writes only the labels. */
export async function setLabels(
  tx: Transaction,
  { number, labels }: Pick<Account, 'number' | 'labels'>,
): Promise<void> {
  const list = JSON.stringify(labels);
  await tx.run('update account set labels = $2 where number = $1', [number, list]);
  noteChange(tx, 'account', number);
}

/** Whether nothing was ever stored for the account: deals, imports, snapshots, trackers. */
export async function holdsNothing(sql: Sql, accountNumber: number): Promise<boolean> {
  const rows = ['deal where', 'statement_import where', 'tracker where'];
  // A deal taken back leaves a live account without a snapshot.
  const some = [...rows, 'live_account where last_utc_ms is not null and'].map(
    (each) => `select 1 from ${each} account_number = $1`,
  );
  const row = await sql.get(
    `select 1 where ${some.map((each) => `exists (${each})`).join(' or ')}`,
    [accountNumber],
  );
  return row === undefined;
}

export const findAccount = (sql: Sql, userId: string, id: string): Promise<Account | undefined> =>
  ACCOUNT.get(sql, 'where user_id = $1 and id = $2', [userId, id]);

/** The user's accounts with these ids, in no order; absent ones are left out. */
export const findAccounts = (
  sql: Sql,
  userId: string,
  ids: readonly string[],
): Promise<Account[]> =>
  ACCOUNT.allIn(sql, ids, (list) => `where user_id = $1 and id in (${list})`, [userId]);

/** Reads only number, id, currency and clock, and the moment of the newest stored snapshot. */
export async function findSenders(
  sql: Sql,
  userId: string,
  ids: readonly string[],
): Promise<(AccountFacts & { lastUtcMs: number | undefined })[]> {
  const rows = await allIn<Row & { last_utc_ms: number | null }>(
    sql,
    ids,
    (list) =>
      `select ${FACTS.list}, last_utc_ms from account
       left join live_account on live_account.account_number = account.number
       where user_id = $1 and id in (${list})`,
    [userId],
  );
  return rows.map((row) => ({ ...FACTS.read(row), lastUtcMs: row.last_utc_ms ?? undefined }));
}

/** Accounts with an id, of any users; for operators. */
export const findAccountsById = (sql: Sql, id: string): Promise<Account[]> =>
  ACCOUNT.all(sql, 'where id = $1 order by number limit 10', [id]);

/** The accounts with these numbers, in no order; absent ones are left out. */
export const findNumbered = (sql: Sql, numbers: readonly number[]): Promise<Account[]> =>
  ACCOUNT.allIn(sql, numbers, (list) => `where number in (${list})`);

/** Reads only these fields of the accounts with these numbers. */
export const findNumberedFacts = (sql: Sql, numbers: readonly number[]): Promise<AccountFacts[]> =>
  FACTS.allIn(sql, numbers, (list) => `where number in (${list})`);

/**
 * The account, locked until the end of the transaction: others who delete or change it wait.
 * Undefined if it is gone.
 */
export const holdAccount = (tx: Transaction, number: number): Promise<Account | undefined> =>
  ACCOUNT.get(tx, `where number = $1 ${forShare(tx.kind)}`, [number]);

/** The account, locked for a change by the transaction. */
export const lockAccount = (tx: Transaction, number: number): Promise<Account | undefined> =>
  ACCOUNT.get(tx, `where number = $1 ${forChange(tx.kind)}`, [number]);

export const listAccountRows = (
  sql: Sql,
  userId: string,
  limit: number,
  offset: number,
): Promise<Account[]> =>
  ACCOUNT.all(sql, 'where user_id = $1 order by id limit $2 offset $3', [userId, limit, offset]);

/** The user's accounts that read one account of a platform, the first by id. */
export async function findAccountsOf(
  sql: Sql,
  userId: string,
  { login, platform, currency }: Pick<Account, 'login' | 'platform' | 'currency'>,
  limit: number,
): Promise<Account[]> {
  const rows = await sql.all(
    `select * from account where user_id = $1 and login = $2 and platform = $3 and currency = $4
     order by id limit $5`,
    [userId, login, platform, currency, limit],
  );
  return rows.map(ACCOUNT.read);
}

/** The user's accounts after an id, in order of id; equally fast at any place. */
export const listAccountsAfter = (
  sql: Sql,
  userId: string,
  after: string,
  limit: number,
): Promise<Account[]> =>
  ACCOUNT.all(sql, 'where user_id = $1 and id > $2 order by id limit $3', [userId, after, limit]);

/** Deletes the account's own row, and leaves the rest of its rows to the sweeper. */
export async function removeAccount(
  tx: Transaction,
  number: number,
  removedAtMs: number,
): Promise<void> {
  await count(tx, number, -1);
  await tx.run(
    `insert into removed_account (number, user_id, removed_at_ms, is_folded)
     values ($1, coalesce((select user_id from account where number = $1), ''), $2, 0)`,
    [number, removedAtMs],
  );
  await tx.run('delete from account where number = $1', [number]);
  noteChange(tx, 'removed', number);
}
