import { type Verdict, verifyFile } from '../../domain/evidence/verify-seals.ts';

/**
 * Checks the text of a case file or of a chain and, if a key is given, that it is signed by that
 * one, as its owner published it. Needs nothing else. Throws RangeError if it is neither.
 */
export function verifyText(text: string, key: string | undefined): Verdict {
  const verdict = verifyFile(parsed(text));
  if (key === undefined || key === verdict.publicKey) return verdict;
  return { ...verdict, faults: [...verdict.faults, 'it is signed by another key'] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RangeError('The file is not JSON', { cause });
  }
}
