import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson, parseStrictly } from './canonical-json.ts';
import { headText, isSignedNote, parseHead, parseNote, signNote } from './signed-note.ts';
import { parseProof, writeProof } from './tree-proof.ts';

const keys = generateKeyPairSync('ed25519');
const publicKey = keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const signer = {
  publicKey,
  sign: (text: string) => sign(null, Buffer.from(text), keys.privateKey).toString('base64'),
};
const HEAD = { origin: 'example.com/log', size: 12, root: Buffer.alloc(32, 7) };

test('canonical JSON is equal for all ways to write a value, and parses to it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      const again: unknown = JSON.parse(JSON.stringify(value));
      assert.deepEqual(parseStrictly(text), again);
      assert.equal(canonicalJson(again), text);
    }),
  );
  assert.equal(canonicalJson({ b: 1, a: [{ d: undefined, c: 'ö' }] }), '{"a":[{"c":"ö"}],"b":1}');
});

test('JSON that names a field twice is refused, wherever, and however it is spelled', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"x":[{"a":1, "a" :2}]}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":',
  ]) {
    assert.throws(() => parseStrictly(text), RangeError, text);
  }
  const twice = '[{"a":"\\"a\\":"},{"a":{"a":1}},"a:","\\\\"]';
  assert.deepEqual(parseStrictly(twice), JSON.parse(twice));
});

test('the id of a key is that of other implementations', () => {
  // The key of Go's checksum database, sum.golang.org+033de0ae+Ac4z…
  const raw = Buffer.from('Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8', 'base64').subarray(1);
  const spki = Buffer.concat([Buffer.from(publicKey, 'base64').subarray(0, 12), raw]);
  const named = { publicKey: spki.toString('base64'), sign: () => '' };
  const [signature] = parseNote(signNote('x\n', 'sum.golang.org', named)).signatures;
  assert.equal(signature?.bytes.toString('hex'), '033de0ae');
});

test('a head is read as it was signed, also with the signatures of witnesses', () => {
  const note = signNote(headText(HEAD), HEAD.origin, signer);
  const cosigned = `${note}— witness.example AAAAAAAA\n`;
  for (const one of [note, cosigned]) {
    const opened = parseNote(one);
    assert.ok(isSignedNote(opened, HEAD.origin, publicKey));
    assert.deepEqual(parseHead(opened), HEAD);
    assert.ok(!isSignedNote(opened, 'example.com/other', publicKey));
  }
  const proof = { index: 3, path: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)], head: note };
  assert.deepEqual(parseProof(writeProof(proof)), { ...proof, head: parseNote(note) });
  const alone = { index: 0, path: [], head: note };
  assert.deepEqual(parseProof(writeProof(alone)).path, []);
});

test('a note with any other byte is not signed, or no note', () => {
  const note = Buffer.from(signNote(headText(HEAD), HEAD.origin, signer));
  for (let at = 0; at < note.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const changed = Buffer.from(note);
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      const holds = () => {
        const opened = parseNote(changed.toString());
        return isSignedNote(opened, parseHead(opened).origin, publicKey);
      };
      let isFound = false;
      try {
        isFound = !holds();
      } catch (error) {
        isFound = error instanceof RangeError;
      }
      assert.ok(isFound, `byte ${at}, bit ${bit}`);
    }
  }
});
