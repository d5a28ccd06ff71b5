import type { Static, TSchema } from 'typebox';
import { caseAnnex, caseFile, caseStatement, sealExport } from '../../contract/operations/cases.ts';
import { parseStrictly } from '../../domain/evidence/canonical-json.ts';
import { checkCase } from '../../domain/evidence/check-case.ts';
import { checkExport } from '../../domain/evidence/check-export.ts';
import type { SignedWithin } from '../../domain/evidence/key-list.ts';
import { isSignedNote } from '../../domain/evidence/signed-note.ts';
import type { Stamp } from '../../domain/evidence/time-stamp.ts';
import type { ShownTree } from './compare-trees.ts';
import { describeCase, describeExport } from './describe-evidence.ts';
import { misfits } from './misfits.ts';

/** A file holds if it has no faults; only then anything is verified. */
export type Report = { faults: string[]; verified: string[]; notVerified: string[] };

/** What a file shows by itself, and which keys signed it, when. */
export type ReadFile = Report & {
  tree?: ShownTree;
  stamp?: Stamp;
  signers: { publicKey: string; within?: SignedWithin }[];
};

const FORMAT = 1;
const NOT_OF_CASES = [
  'that snapshots and deals are what the platform showed: the server had them so',
  "the times, which are by the server's and the broker's clock",
];
const NOT_OF_EXPORTS = 'what the records say: an export has their hashes alone';

/** Reads a case file, or an export of a tree. */
export function readSealedFile(text: string): ReadFile {
  try {
    const content = parseStrictly(text);
    if (typeof content !== 'object' || content === null) throw new RangeError('it is no object');
    if ('statement' in content) return readCase(fitting(content, caseFile));
    if ('seals' in content) return readExport(fitting(content, sealExport));
    throw new RangeError('it is neither a case file nor an export of a tree');
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { faults: [error.message], verified: [], notVerified: [], signers: [] };
  }
}

function readCase(file: Static<typeof caseFile>): ReadFile {
  const { publicKey, annexPublicKey = publicKey } = file;
  const checked = checkCase(file);
  if (checked.statement.format !== FORMAT || checked.annex.format !== FORMAT)
    throw new RangeError('it is of another version of Plimsoll');
  const statement = fitting(checked.statement, caseStatement);
  const annex = fitting(checked.annex, caseAnnex);
  const { head, faults, stamp } = checked;
  const sealed = { text: file.statement, statement };
  const tree = { ...checked, roots: new Map([[head.size, head.root]]), sealed };
  const { generatedAt: to } = annex;
  return {
    faults,
    tree,
    ...(stamp ? { stamp } : {}),
    signers: [
      // The head was signed after the sealing, and before the file was read.
      { publicKey, within: { from: statement.sealedAt, to } },
      { publicKey: annexPublicKey, within: { from: to, to } },
    ],
    verified: describeCase(statement, annex, checked),
    notVerified: [...NOT_OF_CASES, ...otherSigners(tree, publicKey)],
  };
}

function readExport({ head, ...file }: Static<typeof sealExport>): ReadFile {
  if (head === undefined) throw new RangeError('it has no head: nothing is sealed in its tree');
  const tree = checkExport({ head, ...file });
  const { fromPlace, seals, publicKey } = file;
  return {
    faults: tree.faults,
    tree,
    ...(tree.stamp ? { stamp: tree.stamp } : {}),
    signers: [{ publicKey }],
    verified: describeExport(fromPlace, fromPlace - 1 + seals.length, tree),
    notVerified: [NOT_OF_EXPORTS, ...otherSigners(tree, publicKey)],
  };
}

/** Signatures of witnesses are named, not checked. */
const otherSigners = ({ note, head }: ShownTree, publicKey: string): string[] =>
  note.signatures
    .filter((line) => !isSignedNote({ ...note, signatures: [line] }, head.origin, publicKey))
    .map(({ name }) => `the signature of ${name} under the head`);

function fitting<S extends TSchema>(value: unknown, schema: S): Static<S> {
  const [first] = misfits(value, schema);
  if (first !== undefined) throw new RangeError(`it has another form: ${first}`);
  return value as Static<S>;
}
