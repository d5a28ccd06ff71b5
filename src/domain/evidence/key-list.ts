import { digestOf } from './canonical-json.ts';
import { isSigned } from './signed-note.ts';

/** A key that signed events for a time. */
export type ListedKey = {
  /** SubjectPublicKeyInfo, base64. */
  publicKey: string;
  validFrom: string;
  /** Absent while it is in use. */
  validUntil?: string;
  signature: string;
};

/** Keys, oldest first, with the signature of the newest one; without it while that is locked. */
export type KeyList = { keys: ListedKey[]; signature?: string };

/** The text that a key signs for its successor; the first key signs its own. */
export const keyTextOf = (
  previous: string | undefined,
  { publicKey, validFrom }: Pick<ListedKey, 'publicKey' | 'validFrom'>,
): string => `plimsoll evidence key ${digestOf({ previous, publicKey, validFrom })}`;

/** The text that is signed for the whole list. */
export const listTextOf = (keys: readonly ListedKey[]): string =>
  `plimsoll evidence keys ${digestOf(keys)}`;

/** The faults of a list of keys. */
export function keyListFaults({ keys, signature }: KeyList): string[] {
  const last = keys.at(-1);
  if (!last) return ['the list of keys is empty'];
  const faults = keys.flatMap((key, index) => {
    const previous = keys[index - 1]?.publicKey;
    if (isSigned(keyTextOf(previous, key), key.signature, previous ?? key.publicKey)) return [];
    // A lost key signs for no other: its successor starts a new chain.
    const isAlone = isSigned(keyTextOf(undefined, key), key.signature, key.publicKey);
    const fault = isAlone
      ? 'the key before it does not vouch for it'
      : 'its signature is not valid';
    return [`key ${index + 1} of the list: ${fault}`];
  });
  if (!isSigned(listTextOf(keys), signature ?? '', last.publicKey))
    faults.push('the list of keys is not signed by the last of them');
  return faults;
}

/** How far the clocks of signing and of changing the key may differ. */
const CLOCKS_MS = 60_000;

/** When something was signed, ISO: at the earliest, and at the latest. */
export type SignedWithin = { from: string; to: string };

/** Whether a listed key was in use then; any listed one if nothing is known of the time. */
export const isListed = (
  { keys }: KeyList,
  publicKey: string,
  within: SignedWithin | undefined,
): boolean =>
  keys.some((key) => {
    if (key.publicKey !== publicKey) return false;
    if (within === undefined) return true;
    const untilMs = key.validUntil === undefined ? Infinity : Date.parse(key.validUntil);
    const isBegun = Date.parse(key.validFrom) - CLOCKS_MS <= Date.parse(within.to);
    return isBegun && Date.parse(within.from) <= untilMs + CLOCKS_MS;
  });
