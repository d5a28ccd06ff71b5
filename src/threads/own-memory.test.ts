import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownMemory } from './own-memory.ts';

const move = (bytes: Uint8Array<ArrayBuffer>): Uint8Array =>
  structuredClone(bytes, { transfer: [bytes.buffer] });

describe('own memory', () => {
  it('is moved if the bytes fill it', () => {
    const bytes = Buffer.alloc(100_000, 7);
    assert.deepEqual(move(ownMemory(bytes)), new Uint8Array(100_000).fill(7));
    assert.equal(bytes.length, 0);
  });

  it('is copied if it is shared', () => {
    const [one, other] = [Buffer.from('one'), Buffer.from('other')];
    assert.deepEqual(move(ownMemory(one)), new Uint8Array(Buffer.from('one')));
    assert.equal(`${one}${other}`, 'oneother');
  });

  it('is copied if empty: an empty constant can be sent repeatedly', () => {
    const empty = Buffer.alloc(0);
    for (let sent = 0; sent < 2; sent += 1) assert.equal(move(ownMemory(empty)).length, 0);
    assert.equal(empty.subarray(0, 0).length, 0);
  });
});
