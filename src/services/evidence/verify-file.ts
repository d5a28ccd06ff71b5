import { isListed, type KeyList, keyListFaults } from '../../domain/evidence/key-list.ts';
import { type Verdict, verifyFile } from '../../domain/evidence/verify-seals.ts';

/** The published keys of the owner: the current key, or the list of all. */
export type PublishedKeys = { key?: string | undefined; list?: KeyList | undefined };

/**
 * Checks the text of a case file or of a chain and, if keys are given, that only these signed it.
 * Throws RangeError if it is neither.
 */
export function verifyText(text: string, { key, list }: PublishedKeys): Verdict {
  const verdict = verifyFile(parsed(text));
  const faults = [...verdict.faults, ...(list ? keyListFaults(list) : [])];
  if (list && key !== undefined && !isListed(list, key, undefined))
    faults.push('the list of keys does not have the key');
  const isKnown = ({ publicKey, at }: Verdict['signers'][number]): boolean =>
    list ? isListed(list, publicKey, at) : key === undefined || key === publicKey;
  if (!verdict.signers.every(isKnown)) {
    const hint = list || key === undefined ? '' : ': if the key was replaced, pass --keys';
    faults.push(`it is signed by another key${hint}`);
  }
  return { ...verdict, faults };
}

/** The list of keys of an answer of /evidence-key. Throws RangeError. */
export function keyListOf(text: string): KeyList {
  const list = parsed(text) as Partial<KeyList> | null;
  if (!Array.isArray(list?.keys)) throw new RangeError('The file is no answer of /evidence-key');
  return list as KeyList;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RangeError('The file is not JSON', { cause });
  }
}
