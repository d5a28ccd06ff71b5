import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_AGE_MS, MAX_ATTEMPTS, nextAttemptMs } from './retry.ts';

test('the delay doubles from two seconds up to five minutes', () => {
  const delays = [1, 2, 3, 4, 8, 9, 50].map((attempt) => nextAttemptMs(attempt, 0, 0, 0));
  assert.deepEqual(delays, [2_000, 4_000, 8_000, 16_000, 256_000, 300_000, 300_000]);
});

test('jitter shortens the delay by up to half', () => {
  assert.equal(nextAttemptMs(3, 0, 1_000, 0.5), 7_000);
  const shortest = nextAttemptMs(3, 0, 1_000, 0.999_999) ?? 0;
  assert.ok(shortest >= 5_000 && shortest < 5_001);
});

test('the last attempt and the last day are stated bounds', () => {
  assert.equal(nextAttemptMs(MAX_ATTEMPTS, 0, 0, 0), undefined);
  assert.notEqual(nextAttemptMs(MAX_ATTEMPTS - 1, 0, 0, 0), undefined);
  assert.equal(nextAttemptMs(5, 1_000, 1_000 + MAX_AGE_MS, 0), undefined);
  assert.notEqual(nextAttemptMs(5, 1_000, 999 + MAX_AGE_MS, 0), undefined);
});
