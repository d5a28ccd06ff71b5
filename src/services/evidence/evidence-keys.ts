import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type KeyList, keyTextOf, listTextOf } from '../../domain/evidence/key-list.ts';
import {
  isSignedNote,
  originOf,
  parseHead,
  parseNote,
  type TextSigner,
} from '../../domain/evidence/signed-note.ts';
import {
  type EvidenceKey,
  holdEvidenceKeys,
  insertEvidenceKey,
  listEvidenceKeys,
} from '../../storage/evidence-key-store.ts';
import { LockedSecret } from '../../storage/key-ring.ts';
import type { ChangeTransaction } from '../changes.ts';
import type { Context } from '../context.ts';

type KeyContext = Pick<Context, 'database' | 'changes' | 'now' | 'secrets'>;

/** The current key, which signs heads and annexes. */
export type Signer = Pick<EvidenceKey, 'number' | 'publicKey'> & TextSigner;

/**
 * The Ed25519 keys that sign evidence, one at a time: kept in the database, encrypted like all
 * secrets. The current one is read each time, as another process may have changed it.
 */
export class EvidenceKeys {
  readonly #context: KeyContext;
  /** The public key of the first, which never changes. */
  #first: string | undefined;
  /** The key of the last signature. */
  #last: Signer | undefined;

  constructor(context: KeyContext) {
    this.#context = context;
  }

  /** All keys, oldest first; the first one is made on demand. */
  async list(): Promise<EvidenceKey[]> {
    const { database, changes } = this.#context;
    const known = await listEvidenceKeys(database);
    if (known.length > 0) return known;
    return changes.record(async (tx) => {
      await holdEvidenceKeys(tx);
      if ((await listEvidenceKeys(tx)).length === 0) await this.add(tx);
      return listEvidenceKeys(tx);
    });
  }

  /** Throws LockedSecret if the current key cannot be decrypted. */
  async signer(): Promise<Signer> {
    return this.#signerOf((await this.list()).at(-1));
  }

  /**
   * The name of a user's tree, which also names the keys of its notes. It follows from the server's
   * first key, so it stays the same when the key is replaced.
   */
  async origin(userId: string): Promise<string> {
    this.#first ??= (await this.list())[0]?.publicKey;
    return originOf(this.#first ?? '', userId);
  }

  /** The public key that signed a note; without one, the current key. */
  async signerOf(note: string | undefined): Promise<string> {
    const keys = await this.list();
    if (note === undefined) return keys.at(-1)?.publicKey ?? '';
    const opened = parseNote(note);
    const { origin } = parseHead(opened);
    const found = keys.find(({ publicKey }) => isSignedNote(opened, origin, publicKey));
    if (!found) throw new Error(`Invariant: a key of this server signed the head of ${origin}`);
    return found.publicKey;
  }

  /** The public keys for checking files: signed, unless the current key cannot be decrypted. */
  async publish(): Promise<KeyList & { publicKey: string }> {
    const stored = await this.list();
    const keys = stored.map(({ publicKey, fromMs, untilMs, signature }) => ({
      ...{ publicKey, validFrom: isoOf(fromMs) },
      ...(untilMs === null ? {} : { validUntil: isoOf(untilMs) }),
      signature,
    }));
    const signer = await this.#signerOf(stored.at(-1)).catch(unlessLocked);
    return {
      publicKey: keys.at(-1)?.publicKey ?? '',
      keys,
      ...(signer ? { signature: signer.sign(listTextOf(keys)) } : {}),
    };
  }

  /**
   * Adds a key that signs from now on. Its predecessor vouches for it, if it can be decrypted. The
   * caller holds the lock of keys.
   */
  async add(tx: ChangeTransaction): Promise<{ publicKey: string; isVouchedFor: boolean }> {
    const before = (await listEvidenceKeys(tx)).at(-1);
    const signer = before && (await this.#signerOf(before).catch(unlessLocked));
    const pair = generateKeyPairSync('ed25519');
    const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const text = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const fromMs = this.#context.now();
    const words = keyTextOf(signer?.publicKey, { publicKey, validFrom: isoOf(fromMs) });
    await insertEvidenceKey(tx, {
      ...{ publicKey, fromMs, ...(await this.#context.secrets.seal(tx, text, publicKey)) },
      signature: signer ? signer.sign(words) : signedBy(pair.privateKey, words),
    });
    return { publicKey, isVouchedFor: signer !== undefined };
  }

  async #signerOf(key: EvidenceKey | undefined): Promise<Signer> {
    if (!key) throw new Error('Invariant: there is a key of evidence');
    if (this.#last?.publicKey === key.publicKey && this.#last.number === key.number) {
      return this.#last;
    }
    const der = Buffer.from(await this.#context.secrets.open(key, key.publicKey), 'base64');
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const { number, publicKey } = key;
    this.#last = { number, publicKey, sign: (text) => signedBy(privateKey, text) };
    return this.#last;
  }
}

const signedBy = (key: KeyObject, text: string): string =>
  sign(null, Buffer.from(text), key).toString('base64');

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString();

function unlessLocked(error: unknown): undefined {
  if (!(error instanceof LockedSecret)) throw error;
}
