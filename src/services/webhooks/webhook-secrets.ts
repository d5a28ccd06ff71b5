import { randomBytes } from 'node:crypto';
import { SecretBox } from '../../storage/secret-box.ts';
import { findServerSecret } from '../../storage/server-secret-store.ts';
import type { Changes } from '../changes.ts';

/**
 * Encrypts webhook secrets at rest. Without a key in the settings, the server makes one and keeps
 * it in the database: then whoever can read the database can read the secrets.
 */
export class WebhookSecrets {
  readonly #changes: Changes;
  readonly #key: Buffer | undefined;
  #box: Promise<SecretBox> | undefined;

  constructor(changes: Changes, key: Buffer | undefined) {
    this.#changes = changes;
    this.#key = key;
  }

  async seal(secret: string, webhookId: string): Promise<string> {
    const { keyId, bytes } = (await this.#open()).seal(secret, webhookId);
    return `${keyId}:${Buffer.from(bytes).toString('base64')}`;
  }

  /** Throws if the key in the settings is another one by now. */
  async open(sealed: string, webhookId: string): Promise<string> {
    const [keyId = '', bytes = ''] = sealed.split(':');
    return (await this.#open()).open({ keyId, bytes: Buffer.from(bytes, 'base64') }, webhookId);
  }

  #open(): Promise<SecretBox> {
    this.#box ??= this.#makeBox().catch((error: unknown) => {
      this.#box = undefined;
      throw error;
    });
    return this.#box;
  }

  async #makeBox(): Promise<SecretBox> {
    if (this.#key) return new SecretBox(this.#key);
    const fresh = randomBytes(32).toString('base64');
    const value = await this.#changes.record((tx) =>
      findServerSecret(tx, 'webhook-secrets', fresh),
    );
    return new SecretBox(Buffer.from(value, 'base64'));
  }
}
