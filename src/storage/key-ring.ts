import { randomBytes } from 'node:crypto';
import type { Sql, Transaction } from './database.ts';
import { type SealedSecret, SecretBox } from './secret-box.ts';
import { holdSecretKeys, listLacking, listSecretKeys, makeCurrent } from './secret-key-store.ts';

const KEY_BYTES = 32;

/** A secret is stored under a key that this server does not have. */
export class LockedSecret extends Error {
  override readonly name = 'LockedSecret';
  constructor(keyId: string) {
    super(
      `It is encrypted under the key ${keyId}, which this server does not have: ` +
        'its operator has to add it to PLIMSOLL_SECRET_KEY',
    );
  }
}

/**
 * The keys that decrypt stored secrets: those of the settings, and those that the server made and
 * keeps in the database, next to the secrets. The database says which one encrypts, so it is the
 * same in all processes: the first of the settings, once every process has it.
 */
export class KeyRing {
  readonly #database: Sql;
  readonly #now: () => number;
  readonly #ofSettings: readonly SecretBox[];
  /** Keys in the database, by id, loaded when first needed. They never change. */
  readonly #ofDatabase = new Map<string, SecretBox>();

  constructor(database: Sql, keysOfSettings: readonly Buffer[], now: () => number) {
    this.#database = database;
    this.#ofSettings = keysOfSettings.map((key) => new SecretBox(key));
    this.#now = now;
  }

  /** Ids of the keys in the settings, the first first. */
  get settingIds(): string[] {
    return this.#ofSettings.map(({ keyId }) => keyId);
  }

  /** Encrypts a secret that the transaction stores. */
  async seal(tx: Transaction, text: string, ownerId: string): Promise<SealedSecret> {
    return (await this.holdCurrent(tx)).seal(text, ownerId);
  }

  /** Throws LockedSecret without its key. */
  async open({ secret, secretKeyId }: SealedSecret, ownerId: string): Promise<string> {
    const box = await this.#find(this.#database, secretKeyId);
    if (!box) throw new LockedSecret(secretKeyId);
    return box.open(secret, ownerId);
  }

  async canOpen(keyId: string): Promise<boolean> {
    return (await this.#find(this.#database, keyId)) !== undefined;
  }

  /** The key for encryption, held until the end of the transaction. */
  async holdCurrent(tx: Transaction): Promise<SecretBox> {
    await holdSecretKeys(tx);
    const keys = await listSecretKeys(tx);
    const current = keys.find(({ isCurrent }) => isCurrent);
    const [wanted] = this.#ofSettings;
    if (current && current.id === wanted?.keyId) return wanted;
    const isWanted = wanted && (await listLacking(tx, wanted.keyId)).length === 0;
    const box = current && !isWanted ? await this.#find(tx, current.id) : undefined;
    if (box) return box;
    const made = keys.findLast(({ value }) => value !== undefined)?.value;
    const value = wanted ? undefined : (made ?? randomBytes(KEY_BYTES).toString('base64'));
    const next = wanted ?? new SecretBox(Buffer.from(value ?? '', 'base64'));
    await makeCurrent(tx, { id: next.keyId, value, sinceMs: this.#now() });
    return next;
  }

  async #find(sql: Sql, keyId: string): Promise<SecretBox | undefined> {
    const known = this.#ofSettings.find((box) => box.keyId === keyId);
    const found = known ?? this.#ofDatabase.get(keyId);
    if (found) return found;
    const stored = (await listSecretKeys(sql)).find(({ id }) => id === keyId);
    if (stored?.value === undefined) return undefined;
    const box = new SecretBox(Buffer.from(stored.value, 'base64'));
    this.#ofDatabase.set(keyId, box);
    return box;
  }
}
