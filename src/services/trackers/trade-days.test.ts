import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { needs } from '../../../test/needs.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/servers/test-databases.ts';
import { deal, newAccount } from '../../../test/storage-contract/fixture.ts';
import { DAY_MS, HOUR_MS } from '../../domain/broker-time.ts';
import type { PeriodStatistics } from '../../domain/live/live-records.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import { insertDeals } from '../../storage/deal-store.ts';
import { withTradeDays } from './trade-days.ts';

needs('postgres');

const START_MS = Date.UTC(2026, 0, 5);
const trade = (id: string, timeMs: number) => ({
  ...deal(id, timeMs),
  type: 'DEAL_TYPE_BUY' as const,
});
const period = (startTimeMs: number, endTimeMs: number | undefined): PeriodStatistics => ({
  ...{ accountId: 'a', trackerId: 't', period: 'date', startTimeMs, endTimeMs },
  ...{ periodStatus: 'completed', adjustment: 0, thresholdExceeded: false, tradeDayCount: 0 },
  ...{ maxAbsoluteDrawdown: 0, maxRelativeDrawdown: 0, maxAbsoluteProfit: 0, maxRelativeProfit: 0 },
});

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`trade days on ${kind}`, () => {
    let opened: TestDatabase;
    before(async () => {
      opened = await openTestDatabase(kind);
    });
    after(() => opened.close());

    it('are those of the stored deals, however late they came', async () => {
      const { database } = opened;
      const { number } = await newAccount(database);
      const deals = [
        trade('1', START_MS + HOUR_MS),
        trade('2', START_MS + 2 * HOUR_MS),
        { ...trade('3', START_MS + DAY_MS), type: 'DEAL_TYPE_BALANCE' as const },
        trade('4', START_MS + 200 * DAY_MS + 20 * HOUR_MS),
      ];
      await database.transaction((tx) => insertDeals(tx, number, deals));
      const day = period(START_MS, START_MS + DAY_MS - 1);
      const next = period(START_MS + DAY_MS, START_MS + 2 * DAY_MS - 1);
      const fromNoon = period(START_MS + 12 * HOUR_MS, START_MS + 36 * HOUR_MS - 1);
      const whole = period(START_MS, undefined);
      const untilMs = START_MS + 300 * DAY_MS;
      const counted = await withTradeDays(database, number, [day, next, fromNoon, whole], untilMs);
      assert.deepEqual(
        counted.map(({ tradeDayCount }) => tradeDayCount),
        [1, 0, 0, 2],
      );
    });
  });
}

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
  const day = period(0, DAY_MS);
  const before = slices;
  const read = await withTradeDays(database, 1, [day, day, day, day], DAY_MS);
  const waited = slices - before;
  isOver = true;
  await Promise.all(others);
  assert.equal(read.length, 4);
  assert.ok(waited <= 2 * OTHERS, `${waited} slices of others`);
});
