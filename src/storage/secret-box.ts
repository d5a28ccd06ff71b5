import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A text encrypted at rest, and the id of the key that opens it. */
export type SealedSecret = { bytes: Uint8Array; keyId: string };

/**
 * AES-256-GCM under one key. A secret is bound to its owner's id, so that one copied to another
 * record does not open there. Bytes: nonce, tag, ciphertext.
 */
export class SecretBox {
  readonly #key: Buffer;
  /** Tells keys apart in stored records; says nothing about the key itself. */
  readonly keyId: string;

  constructor(key: Buffer) {
    this.#key = key;
    this.keyId = createHash('sha256')
      .update('plimsoll key id')
      .update(key)
      .digest('hex')
      .slice(0, 16);
  }

  seal(secret: string, ownerId: string): SealedSecret {
    const nonce = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    cipher.setAAD(Buffer.from(ownerId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { bytes: Buffer.concat([nonce, cipher.getAuthTag(), text]), keyId: this.keyId };
  }

  /** Throws when the key is another one or the bytes are not what was sealed for this owner. */
  open({ bytes, keyId }: SealedSecret, ownerId: string): string {
    if (keyId !== this.keyId) throw new Error('The secret was sealed under another key');
    const nonce = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce);
    decipher.setAAD(Buffer.from(ownerId));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }
}
