import { hashOfBase64, type Note, parseNote } from './signed-note.ts';

/** That a leaf is in the tree of a head, as text: c2sp.org/tlog-proof. */
export type TreeProof = { index: number; path: Buffer[]; head: string };

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
const PROOF = /^(\S+)\nindex (0|[1-9]\d{0,14})\n((?:\S+\n)*)\n(.+)$/s;

export const writeProof = ({ index, path, head }: TreeProof): string =>
  [FIRST_LINE, `index ${index}`, ...path.map((hash) => hash.toString('base64')), '', head].join(
    '\n',
  );

/** Throws RangeError if a text is no proof. */
export function parseProof(text: string): Omit<TreeProof, 'head'> & { head: Note } {
  const [, first, index, hashes = '', head = ''] = PROOF.exec(text) ?? [];
  if (first !== FIRST_LINE) throw new RangeError('it is no proof of a tree');
  const path = hashes.split('\n').slice(0, -1).map(hashOfBase64);
  return { index: Number(index), path, head: parseNote(head) };
}
