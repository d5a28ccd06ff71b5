import type { BrokerClock } from '../domain/broker-time.ts';
import { changeCatalogue } from './catalogue-store.ts';
import type { Row, Sql, SqlValue, Transaction } from './database.ts';

type ProfileKind = 'simulated' | 'p5-web-api' | 'p4-bridge';

export const PROFILE_ACTIONS = [
  'disableTrading',
  'enableTrading',
  'moveToGroup',
  'changeLeverage',
  'setPassword',
  'balanceOperation',
  'closePositions',
] as const;
export type ProfileAction = (typeof PROFILE_ACTIONS)[number];

export type Profile = {
  id: string;
  userId: string;
  name: string;
  platform: 'p4' | 'p5';
  kind: ProfileKind;
  server: string | null;
  login: string | null;
  /** SHA-256 of the only certificate to accept. */
  tlsFingerprint: string | null;
  /** PEM of the authority to trust. */
  tlsCa: string | null;
  /** The encrypted password and the id of the key that opens it. */
  secret: Uint8Array | null;
  secretKeyId: string | null;
  brokerClock: BrokerClock;
  /** What users may do to accounts of the platform through it. */
  allowedActions: ProfileAction[];
  createdAtMs: number;
  lastSuccessMs: number | null;
  lastErrorMs: number | null;
  lastError: string | null;
};

type ProfileRow = Row & {
  id: string;
  user_id: string;
  name: string;
  platform: 'p4' | 'p5';
  kind: ProfileKind;
  server: string | null;
  login: string | null;
  tls_fingerprint: string | null;
  tls_ca: string | null;
  secret: Uint8Array | null;
  secret_key_id: string | null;
  broker_zone: string;
  broker_shift_hours: number;
  allowed_actions: string;
  created_at_ms: number;
  last_success_ms: number | null;
  last_error_ms: number | null;
  last_error: string | null;
};

export async function insertProfile(sql: Sql, profile: Profile): Promise<void> {
  const values: SqlValue[] = [
    profile.id,
    profile.userId,
    profile.name,
    profile.platform,
    profile.kind,
    profile.server,
    profile.login,
    profile.tlsFingerprint,
    profile.tlsCa,
    profile.secret,
    profile.secretKeyId,
    profile.brokerClock.zone,
    profile.brokerClock.shiftHours,
    profile.allowedActions.join(' '),
    profile.createdAtMs,
  ];
  await sql.run(
    `insert into provisioning_profile (id, user_id, name, platform, kind, server, login,
       tls_fingerprint, tls_ca, secret, secret_key_id, broker_zone, broker_shift_hours,
       allowed_actions, created_at_ms)
     values (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
    values,
  );
}

export async function findProfile(sql: Sql, id: string): Promise<Profile | undefined> {
  const row = await sql.get<ProfileRow>('select * from provisioning_profile where id = $1', [id]);
  return row && profileOf(row);
}

/** A page of a user's profiles in order of their ids. */
export async function listProfiles(
  sql: Sql,
  userId: string,
  limit: number,
  offset: number,
): Promise<Profile[]> {
  const rows = await sql.all<ProfileRow>(
    'select * from provisioning_profile where user_id = $1 order by id limit $2 offset $3',
    [userId, limit, offset],
  );
  return rows.map(profileOf);
}

export async function countProfiles(sql: Sql, userId: string): Promise<number> {
  const row = await sql.get<{ count: number }>(
    'select count(*) as count from provisioning_profile where user_id = $1',
    [userId],
  );
  return row?.count ?? 0;
}

export async function updateProfile(
  tx: Transaction,
  id: string,
  {
    name,
    allowedActions,
    secret,
    secretKeyId,
  }: Pick<Profile, 'name' | 'allowedActions' | 'secret' | 'secretKeyId'>,
): Promise<void> {
  await tx.run(
    `update provisioning_profile
     set name = $2, allowed_actions = $3, secret = $4, secret_key_id = $5 where id = $1`,
    [id, name, allowedActions.join(' '), secret, secretKeyId],
  );
}

/** How many accounts are read through the profile. */
export async function countProfileAccounts(sql: Sql, id: string): Promise<number> {
  const row = await sql.get<{ count: number }>(
    'select count(*) as count from account where profile_id = $1',
    [id],
  );
  return row?.count ?? 0;
}

/** Deletes the profile and what belongs to it; accounts that were read through it stay, unbound. */
export async function deleteProfile(tx: Transaction, id: string): Promise<void> {
  await tx.run('update account set profile_id = null where profile_id = $1', [id]);
  await tx.run('delete from platform_operation where profile_id = $1', [id]);
  await tx.run('delete from simulated_event where profile_id = $1', [id]);
  await tx.run('delete from provisioning_profile where id = $1', [id]);
  await changeCatalogue(tx);
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

const profileOf = (row: ProfileRow): Profile => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  platform: row.platform,
  kind: row.kind,
  server: row.server,
  login: row.login,
  tlsFingerprint: row.tls_fingerprint,
  tlsCa: row.tls_ca,
  secret: row.secret,
  secretKeyId: row.secret_key_id,
  brokerClock: { zone: row.broker_zone, shiftHours: row.broker_shift_hours },
  allowedActions: PROFILE_ACTIONS.filter((action) =>
    row.allowed_actions.split(' ').includes(action),
  ),
  createdAtMs: row.created_at_ms,
  lastSuccessMs: row.last_success_ms,
  lastErrorMs: row.last_error_ms,
  lastError: row.last_error,
});
