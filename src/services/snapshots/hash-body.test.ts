import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hashBody } from './hash-body.ts';

const MEBIBYTE = 1024 * 1024;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

for (const length of [0, 1, MEBIBYTE, 2 * MEBIBYTE + 7]) {
  test(`a body of ${length} bytes has the hash that all its bytes have`, async () => {
    const body = randomBytes(length);
    assert.equal(await hashBody(body), sha256(body));
  });
}

test('other work runs while a large body is hashed', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await hashBody(Buffer.alloc(8 * MEBIBYTE));
  isOver = true;
  assert.ok(turns >= 7, `${turns} turns`);
});
