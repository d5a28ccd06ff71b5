import type { BrokerClock } from '../domain/broker-time.ts';
import type { Platform, ProfileKind } from '../words/accounts.ts';
import type { ProfileAction } from '../words/actions.ts';
import { noteChanges } from './change-store.ts';
import type { Sql, Transaction } from './database.ts';
import { clock, plain, RecordTable, wordColumn } from './record-table.ts';
import type { SealedSecret } from './secret-box.ts';
import { forRemoval, forShare, numberOf } from './sql-text.ts';

export type Profile = {
  id: string;
  userId: string;
  name: string;
  platform: Platform;
  kind: ProfileKind;
  server: string | null;
  login: string | null;
  /** SHA-256 of the only certificate to accept. */
  tlsFingerprint: string | null;
  /** PEM of the authority to trust. */
  tlsCa: string | null;
  /** The encrypted password and the id of the key that decrypts it. */
  secret: Uint8Array | null;
  secretKeyId: string | null;
  brokerClock: BrokerClock;
  /** Rights of users on the platform's accounts through it. */
  allowedActions: ProfileAction[];
  createdAtMs: number;
  lastSuccessMs: number | null;
  lastErrorMs: number | null;
  lastError: string | null;
};

const PROFILE = new RecordTable<Profile>('provisioning_profile', {
  id: plain('id'),
  userId: plain('user_id'),
  name: plain('name'),
  platform: plain('platform'),
  kind: plain('kind'),
  server: plain('server'),
  login: plain('login'),
  tlsFingerprint: plain('tls_fingerprint'),
  tlsCa: plain('tls_ca'),
  secret: plain('secret'),
  secretKeyId: plain('secret_key_id'),
  brokerClock: clock('broker_clock'),
  allowedActions: wordColumn('allowed_actions'),
  createdAtMs: plain('created_at_ms'),
  lastSuccessMs: plain('last_success_ms'),
  lastErrorMs: plain('last_error_ms'),
  lastError: plain('last_error'),
});

export const insertProfile = (sql: Sql, profile: Profile): Promise<void> =>
  PROFILE.add(sql, profile);

export const findProfile = (sql: Sql, id: string): Promise<Profile | undefined> =>
  PROFILE.get(sql, 'where id = $1', [id]);

/** Whether the profile exists. If so, it cannot be deleted until the end of the transaction. */
export async function holdProfile(tx: Transaction, id: string): Promise<boolean> {
  const row = await tx.get(
    `select 1 as one from provisioning_profile where id = $1 ${forShare(tx.kind)}`,
    [id],
  );
  return row !== undefined;
}

/** Locks a profile for deletion by the transaction: others that would use it then find it gone. */
export async function lockProfile(tx: Transaction, id: string): Promise<boolean> {
  const row = await tx.get(
    `select 1 as one from provisioning_profile where id = $1 ${forRemoval(tx.kind)}`,
    [id],
  );
  return row !== undefined;
}

/** A page of a user's profiles in order of id. */
export const listProfileRows = (
  sql: Sql,
  userId: string,
  limit: number,
  offset: number,
): Promise<Profile[]> =>
  PROFILE.all(sql, 'where user_id = $1 order by id limit $2 offset $3', [userId, limit, offset]);

/** How many profiles a user has, and how many of them are of simulated platforms. */
export async function countProfiles(
  sql: Sql,
  userId: string,
): Promise<{ all: number; simulated: number }> {
  const rows = await sql.all<{ kind: Profile['kind']; count: number }>(
    'select kind, count(*) as count from provisioning_profile where user_id = $1 group by kind',
    [userId],
  );
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  return { all, simulated: rows.find(({ kind }) => kind === 'simulated')?.count ?? 0 };
}

export async function updateProfileRow(
  tx: Transaction,
  id: string,
  { name, allowedActions }: Pick<Profile, 'name' | 'allowedActions'>,
  sealed: SealedSecret | undefined,
): Promise<void> {
  await tx.run('update provisioning_profile set name = $2, allowed_actions = $3 where id = $1', [
    id,
    name,
    allowedActions.join(' '),
  ]);
  // The existing one may be re-encrypted at this moment.
  if (!sealed) return;
  await tx.run('update provisioning_profile set secret = $2, secret_key_id = $3 where id = $1', [
    id,
    sealed.secret,
    sealed.secretKeyId,
  ]);
}

/** How many accounts are read through the profile. */
export const countProfileAccounts = (sql: Sql, id: string): Promise<number> =>
  numberOf(sql, 'select count(*) as count from account where profile_id = $1', [id]);

/** Deletes the profile and its own rows; its accounts stay, without a profile. */
export async function deleteProfileRow(tx: Transaction, id: string): Promise<void> {
  const unbound = await tx.all<{ number: number }>(
    'update account set profile_id = null where profile_id = $1 returning number',
    [id],
  );
  const numbers = unbound.map(({ number }) => number);
  noteChanges(tx, 'account', numbers);
  await tx.run('delete from platform_operation where profile_id = $1', [id]);
  await tx.run('delete from simulated_event where profile_id = $1', [id]);
  await tx.run('delete from profile_reading where profile_id = $1', [id]);
  await tx.run('delete from provisioning_profile where id = $1', [id]);
}

export async function noteProfileSuccess(sql: Sql, id: string, atMs: number): Promise<void> {
  await sql.run('update provisioning_profile set last_success_ms = $2 where id = $1', [id, atMs]);
}

export async function noteProfileError(
  sql: Sql,
  id: string,
  atMs: number,
  message: string,
): Promise<void> {
  await sql.run(
    'update provisioning_profile set last_error_ms = $2, last_error = $3 where id = $1',
    [id, atMs, message],
  );
}
