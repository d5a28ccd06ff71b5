import { digestOf, hashAfter, isSigned, signedTextOf } from './seal-chain.ts';

/** An event's link in its user's chain, as case files and chain files show it. */
type Seal = {
  place: number;
  digest: string;
  hash: string;
  signature: string;
  publicKey: string;
};

/** A key that signed a part of a file, and when (ISO), if the file says so. */
type Signer = { publicKey: string; at?: string };

/** The claims of a file, and its faults. */
export type Verdict = {
  /** For people to read. */
  claims: string;
  publicKey: string;
  signers: Signer[];
  faults: string[];
};

type Json = Record<string, unknown>;

/**
 * Checks a case file or a chain file. Throws RangeError if it is neither. No file can prove whose
 * key it names: compare the key with its owner's.
 */
export function verifyFile(content: unknown): Verdict {
  if (isObject(content) && isObject(content.statement)) return verifyCase(content);
  if (isObject(content) && Array.isArray(content.seals)) return verifyChain(content);
  throw new RangeError('The file is neither a case nor a chain of seals');
}

function verifyCase(file: Json): Verdict {
  const { statement, snapshots, previous } = file;
  const seal = sealOf(file, textOf(file.publicKey));
  const { place, snapshots: sealed, sequenceNumber, sealedAt } = statement as Json;
  const faults: string[] = [];
  if (digestOf(statement) !== seal.digest) faults.push('the statement was changed');
  if (place !== seal.place) faults.push('the statement belongs to another place in the chain');
  const isLeftOut = snapshots === undefined;
  if (!isLeftOut && (!isObject(sealed) || digestOf(snapshots) !== sealed.digest)) {
    faults.push('the snapshots were changed');
  }
  faults.push(...linkFaults(seal, textOf(previous)));
  faults.push(...annexFaults(file, seal));
  const without = isLeftOut ? ', without its snapshots' : '';
  const claims = `event ${String(sequenceNumber)}, the user's number ${String(seal.place)}${without}`;
  const { publicKey } = seal;
  const signers = [{ publicKey, at: textOf(sealedAt) }, annexSigner(file)];
  return { claims: `${claims}${asOf(file)}`, publicKey, signers, faults };
}

/** Every case file has an annex, so a missing one was removed. */
function annexFaults(file: Json, { hash }: Seal): string[] {
  const { annex, annexSignature } = file;
  if (!isObject(annex)) return ['the annex was removed'];
  const faults: string[] = [];
  if (!isSigned(signedTextOf(annex), textOf(annexSignature), annexSigner(file).publicKey)) {
    faults.push('the annex was changed');
  }
  if (annex.hash !== hash) faults.push('the annex belongs to another event');
  return faults;
}

const annexSigner = ({ annex, annexPublicKey, publicKey }: Json): Signer => ({
  publicKey: textOf(annexPublicKey) || textOf(publicKey),
  at: isObject(annex) ? textOf(annex.generatedAt) : '',
});

const asOf = ({ annex }: Json): string =>
  isObject(annex) ? `, with what was known at ${textOf(annex.generatedAt)}` : '';

function verifyChain({ seals, publicKey, previous }: Json): Verdict {
  const faults: string[] = [];
  const all = (seals as unknown[]).map((seal) => sealOf(seal, textOf(publicKey)));
  let before = textOf(previous);
  let expected = all[0]?.place ?? 1;
  for (const seal of all) {
    const name = `number ${seal.place}`;
    if (seal.place !== expected) faults.push(`${name} is where number ${expected} should be`);
    const own = linkFaults(seal, before);
    faults.push(...own.map((fault) => `${name}: ${fault}`));
    before = seal.hash;
    expected = seal.place + 1;
  }
  const claims = `${all.length} events from the user's number ${all[0]?.place ?? 0} on`;
  const signers = [...new Set(all.map((seal) => seal.publicKey))].map((key) => ({
    publicKey: key,
  }));
  return { claims, publicKey: textOf(publicKey), signers, faults };
}

function linkFaults(seal: Seal, previous: string): string[] {
  const faults: string[] = [];
  if (hashAfter(previous, seal.digest) !== seal.hash) {
    faults.push('the hash does not follow from the event before');
  }
  if (!isSigned(seal.hash, seal.signature, seal.publicKey))
    faults.push('the signature is not valid');
  return faults;
}

/** @param fileKey the key of the file, where the seal names none */
function sealOf(file: unknown, fileKey: string): Seal {
  const { place, digest, hash, signature, publicKey } = isObject(file) ? file : {};
  return {
    place: typeof place === 'number' ? place : Number.NaN,
    ...{ digest: textOf(digest), hash: textOf(hash), signature: textOf(signature) },
    publicKey: textOf(publicKey) || fileKey,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
