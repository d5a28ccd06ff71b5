import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  consistencyPath,
  GrowingTree,
  type Hash,
  hashesOf,
  inclusionPath,
  isConsistent,
  leafHash,
  rootByInclusion,
  type Subtree,
  subtreesOf,
} from './merkle-tree.ts';

/** The leaves, and the roots by size, that tests of Certificate Transparency share. */
const LEAVES = ['', '\0', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno'];
const ROOTS = new Map([
  [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
]);

/** A tree with the roots of all its sizes, and the hashes as seals store them. */
function treeOf(leaves: readonly string[]) {
  const tree = new GrowingTree(0, []);
  const roots: Hash[] = [tree.root];
  const stored: Hash[][] = [];
  for (const leaf of leaves) {
    stored.push(tree.add(leafHash(leaf)));
    roots.push(tree.root);
  }
  const hashOf = ({ level, index }: Subtree): Hash => {
    const hash = stored[(index + 1) * 2 ** level - 1]?.[level];
    assert.ok(hash, `a subtree of level ${level}, ${index}`);
    return hash;
  };
  return { roots, hashOf };
}

const rootAt = (roots: readonly Hash[], size: number): Hash => roots[size] ?? Buffer.alloc(0);
const flipped = (hashes: readonly Hash[], at: number): Hash[] =>
  hashes.map((hash, place) => (place === at ? Buffer.from(hash.map((byte) => byte ^ 1)) : hash));

test('roots are those of RFC 6962', () => {
  const { roots } = treeOf(LEAVES);
  for (const [size, root] of ROOTS) assert.equal(roots[size]?.toString('hex'), root, `${size}`);
});

test('each leaf is shown to be in the tree at each size, by few hashes, and at no other place', () => {
  const size = 40;
  const leaves = Array.from({ length: size }, (_, index) => `leaf ${index}`);
  const { roots, hashOf } = treeOf(leaves);
  for (let now = 1; now <= size; now += 1) {
    for (let index = 0; index < now; index += 1) {
      const path = hashesOf(inclusionPath(index, { from: 0, to: now }), hashOf);
      assert.ok(path.length <= Math.ceil(Math.log2(now)));
      const leaf = leafHash(`leaf ${index}`);
      assert.deepEqual(rootByInclusion(leaf, index, now, path), roots[now]);
      for (let other = 0; other < now; other += 1) {
        const found = rootByInclusion(leaf, other, now, path);
        assert.equal(found?.equals(rootAt(roots, now)) ?? false, other === index);
      }
      path.forEach((_, at) => {
        const found = rootByInclusion(leaf, index, now, flipped(path, at));
        assert.ok(!found?.equals(rootAt(roots, now)));
      });
    }
  }
});

test('each size is shown to begin with each smaller one, and with no other tree', () => {
  const size = 34;
  const { roots, hashOf } = treeOf(Array.from({ length: size }, (_, index) => `leaf ${index}`));
  for (let now = 1; now <= size; now += 1) {
    for (let before = 1; before <= now; before += 1) {
      const proof = hashesOf(consistencyPath(before, { from: 0, to: now }), hashOf);
      const [old, head] = [
        { size: before, root: rootAt(roots, before) },
        { size: now, root: rootAt(roots, now) },
      ];
      assert.ok(isConsistent(old, head, proof), `${before} to ${now}`);
      proof.forEach((_, at) => {
        assert.ok(!isConsistent(old, head, flipped(proof, at)));
      });
      assert.ok(!isConsistent(old, head, [...proof, head.root]));
      if (proof.length > 0) assert.ok(!isConsistent(old, head, proof.slice(1)));
      const [other] = flipped([old.root], 0);
      if (other) assert.ok(!isConsistent({ ...old, root: other }, head, proof));
      if (before < now) assert.ok(!isConsistent({ ...old, size: before + 1 }, head, proof));
    }
  }
});

test('a tree goes on from its edge as if it had been kept', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(60), (before, more) => {
      const { roots, hashOf } = treeOf(
        Array.from({ length: before + more }, (_, index) => `${index}`),
      );
      const edge = subtreesOf({ from: 0, to: before }).map(hashOf);
      const tree = new GrowingTree(before, edge);
      for (let index = before; index < before + more; index += 1) tree.add(leafHash(`${index}`));
      assert.deepEqual(tree.root, roots.at(-1));
    }),
  );
  assert.throws(() => new GrowingTree(3, [leafHash('')]), RangeError);
});
