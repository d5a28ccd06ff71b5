import { createHash, createPublicKey, verify } from 'node:crypto';

/*
 * Signed notes (c2sp.org/signed-note): a text, an empty line, and a line for each signature. The
 * head of a tree is the note of c2sp.org/tlog-checkpoint: origin, size, root. So public tools and
 * witnesses can read, check and cosign it.
 */

/** What is signed, ending in a line break, and by whom. */
export type Note = { text: string; signatures: { name: string; bytes: Buffer }[] };

/** More signatures than a log and its witnesses have. */
const MAX_SIGNATURES = 64;
const KEY_ID_BYTES = 4;
/** Those below U+0020, except a line break. */
const CONTROL = /[^\P{Cc}\n\x7f-\x9f]/u;
/** Before the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const SPKI_START = Buffer.from('302a300506032b6570032100', 'hex');
const SPKI_BYTES = SPKI_START.length + 32;
const ED25519 = Buffer.of(1);

/** Signs texts with one key; base64. */
export type TextSigner = { publicKey: string; sign(text: string): string };

/** @param text ends in a line break */
export function signNote(text: string, name: string, signer: TextSigner): string {
  const id = keyIdOf(name, signer.publicKey);
  const signature = Buffer.from(signer.sign(text), 'base64');
  return `${text}\n— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;
}

/** Throws RangeError if it is no signed note. */
export function parseNote(note: string): Note {
  const end = CONTROL.test(note) ? -1 : note.lastIndexOf('\n\n');
  const lines = note.slice(end + 2).split('\n');
  if (end < 1 || lines.pop() !== '' || lines.length < 1 || lines.length > MAX_SIGNATURES)
    throw new RangeError('it is no signed note');
  const signatures = lines.map((line) => {
    const [, name, signature] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? [];
    if (name === undefined || signature === undefined)
      throw new RangeError('a line of a signature in a note is not one');
    return { name, bytes: bytesOf(signature) };
  });
  return { text: note.slice(0, end + 1), signatures };
}

/** Whether a note has a valid signature of a key under a name, and no false one. */
export function isSignedNote({ text, signatures }: Note, name: string, publicKey: string): boolean {
  const id = keyIdOf(name, publicKey);
  const own = signatures.filter((one) => one.name === name && one.bytes.indexOf(id) === 0);
  const isValid = ({ bytes }: Note['signatures'][number]): boolean =>
    isSigned(text, bytes.subarray(KEY_ID_BYTES).toString('base64'), publicKey);
  return own.length > 0 && own.every(isValid);
}

/** The head of a tree: `origin` names the log. */
export type Head = { origin: string; size: number; root: Buffer };

/** @param firstKey of the server that keeps the tree */
export const originOf = (firstKey: string, userId: string): string =>
  `plimsoll/${createHash('sha256').update(Buffer.from(firstKey, 'base64')).digest('hex').slice(0, 32)}/${userId}`;

export const headText = ({ origin, size, root }: Head): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** Throws RangeError if a note's text is no head. */
export function parseHead({ text }: Note): Head {
  const [, origin = '', size, root = ''] = /^(\S+)\n(0|[1-9]\d{0,14})\n(\S+)\n$/.exec(text) ?? [];
  if (size === undefined) throw new RangeError('it is no head of a tree');
  return { origin, size: Number(size), root: hashOfBase64(root) };
}

/** Bytes of standard base64, in its only spelling. Throws RangeError. */
export function bytesOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw new RangeError('it has base64 that is none');
  return bytes;
}

export function hashOfBase64(base64: string): Buffer {
  const bytes = bytesOf(base64);
  if (bytes.length !== 32) throw new RangeError('it has a hash that is none');
  return bytes;
}

/** SHA-256(name, line break, 0x01, key), its first four bytes. */
function keyIdOf(name: string, publicKey: string): Buffer {
  const key = Buffer.from(publicKey, 'base64').subarray(SPKI_START.length);
  const named = createHash('sha256').update(`${name}\n`).update(ED25519).update(key).digest();
  return named.subarray(0, KEY_ID_BYTES);
}

/** Whether a text's signature (base64) is by an Ed25519 key (SubjectPublicKeyInfo, base64). */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const der = bytesOf(publicKey);
    const isEd25519 = der.length === SPKI_BYTES && der.indexOf(SPKI_START) === 0;
    if (!isEd25519) return false;
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, bytesOf(signature));
  } catch {
    return false;
  }
}

/** The text that is signed for an annex: its first line tells it from a head. */
export const annexText = (annex: string): string =>
  `plimsoll annex\n${createHash('sha256').update(annex).digest('base64')}\n`;
