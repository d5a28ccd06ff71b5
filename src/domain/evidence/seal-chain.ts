import { createHash, createPublicKey, verify } from 'node:crypto';

/*
 * Events of a user are sealed in their order. What is said of an event is digested; its hash
 * follows from the digest and from the hash of the event before; the hash is signed. So nothing can
 * be changed, left out, put in or moved without that every hash after it is another one.
 *
 *   digest = SHA-256 of the statement as canonical JSON
 *   hash   = SHA-256 of the text: previous hash, digest (both in hex)
 *
 * What is done about an event comes later, and goes on. A case file tells it in an annex, which
 * names the event by its hash and is signed whenever it is made; no chain holds it.
 */

/** Where a user's chain begins. */
export const firstHash = (userId: string): string => sha256(`plimsoll events of ${userId}`);

export const hashAfter = (previous: string, digest: string): string => sha256(previous + digest);

/** What is signed of an annex: by its first words never to be taken for the hash of an event. */
export const signedTextOf = (annex: unknown): string => `plimsoll annex ${digestOf(annex)}`;

export const digestOf = (value: unknown): string => digestOfText(canonicalJson(value));

/** The digest of what is canonical JSON already. */
export const digestOfText = (text: string): string => sha256(text);

/**
 * JSON with the fields of each object in the order of their UTF-16 code units, and no blanks: the
 * canonical form of RFC 8785, whose numbers and texts are those of JSON.stringify.
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

/**
 * Whether a signature (base64) of a text is that of an Ed25519 key (SubjectPublicKeyInfo, base64).
 */
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
