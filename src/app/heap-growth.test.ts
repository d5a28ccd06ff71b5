import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import { boundHeapGrowth } from './heap-growth.ts';

const MEGABYTE = 2 ** 20;
const LIVE = 100_000;

test('a heap takes at most four times what is in use, however much is thrown away', () => {
  boundHeapGrowth();
  const live: number[][] = [];
  let most = 0;
  for (let n = 0; n < 20 * LIVE; n += 1) {
    live[n % LIVE] = new Array<number>(125).fill(n);
    if (n % 1000 === 0) most = Math.max(most, getHeapStatistics().total_physical_size);
  }
  const used = (LIVE * 1024) / MEGABYTE;
  const taken = most / MEGABYTE;
  assert.ok(taken < 4 * used, `${Math.round(taken)} MB for ${Math.round(used)} MB`);
});
