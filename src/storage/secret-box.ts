import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A text encrypted at rest, and the id of the key that decrypts it. */
export type SealedSecret = { secret: Uint8Array; secretKeyId: string };

/**
 * AES-256-GCM under one key. A secret is bound to its owner's id, so that a copy in another record
 * cannot be decrypted. Bytes: nonce, tag, ciphertext.
 */
export class SecretBox {
  readonly #key: Buffer;
  /** Derived from the key, which it identifies without revealing anything of it. */
  readonly keyId: string;

  constructor(key: Buffer) {
    this.#key = key;
    this.keyId = createHash('sha256')
      .update('plimsoll key id')
      .update(key)
      .digest('hex')
      .slice(0, 16);
  }

  seal(text: string, ownerId: string): SealedSecret {
    const nonce = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    cipher.setAAD(Buffer.from(ownerId));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return {
      secret: Buffer.concat([nonce, cipher.getAuthTag(), sealed]),
      secretKeyId: this.keyId,
    };
  }

  /** Throws if the bytes are not what was sealed under this key for this owner. */
  open(secret: Uint8Array, ownerId: string): string {
    const nonce = secret.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce);
    decipher.setAAD(Buffer.from(ownerId));
    decipher.setAuthTag(secret.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = decipher.update(secret.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }
}
