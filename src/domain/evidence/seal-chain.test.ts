import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson, digestOf, firstHash, hashAfter, signedTextOf } from './seal-chain.ts';
import { verifyFile } from './verify-seals.ts';

const keys = generateKeyPairSync('ed25519');
const publicKey = keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const signed = (text: string): string =>
  sign(null, Buffer.from(text), keys.privateKey).toString('base64');

const SNAPSHOTS = [{ brokerTime: '2026-03-02 10:00:00.000', balance: 10_000, equity: 9499.99 }];

/** The case files of a user's first events. */
function casesOf(count: number) {
  let previous = firstHash('user');
  return Array.from({ length: count }, (_, index) => {
    const snapshots = { count: SNAPSHOTS.length, digest: digestOf(SNAPSHOTS) };
    const statement = { place: index + 1, sequenceNumber: 10 + index, equity: 9499.99, snapshots };
    const digest = digestOf(statement);
    const hash = hashAfter(previous, digest);
    const annex = { hash, generatedAt: '2026-03-03T09:00:00.000Z', entries: [{ author: 'Ada' }] };
    const file = {
      ...{ statement, snapshots: SNAPSHOTS, place: index + 1, digest, previous, hash },
      ...{ signature: signed(hash), annex, annexSignature: signed(signedTextOf(annex)), publicKey },
    };
    previous = hash;
    return file;
  });
}

function chainOf(cases: ReturnType<typeof casesOf>) {
  const seals = cases.map(({ statement: { sequenceNumber }, place, digest, hash, signature }) => ({
    ...{ place, sequenceNumber, digest, hash, signature },
  }));
  return { previous: cases[0]?.previous ?? '', seals, publicKey };
}

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const faultsOf = (value: unknown): string[] => verifyFile(throughJson(value)).faults;

test('canonical JSON is equal for all ways to write a value, and parses to it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      assert.deepEqual(JSON.parse(text), throughJson(value));
      assert.equal(canonicalJson(throughJson(value)), text);
    }),
  );
  assert.equal(canonicalJson({ b: 1, a: [{ d: undefined, c: 'ö' }] }), '{"a":[{"c":"ö"}],"b":1}');
});

test('an untouched case is valid', () => {
  for (const file of casesOf(3)) assert.deepEqual(faultsOf(file), []);
});

test('every change of a case is found', () => {
  const [, file] = casesOf(2);
  assert.ok(file);
  const { statement } = file;
  const changed = { ...statement, equity: 9500 };
  const [other] = casesOf(1);
  for (const touched of [
    { ...file, statement: changed },
    { ...file, statement: changed, digest: digestOf(changed) },
    { ...file, snapshots: [{ ...SNAPSHOTS[0], equity: 9500 }] },
    { ...file, snapshots: [] },
    { ...file, previous: firstHash('user') },
    { ...file, place: 3 },
    { ...file, signature: other?.signature },
    { ...file, publicKey: '' },
  ]) {
    assert.notDeepEqual(faultsOf(touched), []);
  }
  const anew = { ...file, statement: changed, digest: digestOf(changed) };
  const forged = { ...anew, hash: hashAfter(file.previous, anew.digest) };
  const found = ['the signature is not valid', 'the annex belongs to another event'];
  assert.deepEqual(faultsOf(forged), found);
});

test('every change in the annex of a case is found', () => {
  const [one, two] = casesOf(2);
  assert.ok(one && two);
  const { annex } = one;
  const changed = { ...annex, entries: [{ author: 'Bob' }] };
  assert.deepEqual(faultsOf({ ...one, annex: changed }), ['the annex was changed']);
  assert.deepEqual(faultsOf({ ...one, annex: undefined }), ['the annex was removed']);
  const { annexSignature } = two;
  const foreign = ['the annex belongs to another event'];
  assert.deepEqual(faultsOf({ ...one, annex: two.annex, annexSignature }), foreign);
  // The signature of a digest alone, as in a chain, is not that of an annex.
  const asHash = { ...one, annexSignature: signed(digestOf(annex)) };
  assert.deepEqual(faultsOf(asHash), ['the annex was changed']);
});

test('a case without its snapshots is valid, and says so', () => {
  const [file] = casesOf(1);
  const { claims, faults } = verifyFile(throughJson({ ...file, snapshots: undefined }));
  assert.match(
    claims,
    /^event 10, the user's number 1, without its snapshots, with what was known/,
  );
  assert.deepEqual(faults, []);
});

test('an event left out of a chain, inserted or moved is found', () => {
  const chain = chainOf(casesOf(5));
  assert.deepEqual(faultsOf(chain), []);
  const [one, two, three, four, five] = chain.seals;
  for (const seals of [
    [one, two, four, five],
    [one, three, two, four, five],
    [one, two, two, three, four, five],
    [one, { ...two, digest: digestOf('other') }, three, four, five],
  ]) {
    assert.notDeepEqual(faultsOf({ ...chain, seals }), []);
  }
  assert.deepEqual(faultsOf({ ...chain, previous: two?.hash, seals: [three, four] }), []);
});

test('files other than cases and chains are refused', () => {
  for (const content of [{}, [], 'text', null, { statement: 'text' }]) {
    assert.throws(() => verifyFile(content), RangeError);
  }
});
