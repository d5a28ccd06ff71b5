import { listProcesses } from './claim-store.ts';
import type { Sql, SqlValue, Transaction } from './database.ts';
import type { SealedSecret } from './secret-box.ts';

/** Held while encrypting a secret or changing the key, to the end of the transaction. */
const LOCK = 'plimsoll:secret-keys';

/** A key that encrypts stored secrets. */
export type SecretKey = {
  id: string;
  isCurrent: boolean;
  /** The key in base64, if the server made it. */
  value: string | undefined;
  sinceMs: number;
};

/** The tables and columns of secrets, and their owners. */
const HOMES = {
  webhooks: { table: 'webhook', owner: 'id' },
  profiles: { table: 'provisioning_profile', owner: 'id' },
  evidenceKeys: { table: 'evidence_key', owner: 'public_key' },
};
export type SecretKind = keyof typeof HOMES;
export const SECRET_KINDS = Object.keys(HOMES) as SecretKind[];

export const holdSecretKeys = (tx: Transaction): Promise<void> => tx.lock(LOCK);

export async function listSecretKeys(sql: Sql): Promise<SecretKey[]> {
  const rows = await sql.all<{ id: string; current: number; value: string | null; since: number }>(
    'select id, is_current as current, value, since_ms as since from secret_key order by since_ms, id',
  );
  return rows.map(({ id, current, value, since }) => ({
    ...{ id, isCurrent: current === 1, value: value ?? undefined, sinceMs: since },
  }));
}

/** Makes a key, known or new, the one for encryption from now on. */
export async function makeCurrent(
  tx: Transaction,
  { id, value, sinceMs }: Omit<SecretKey, 'isCurrent'>,
): Promise<void> {
  await tx.run('update secret_key set is_current = 0 where is_current = 1');
  await tx.run(
    `insert into secret_key (id, is_current, value, since_ms) values ($1, 1, $2, $3)
     on conflict (id) do update set is_current = 1`,
    [id, value ?? null, sinceMs],
  );
}

/** How many secrets of which kind are under which key. */
export async function countSecrets(
  sql: Sql,
): Promise<{ kind: SecretKind; keyId: string; count: number }[]> {
  const counted = await Promise.all(
    SECRET_KINDS.map(async (kind) => {
      const rows = await sql.all<{ id: string; count: number }>(
        `select secret_key_id as id, count(*) as count from ${HOMES[kind].table}
         where secret_key_id is not null group by secret_key_id`,
      );
      return rows.map(({ id, count }) => ({ kind, keyId: id, count }));
    }),
  );
  return counted.flat();
}

/** Secrets of a kind that are under other keys than one, in order of their owners. */
export async function listSealedOtherwise(
  tx: Transaction,
  kind: SecretKind,
  keyId: string,
  after: string,
  limit: number,
): Promise<(SealedSecret & { ownerId: string })[]> {
  const { table, owner } = HOMES[kind];
  return tx.all<{ ownerId: string; secret: Uint8Array; secretKeyId: string }>(
    `select ${owner} as "ownerId", secret, secret_key_id as "secretKeyId" from ${table}
     where secret_key_id <> $1 and ${owner} > $2 order by ${owner} limit $3`,
    [keyId, after, limit],
  );
}

/** Replaces a secret by its encryption under another key, unless it has changed since. */
export async function replaceSecret(
  tx: Transaction,
  kind: SecretKind,
  ownerId: string,
  before: SealedSecret,
  { secret, secretKeyId }: SealedSecret,
): Promise<void> {
  const { table, owner } = HOMES[kind];
  await tx.run(
    `update ${table} set secret = $2, secret_key_id = $3
     where ${owner} = $1 and secret_key_id = $4 and secret = $5`,
    [ownerId, secret, secretKeyId, before.secretKeyId, before.secret],
  );
}

/** Names of the machines whose processes lack a key of the settings. */
export async function listLacking(sql: Sql, keyId: string): Promise<string[]> {
  const processes = await listProcesses(sql);
  return processes.filter(({ keyIds }) => !keyIds.includes(keyId)).map(({ host }) => host);
}

/** A condition: the key in a column is one of these from the settings, or in the database. */
export function isOpenable(column: string, keyIds: readonly string[], params: SqlValue[]): string {
  const places = keyIds.map((id) => `$${params.push(id)}`).join(', ');
  const inDatabase = `exists (select 1 from secret_key
    where secret_key.id = ${column} and secret_key.value is not null)`;
  return places === '' ? inDatabase : `(${column} in (${places}) or ${inDatabase})`;
}
