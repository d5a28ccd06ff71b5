import { parseStrictly } from '../../domain/evidence/canonical-json.ts';
import { checkTreeHead } from '../../domain/evidence/check-case.ts';
import { isListed, type KeyList, keyListFaults } from '../../domain/evidence/key-list.ts';
import { parseNote } from '../../domain/evidence/signed-note.ts';
import type { Stamp } from '../../domain/evidence/time-stamp.ts';
import { contradiction, relationOf, type ShownTree } from './compare-trees.ts';
import { type ReadFile, type Report, readSealedFile } from './read-sealed-file.ts';

/** What a reader knows from elsewhere. */
export type Known = {
  /** The published key in use, and the list of all. */
  key?: string | undefined;
  list?: KeyList | undefined;
  /** Texts of heads, or of files, that were kept from earlier. */
  heads?: readonly string[];
  /** By the certificates of the authorities whose time stamps the reader trusts. */
  checkStamp?: CheckStamp | undefined;
};

/** Whether a token is of a trusted authority, over this digest, as of the time that it says. */
export type CheckStamp = (stamp: Stamp) => boolean;

const NO_HEAD = 'that nothing was removed since, and that there is no other history: see --head';

/** Checks one case file or export of a tree. */
export const verifyText = (text: string, known: Known): Report =>
  verifyTexts([text], known)[0] ?? { faults: [], verified: [], notVerified: [] };

/**
 * Checks files by themselves, against what is known, and against each other. Throws RangeError if
 * what should be known does not hold itself.
 */
export function verifyTexts(texts: readonly string[], known: Known): Report[] {
  const files = texts.map((text) => readKnown(text, known));
  const heads = (known.heads ?? []).map((text) => readHead(text, known, files));
  const sound = files.filter(({ faults }) => faults.length === 0).flatMap(({ tree }) => tree ?? []);
  const exports = sound.filter(({ sealed }) => !sealed);
  for (const report of files) {
    const { tree } = report;
    if (!tree) continue;
    for (const head of heads) compareWithHead(report, tree, head, exports);
    if (heads.length === 0) report.notVerified.push(NO_HEAD);
    for (const other of sound) compareWithFile(report, tree, other, exports);
  }
  return files.map(reportOf);
}

/** Of a file with faults nothing is said but these: its words might be somebody else's. */
const reportOf = ({ faults, verified, notVerified }: Report): Report =>
  faults.length > 0
    ? { faults: [...new Set(faults)], verified: [], notVerified: [] }
    : { faults, verified, notVerified: [...new Set(notVerified)] };

function compareWithHead(
  { verified, faults }: Report,
  tree: ShownTree,
  head: ShownTree,
  exports: readonly ShownTree[],
): void {
  const [size, own] = [head.head.size, tree.head.size];
  const given = `the given head of ${size} records`;
  const relation = relationOf(tree, head, exports);
  if (tree.head.origin !== head.head.origin) faults.push('the given head is of another tree');
  else if (relation === 'same') verified.push(`one history with ${given}`);
  else if (relation === 'different') faults.push(`another history than ${given}`);
  else if (!tree.sealed && own < size) faults.push(`it ends before ${given}: cut, or too old`);
  else {
    const from = Math.min(size, own) + 1;
    faults.push(`nothing connects it with ${given}: add an export from the place ${from}`);
  }
}

function compareWithFile(
  { faults, notVerified }: Report,
  tree: ShownTree,
  other: ShownTree,
  exports: readonly ShownTree[],
): void {
  const { origin, size } = other.head;
  if (other === tree || origin !== tree.head.origin) return;
  const relation = relationOf(tree, other, exports);
  const fault = contradiction(tree, other);
  if (fault !== undefined) faults.push(fault);
  if (relation === 'different') faults.push('another file shows another history');
  if (relation === 'unknown')
    notVerified.push(`that it is one history with the file of ${size} records: add an export`);
}

/** A file, with the faults of its keys. */
function readKnown(text: string, known: Known): ReadFile {
  const { key, list } = known;
  const read = readSealedFile(text);
  const { signers, faults, notVerified } = read;
  if (list) faults.push(...keyListFaults(list));
  if (list && key !== undefined && !isListed(list, key, undefined))
    faults.push('the list of keys does not have the key');
  const isKnown = ({ publicKey, within }: ReadFile['signers'][number]): boolean =>
    list ? isListed(list, publicKey, within) : key === undefined || key === publicKey;
  const hint = list ? '' : ': if the key was replaced, pass --keys';
  if (!signers.every(isKnown)) faults.push(`it is signed by another key${hint}`);
  if (!list && key === undefined)
    for (const { publicKey } of signers)
      notVerified.push(`whose key ${publicKey} is: compare it, or pass --key`);
  checkTime(read, known);
  return read;
}

function checkTime({ stamp, faults, verified, notVerified }: ReadFile, known: Known): void {
  if (!stamp) {
    if (known.checkStamp) notVerified.push('its time by anybody else: it has no time stamp');
    return;
  }
  const time = new Date(stamp.timeMs).toISOString();
  if (!known.checkStamp)
    notVerified.push(`that it is from before ${time}, as its time stamp says: pass --tsa-ca`);
  else if (known.checkStamp(stamp))
    verified.push(`from before ${time}, by the time stamp of an authority of --tsa-ca`);
  else faults.push('its time stamp is of none of the authorities of --tsa-ca');
}

/** A head that was kept: its note, or a file that has one. Throws RangeError. */
function readHead(text: string, known: Known, files: readonly ReadFile[]): ShownTree {
  if (text.trimStart().startsWith('{')) {
    const { faults, tree } = readKnown(text, known);
    if (tree && faults.length === 0) return tree;
    throw new RangeError(`A file that is given as a head does not hold: ${faults.join('; ')}`);
  }
  const note = parseNote(text);
  const { key, list } = known;
  const given = [key ?? [], list?.keys.map(({ publicKey }) => publicKey) ?? []].flat();
  const own = files.flatMap(({ signers }) => signers.map(({ publicKey }) => publicKey));
  const heads = (given.length > 0 ? given : own).map((each) => checkTreeHead(note, each));
  const signed = heads.find(({ faults }) => faults.length === 0);
  if (!signed) throw new RangeError('A given head is signed by none of the keys');
  return { ...signed, roots: new Map([[signed.head.size, signed.head.root]]) };
}

/** The list of keys of an answer of /evidence-key. Throws RangeError. */
export function keyListOf(text: string): KeyList {
  const list = parseStrictly(text) as Partial<KeyList> | null;
  if (!Array.isArray(list?.keys)) throw new RangeError('The file is no answer of /evidence-key');
  return list as KeyList;
}
