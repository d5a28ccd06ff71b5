import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growingPause } from './growing-pause.ts';

const BOUNDS = { firstMs: 500, maxMs: 60_000 };

test('a pause doubles with each failure up to its bound, however many there are', () => {
  const pauses = [1, 2, 3, 7, 8, 9, 5000].map((failures) => growingPause(failures, BOUNDS));
  assert.deepEqual(pauses, [500, 1000, 2000, 32_000, 60_000, 60_000, 60_000]);
});

test('randomness shortens a pause by at most a half', () => {
  assert.equal(growingPause(1, BOUNDS, 0.5), 375);
  assert.ok(growingPause(1, BOUNDS, 0.999_999) > 250);
});
