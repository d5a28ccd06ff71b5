import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesMasks } from './masks.ts';

const NAMES = ['demo\\usd', 'demo\\eur', 'real\\pro usd', 'real', ''];
const chosen = (masks: string): string[] => NAMES.filter((name) => matchesMasks(name, masks));

test('masks choose names by their parts, and take out again what follows a !', () => {
  assert.deepEqual(chosen('*'), NAMES);
  assert.deepEqual(chosen('demo\\*'), ['demo\\usd', 'demo\\eur']);
  assert.deepEqual(chosen('*usd'), ['demo\\usd', 'real\\pro usd']);
  assert.deepEqual(chosen('*o*d'), ['demo\\usd', 'real\\pro usd']);
  assert.deepEqual(chosen('*,!demo\\*,!'), ['real\\pro usd', 'real']);
  assert.deepEqual(chosen('real,demo\\eur'), ['demo\\eur', 'real']);
  assert.deepEqual(chosen('re.l'), []);
  assert.deepEqual(chosen('real*real'), []);
});
