import { canonicalJson, parseStrictly } from './canonical-json.ts';
import { type Hash, leafHash, rootByInclusion } from './merkle-tree.ts';
import {
  annexText,
  type Head,
  hashOfBase64,
  isSignedNote,
  type Note,
  parseHead,
  parseNote,
} from './signed-note.ts';
import { checkStamp, type Stamp, type StampTexts } from './time-stamp.ts';
import { parseProof } from './tree-proof.ts';

/** The texts of a case file. */
export type CaseTexts = {
  statement: string;
  proof: string;
  annex: string;
  annexSignature: string;
  publicKey: string;
  annexPublicKey?: string;
  stamp?: StampTexts & { path: readonly string[] };
};

/** A head, as a file shows it. */
export type CheckedHead = { head: Head; note: Note; faults: string[] };
export type Json = Record<string, unknown>;
export type CheckedCase = CheckedHead & { statement: Json; annex: Json; stamp?: Stamp };

/** Checks what a case file says of itself. Throws RangeError if it cannot be read. */
export function checkCase(file: CaseTexts): CheckedCase {
  const { index, path, head: note } = parseProof(file.proof);
  const checked = checkTreeHead(note, file.publicKey);
  const { head, faults } = checked;
  const statement = parseCanonical(file.statement);
  const annex = parseCanonical(file.annex);
  const leaf = leafHash(file.statement);
  const root = index < head.size ? rootByInclusion(leaf, index, head.size, path) : undefined;
  if (!root?.equals(head.root)) faults.push('the statement is not in the tree of the head');
  if (statement.place !== index + 1) faults.push('the statement belongs to another place');
  const annexNote = parseNote(file.annexSignature);
  if (annexNote.text !== annexText(file.annex)) faults.push('the annex was changed');
  if (!isSignedNote(annexNote, head.origin, file.annexPublicKey ?? file.publicKey))
    faults.push('the signature of the annex is not valid');
  if (annex.leaf !== leaf.toString('base64')) faults.push('the annex belongs to another event');
  const stamp = file.stamp && stampOf(head.origin, leaf, index, file.stamp);
  return { ...checked, statement, annex, ...(stamp ? { stamp } : {}) };
}

/** Of the head of the size at which a leaf was stamped, which need not be the head of the file. */
function stampOf(
  origin: string,
  leaf: Hash,
  index: number,
  { path, ...stamp }: NonNullable<CaseTexts['stamp']>,
): Stamp {
  const { size } = stamp;
  const hashes = path.map(hashOfBase64);
  const root = index < size ? rootByInclusion(leaf, index, size, hashes) : undefined;
  if (!root) throw new RangeError('its time stamp is of another head');
  return checkStamp({ origin, size, root }, stamp);
}

/** Throws RangeError if a note is no head. */
export function checkTreeHead(note: Note, publicKey: string): CheckedHead {
  const head = parseHead(note);
  const isValid = isSignedNote(note, head.origin, publicKey);
  return { head, note, faults: isValid ? [] : ['the signature of the head is not valid'] };
}

/** An object from the only text that it has. */
function parseCanonical(text: string): Json {
  const value = parseStrictly(text);
  if (typeof value !== 'object' || value === null || canonicalJson(value) !== text)
    throw new RangeError('its statement or annex is not canonical JSON');
  return value as Json;
}
