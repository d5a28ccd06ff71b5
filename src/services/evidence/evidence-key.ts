import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { SecretBox } from '../../storage/secret-box.ts';
import { findServerSecret } from '../../storage/server-secret-store.ts';
import type { Changes } from '../changes.ts';

const NAME = 'evidence-key';

/**
 * The Ed25519 key that signs events: made once, and kept in the database, encrypted by the key in
 * the settings if there is one.
 */
export class EvidenceKey {
  readonly #changes: Changes;
  readonly #box: SecretBox | undefined;
  #key: ReturnType<EvidenceKey['load']> | undefined;

  constructor(changes: Changes, settingsKey: Buffer | undefined) {
    this.#changes = changes;
    this.#box = settingsKey && new SecretBox(settingsKey);
  }

  /** SubjectPublicKeyInfo, base64. */
  async publicKey(): Promise<string> {
    const key = createPublicKey(await this.#load());
    return key.export({ format: 'der', type: 'spki' }).toString('base64');
  }

  /** Returns a function that signs texts: hashes of events, and texts of annexes; base64. */
  async signer(): Promise<(text: string) => string> {
    const key = await this.#load();
    return (text) => sign(null, Buffer.from(text), key).toString('base64');
  }

  #load(): ReturnType<EvidenceKey['load']> {
    this.#key ??= this.load().catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  /** Throws if the key in the settings is another one by now. */
  private async load() {
    const { privateKey } = generateKeyPairSync('ed25519');
    const fresh = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const stored = await this.#changes.record((tx) =>
      findServerSecret(tx, NAME, this.#closed(fresh)),
    );
    const der = Buffer.from(this.#open(stored), 'base64');
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }

  #closed(text: string): string {
    if (!this.#box) return `:${text}`;
    const { keyId, bytes } = this.#box.seal(text, NAME);
    return `${keyId}:${Buffer.from(bytes).toString('base64')}`;
  }

  #open(stored: string): string {
    const [keyId = '', text = ''] = stored.split(':');
    if (keyId === '') return text;
    if (!this.#box) throw new Error('PLIMSOLL_SECRET_KEY is required to decrypt the evidence key');
    return this.#box.open({ keyId, bytes: Buffer.from(text, 'base64') }, NAME);
  }
}
