import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../domain/broker-time.ts';
import { suspectOf } from './clock-suspect.ts';

const off = (count: number, byMs: number): number[] =>
  Array.from({ length: count }, (_, index) => byMs + index * 1000);

test('the server is suspected if most of the fed accounts are off by the same amount', () => {
  assert.equal(suspectOf(off(6, -HOUR_MS), 10), 'server');
  assert.equal(suspectOf([...off(6, -HOUR_MS), ...off(3, 3 * HOUR_MS)], 10), 'server');
});

test('the accounts are suspected if others agree, or each is off by a different amount', () => {
  assert.equal(suspectOf(off(5, -HOUR_MS), 10), 'account');
  assert.equal(suspectOf(off(2, -HOUR_MS), 2), 'account');
  assert.equal(
    suspectOf(
      Array.from({ length: 10 }, (_, hour) => hour * HOUR_MS),
      10,
    ),
    'account',
  );
});
