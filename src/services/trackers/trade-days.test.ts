import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import type { PeriodStatistics } from '../../domain/live/live-records.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import { withTradeDays } from './trade-days.ts';

const OTHERS = 50;

test('a reading of some days does not wait for the slices of others', async (t) => {
  const { database, close } = await openTestDatabase('sqlite');
  t.after(close);
  let slices = 0;
  let isOver = false;
  const others = Array.from({ length: OTHERS }, async () => {
    while (!isOver) {
      await nextTurn();
      slices += 1;
    }
  });
  await turn();
  const period = { startTimeMs: 0, endTimeMs: DAY_MS, tradeDayCount: 1 } as PeriodStatistics;
  const before = slices;
  const read = await withTradeDays(database, 1, [period, period, period, period], DAY_MS);
  const waited = slices - before;
  isOver = true;
  await Promise.all(others);
  assert.equal(read.length, 4);
  assert.ok(waited <= 2 * OTHERS, `${waited} slices of others`);
});
