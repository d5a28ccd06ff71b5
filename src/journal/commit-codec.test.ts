import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../test/properties.ts';
import { CommitBuilder } from './commit-builder.ts';
import { encodeCommit, NewerFormat, StoredCommit } from './commit-codec.ts';
import { type Commit, partitionOf } from './entry.ts';

const PARTITIONS = 16;

function commitOf(numbers: readonly number[]): Commit {
  const builder = new CommitBuilder(PARTITIONS);
  for (const number of numbers) {
    const place = builder.addAccount(number);
    place.builder.addRow(place.account, 1_000 + number, number, number * 2);
  }
  return builder.build(77);
}

it('gives each partition its own entry back, whatever accounts there are', () => {
  const numbers = fc.uniqueArray(fc.nat(200), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(numbers, (accounts) => {
      const commit = commitOf(accounts);
      const stored = new StoredCommit(3, encodeCommit(commit));
      for (let partition = 0; partition < PARTITIONS; partition += 1) {
        const own = accounts.filter((number) => partitionOf(number, PARTITIONS) === partition);
        const entry = stored.entryOf(partition);
        if (own.length === 0) {
          assert.equal(entry, undefined);
          continue;
        }
        assert.deepEqual([...(entry?.accounts ?? [])], own);
        assert.equal(entry?.receivedUtcMs, 77);
        assert.deepEqual([...(entry?.balance ?? [])], own);
      }
    }),
  );
});

it('reports a fault when an entry is read, not when the commit is', () => {
  const body = encodeCommit(commitOf([1, 2, 3]));
  for (const damaged of [body.subarray(0, 10), body.subarray(0, -8), new Uint8Array(8)]) {
    const stored = new StoredCommit(9, damaged);
    assert.equal(stored.position, 9);
    assert.throws(() => stored.entryOf(0), RangeError);
    assert.throws(() => stored.entryOf(5), RangeError);
  }
});

it('distinguishes commits of a newer version, and damage', () => {
  const body = encodeCommit(commitOf([1]));
  const table = new DataView(body.buffer);
  table.setUint32(0, 2, true);
  assert.throws(() => new StoredCommit(1, body), NewerFormat);
  table.setUint32(0, 123_456_789, true);
  assert.throws(() => new StoredCommit(1, body).entryOf(0), /has no head/);
});

it('reads damaged bytes as damage or as entries that hold together', () => {
  const encoded = encodeCommit(commitOf([1, 2, 18, 33]));
  const damage = fc.array(fc.tuple(fc.nat(encoded.length - 1), fc.nat(255)), { minLength: 1 });
  fc.assert(
    fc.property(damage, (changes) => {
      const bytes = encoded.slice();
      for (const [at, value] of changes) bytes[at] = value;
      for (let partition = 0; partition < PARTITIONS; partition += 1) {
        try {
          new StoredCommit(1, bytes).entryOf(partition);
        } catch (error) {
          assert.ok(error instanceof RangeError || error instanceof NewerFormat, String(error));
        }
      }
    }),
    { numRuns: 1000 },
  );
});
