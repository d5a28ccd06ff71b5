import { createHash, createPublicKey, verify } from 'node:crypto';

/*
 * The events of a user are sealed in order. The statement of an event is digested; the event's hash
 * follows from this digest and the hash of the event before; the hash is signed. So nothing can be
 * changed, removed, inserted or moved without changing every hash after it.
 *
 *   digest = SHA-256 of the statement as canonical JSON
 *   hash   = SHA-256 of the text: previous hash, digest (both in hex)
 *
 * Actions about an event come later, and continue. A case file shows them in an annex, which names
 * the event by its hash, is signed each time it is made, and belongs to no chain.
 */

/** Where a user's chain begins. */
export const firstHash = (userId: string): string => sha256(`plimsoll events of ${userId}`);

export const hashAfter = (previous: string, digest: string): string => sha256(previous + digest);

/** The text that is signed for an annex. Its first words distinguish it from an event's hash. */
export const signedTextOf = (annex: unknown): string => `plimsoll annex ${digestOf(annex)}`;

export const digestOf = (value: unknown): string => digestOfText(canonicalJson(value));

/** The digest of a text that is canonical JSON already. */
export const digestOfText = (text: string): string => sha256(text);

/**
 * JSON with the fields of each object in the order of their UTF-16 code units, and no whitespace:
 * the canonical form of RFC 8785, whose numbers and texts are those of JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join()}}`;
}

/** Whether a text's signature (base64) is by an Ed25519 key (SubjectPublicKeyInfo, base64). */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const der = Buffer.from(publicKey, 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
