import { type CheckedHead, checkTreeHead } from './check-case.ts';
import { GrowingTree, type Hash, isConsistent } from './merkle-tree.ts';
import { hashOfBase64, parseNote } from './signed-note.ts';
import { checkStamp, type Stamp, type StampTexts } from './time-stamp.ts';

/** The texts of an export of a tree, or of a part of it. */
export type ExportTexts = {
  head: string;
  fromPlace: number;
  before: readonly string[];
  seals: readonly string[];
  consistency: readonly string[];
  publicKey: string;
  stamp?: StampTexts;
};

/** `roots`: of the tree at each size that the export shows. */
export type CheckedExport = CheckedHead & { roots: ReadonlyMap<number, Hash>; stamp?: Stamp };

/** Checks that a part of a tree leads to its head. Throws RangeError if it cannot be read. */
export function checkExport(file: ExportTexts): CheckedExport {
  const checked = checkTreeHead(parseNote(file.head), file.publicKey);
  const { head, faults } = checked;
  const tree = new GrowingTree(file.fromPlace - 1, file.before.map(hashOfBase64));
  const roots = new Map([[tree.size, tree.root]]);
  for (const seal of file.seals) {
    tree.add(hashOfBase64(seal));
    roots.set(tree.size, tree.root);
  }
  if (!isConsistent(tree, head, file.consistency.map(hashOfBase64)))
    faults.push('the seals, and those before them, do not lead to the head');
  roots.set(head.size, head.root);
  if (!file.stamp) return { ...checked, roots };
  const { origin } = head;
  const { size } = file.stamp;
  const root = roots.get(size);
  if (!root) throw new RangeError('its time stamp is of another head');
  return { ...checked, roots, stamp: checkStamp({ origin, size, root }, file.stamp) };
}
