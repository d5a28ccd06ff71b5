import type { Database, Sql, Transaction } from './database.ts';
import { plain, RecordTable } from './record-table.ts';
import { forRemoval, someRows } from './sql-text.ts';
import { deleteUserTokens } from './token-store.ts';

/** A deleted user who may have rows left. */
export type RemovedUser = {
  id: string;
  email: string;
  removedAtMs: number;
  /** Who deleted it, written as in the audit. */
  removedBy: string;
};

const REMOVED = new RecordTable<RemovedUser>('app_user', {
  id: plain('id'),
  email: plain('email'),
  removedAtMs: plain('removed_at_ms'),
  removedBy: plain('removed_by'),
});

/** The user's holdings at the deletion. */
export type RemovedHoldings = {
  email: string;
  accounts: number;
  tokens: number;
  profileIds: string[];
  webhooks: number;
};

/**
 * Hides a user, and deletes everything that can act for it: tokens, profiles with their passwords,
 * webhooks, waiting mails and requests. All of these are bounded in number; the rest goes later.
 * The e-mail address is free from then on. Undefined if there is no such user.
 */
export async function removeUser(
  tx: Transaction,
  id: string,
  removedAtMs: number,
  removedBy: string,
): Promise<RemovedHoldings | undefined> {
  const row = await tx.get<{ email: string }>(
    `update app_user set removed_at_ms = $2, removed_by = $3
     where id = $1 and removed_at_ms is null returning email`,
    [id, removedAtMs, removedBy],
  );
  if (!row) return undefined;
  const { email } = row;
  const counted = await tx.get<{ accounts: number }>(
    'select coalesce(sum(accounts), 0) as accounts from account_count where user_id = $1',
    [id],
  );
  const tokens = await deleteUserTokens(tx, id);
  const { profileIds, webhooks } = await deleteActing(tx, id);
  await tx.run(`delete from mail_outbox where recipient = $1 and state = 'queued'`, [email]);
  await tx.run(`delete from quota_request where user_id = $1 and state = 'pending'`, [id]);
  return { email, accounts: Number(counted?.accounts ?? 0), tokens, profileIds, webhooks };
}

/** Deletes profiles and webhooks, which act for the user without a request. */
async function deleteActing(
  tx: Transaction,
  id: string,
): Promise<{ profileIds: string[]; webhooks: number }> {
  const profiles = await tx.all<{ id: string }>(
    'delete from provisioning_profile where user_id = $1 returning id',
    [id],
  );
  const profileIds = profiles.map((profile) => profile.id);
  for (const profileId of profileIds) {
    await tx.run('delete from profile_reading where profile_id = $1', [profileId]);
  }
  return { profileIds, webhooks: await tx.run('delete from webhook where user_id = $1', [id]) };
}

/** Deleted users who may have rows left, in order of deletion. */
export const listRemovedUsers = (sql: Sql, limit: number): Promise<RemovedUser[]> =>
  REMOVED.all(
    sql,
    `where removed_at_ms is not null
     order by removed_at_ms, id limit $1`,
    [limit],
  );

/** The numbers of some of a user's accounts. */
export async function listAccountNumbers(
  sql: Sql,
  userId: string,
  limit: number,
): Promise<number[]> {
  const rows = await sql.all<{ number: number }>(
    'select number from account where user_id = $1 limit $2',
    [userId, limit],
  );
  return rows.map(({ number }) => number);
}

/** Rows that one statement deletes: bounded, so that others wait some milliseconds at most. */
const ROWS_PER_STATEMENT = 500;

/** Tables from which a user's rows are deleted in steps, once there are no accounts. */
const SWEPT = [
  'program',
  'user_document',
  'event_seal',
  'seal_stamp',
  'ingest_receipt',
  'quota_request',
] as const;
/** Emptied at the end: tables with few rows, and again those to which a late request may add. */
const LAST = [
  ...[
    'program',
    'user_document',
    'seal_tree',
    'seal_aside',
    'event_mail',
    'quota_request',
    'user_quota',
    'account_count',
    'user_holding',
  ],
] as const;
/** All tables emptied by user id; rows with an account, too, are deleted with the account. */
export const USER_TABLES = new Set<string>([
  ...['access_token', 'provisioning_profile', 'webhook', 'account', ...SWEPT, ...LAST],
]);

/** Rows of a user, and orphaned rows, whose webhooks and profiles are gone. */
const LEFT_OVERS = [
  ...SWEPT.map((table) => [table, 'user_id = $1'] as const),
  ['webhook_dead_letter', 'not exists (select 1 from webhook where id = webhook_id)'],
  ['simulated_event', 'not exists (select 1 from provisioning_profile where id = profile_id)'],
  ['platform_operation', 'not exists (select 1 from provisioning_profile where id = profile_id)'],
] as const;

/** Deletes some of the remaining rows of a user without accounts; false if there were none. */
export async function sweepUser(
  database: Database,
  { id, email, removedAtMs }: RemovedUser,
): Promise<boolean> {
  for (const [table, condition] of LEFT_OVERS) {
    const parameters = condition.includes('$1') ? [id] : [];
    if (await deleteSome(database, table, condition, parameters)) return true;
  }
  // A new user may have the address by now.
  const mails = 'recipient = $1 and queued_at_ms <= $2';
  return deleteSome(database, 'mail_outbox', mails, [email, removedAtMs]);
}

async function deleteSome(
  database: Database,
  table: string,
  condition: string,
  parameters: (string | number)[],
): Promise<boolean> {
  const some = someRows(database.kind, table, `${condition} limit ${ROWS_PER_STATEMENT}`);
  const deleted = await database.run(`delete from ${table} where ${some}`, parameters);
  return deleted > 0;
}

/**
 * Deletes the user's own row, last. False if there are accounts again, made by a request that was
 * under way when the user was deleted.
 */
export async function forgetUser(tx: Transaction, id: string): Promise<boolean> {
  // From here on, every statement that would store a reference to the user waits, and fails.
  await tx.get(`select 1 as one from app_user where id = $1 ${forRemoval(tx.kind)}`, [id]);
  if ((await listAccountNumbers(tx, id, 1)).length > 0) return false;
  await deleteUserTokens(tx, id);
  await deleteActing(tx, id);
  for (const table of LAST) {
    await tx.run(`delete from ${table} where user_id = $1`, [id]);
  }
  await tx.run('delete from app_user where id = $1', [id]);
  return true;
}
