import type { BrokerClock } from '../domain/broker-time.ts';
import { changeCatalogue } from './catalogue-store.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { insertJournalAccount } from './journal-account-store.ts';
import { allIn } from './sql-text.ts';

export type Account = {
  id: string;
  userId: string;
  name: string;
  platform: 'p4' | 'p5';
  login: string;
  broker: string;
  currency: string;
  leverage: number;
  brokerClock: BrokerClock;
  region: string;
  tier: 'g1' | 'g2';
  copy: boolean;
  dedicatedIpv4: boolean;
  deployed: boolean;
  statisticsEnabled: boolean;
  marginMode: string;
  profileId: string | null;
  createdAtMs: number;
};

type AccountRow = Row & {
  id: string;
  user_id: string;
  name: string;
  platform: 'p4' | 'p5';
  login: string;
  broker: string;
  currency: string;
  leverage: number;
  broker_zone: string;
  broker_shift_hours: number;
  region: string;
  tier: 'g1' | 'g2';
  copy: number;
  dedicated_ipv4: number;
  deployed: number;
  statistics_enabled: number;
  margin_mode: string;
  profile_id: string | null;
  created_at_ms: number;
};

const COLUMNS = [
  'id',
  'user_id',
  'name',
  'platform',
  'login',
  'broker',
  'currency',
  'leverage',
  'broker_zone',
  'broker_shift_hours',
  'region',
  'tier',
  'copy',
  'dedicated_ipv4',
  'deployed',
  'statistics_enabled',
  'margin_mode',
  'profile_id',
  'created_at_ms',
];

/** Throws UniqueViolation when the id is taken. */
export async function insertAccount(tx: Transaction, account: Account): Promise<void> {
  const places = COLUMNS.map((_, index) => `$${index + 1}`);
  await tx.run(
    `insert into account (${COLUMNS.join(', ')}) values (${places.join(', ')})`,
    valuesOf(account),
  );
  await insertJournalAccount(tx, account);
}

/** Writes every field but id, user and time of creation. */
export async function updateAccount(tx: Transaction, account: Account): Promise<void> {
  const changed = COLUMNS.map((column, index) => `${column} = $${index + 1}`).slice(2, -1);
  // The unused placeholders of user and creation time keep one list of values for both statements.
  await tx.run(
    `update account set ${changed.join(', ')} where id = $1 and user_id = $2 and created_at_ms = $19`,
    valuesOf(account),
  );
  await changeCatalogue(tx);
}

export async function findAccount(sql: Sql, id: string): Promise<Account | undefined> {
  const row = await sql.get<AccountRow>('select * from account where id = $1', [id]);
  return row && accountOf(row);
}

/** Those of the accounts that exist, in no order. */
export async function findAccounts(sql: Sql, ids: readonly string[]): Promise<Account[]> {
  const rows = await allIn<AccountRow>(
    sql,
    ids,
    (list) => `select * from account where id in (${list})`,
  );
  return rows.map(accountOf);
}

export async function listAccounts(
  sql: Sql,
  userId: string,
  limit: number,
  offset: number,
): Promise<Account[]> {
  const rows = await sql.all<AccountRow>(
    'select * from account where user_id = $1 order by id limit $2 offset $3',
    [userId, limit, offset],
  );
  return rows.map(accountOf);
}

/** Deletes the account's own row; the rows of other tables are their stores' to delete. */
export async function deleteAccount(tx: Transaction, id: string): Promise<void> {
  await tx.run('delete from account where id = $1', [id]);
  await changeCatalogue(tx);
}

const valuesOf = (account: Account) => [
  account.id,
  account.userId,
  account.name,
  account.platform,
  account.login,
  account.broker,
  account.currency,
  account.leverage,
  account.brokerClock.zone,
  account.brokerClock.shiftHours,
  account.region,
  account.tier,
  Number(account.copy),
  Number(account.dedicatedIpv4),
  Number(account.deployed),
  Number(account.statisticsEnabled),
  account.marginMode,
  account.profileId,
  account.createdAtMs,
];

const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  platform: row.platform,
  login: row.login,
  broker: row.broker,
  currency: row.currency,
  leverage: row.leverage,
  brokerClock: { zone: row.broker_zone, shiftHours: row.broker_shift_hours },
  region: row.region,
  tier: row.tier,
  copy: row.copy === 1,
  dedicatedIpv4: row.dedicated_ipv4 === 1,
  deployed: row.deployed === 1,
  statisticsEnabled: row.statistics_enabled === 1,
  marginMode: row.margin_mode,
  profileId: row.profile_id,
  createdAtMs: row.created_at_ms,
});
