import type { Sql } from '../../storage/database.ts';
import type { KeyRing } from '../../storage/key-ring.ts';
import {
  countSecrets,
  listSecretKeys,
  SECRET_KINDS,
  type SecretKey,
  type SecretKind,
} from '../../storage/secret-key-store.ts';

/** A key of the database, and the secrets under it. */
export type KeyUse = Omit<SecretKey, 'value'> & {
  /** Where this process got it. */
  kept: 'settings' | 'database' | 'missing';
  secrets: Record<SecretKind, number>;
};

/** Secrets under a key that is missing in the settings. */
export class MissingKey extends Error {
  override readonly name = 'MissingKey';
}

const NAMES: Record<SecretKind, (count: number) => string> = {
  webhooks: (count) => (count === 1 ? 'a webhook' : `${count} webhooks`),
  profiles: (count) =>
    count === 1 ? 'the password of a platform' : `the passwords of ${count} platforms`,
  evidenceKeys: () => 'the key that signs events',
};

/** The keys named by the database, oldest first. */
export async function readKeyUse(database: Sql, ring: KeyRing): Promise<KeyUse[]> {
  const [keys, counts] = await Promise.all([listSecretKeys(database), countSecrets(database)]);
  const { settingIds } = ring;
  return keys.map(({ value, ...key }) => {
    const own = counts.filter(({ keyId }) => keyId === key.id);
    const secrets = SECRET_KINDS.map((kind) => [
      kind,
      own.find((counted) => counted.kind === kind)?.count ?? 0,
    ]);
    const fromSettings = settingIds.includes(key.id) ? 'settings' : 'missing';
    return {
      ...key,
      kept: value === undefined ? fromSettings : 'database',
      secrets: Object.fromEntries(secrets) as KeyUse['secrets'],
    };
  });
}

/**
 * Why these keys cannot decrypt all stored secrets, in one line for the operator; undefined if they
 * can.
 */
export async function missingKeys(database: Sql, ring: KeyRing): Promise<string | undefined> {
  const missing = (await readKeyUse(database, ring)).filter(
    ({ kept, secrets }) => kept === 'missing' && isUsed(secrets),
  );
  if (missing.length === 0) return undefined;
  const { settingIds } = ring;
  const lines = missing.map(
    ({ id, secrets }) =>
      `${id} (of ${SECRET_KINDS.flatMap((kind) => named(kind, secrets)).join(', ')})`,
  );
  const what = `${missing.length === 1 ? 'the key' : 'keys'} ${lines.join(' and ')}`;
  const found =
    settingIds.length === 0
      ? `PLIMSOLL_SECRET_KEY is not set, but this database is encrypted under ${what}: set it`
      : `PLIMSOLL_SECRET_KEY is ${settingIds.join(', ')}, but this database is also encrypted ` +
        `under ${what}: add it, separated by a comma`;
  return `${found}, or go on without by --allow-missing-keys`;
}

export const isUsed = (secrets: KeyUse['secrets']): boolean =>
  SECRET_KINDS.some((kind) => secrets[kind] > 0);

const named = (kind: SecretKind, secrets: KeyUse['secrets']): string[] =>
  secrets[kind] > 0 ? [NAMES[kind](secrets[kind])] : [];
