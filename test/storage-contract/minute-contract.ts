import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { readHolding } from '../../src/storage/holding-store.ts';
import { readMinutes, type StoredMinute, writeMinutes } from '../../src/storage/minute-store.ts';
import { removeAged } from '../../src/storage/old-data-store.ts';
import { newAccount, newNumber, useDatabase } from './fixture.ts';

/** A minute with one snapshot. */
export const minuteOf = (
  accountNumber: number,
  lastTimeMs: number,
  amount = 1000,
): StoredMinute => ({
  accountNumber,
  minute: {
    ...{ lastTimeMs, lastBalance: amount, lastEquity: amount },
    ...{ minBalance: amount, maxBalance: amount, minEquity: amount, maxEquity: amount },
  },
});

export function registerMinuteContract(kind: Database['kind']): void {
  describe('minute store', () => {
    const use = useDatabase(kind);
    const write = (...minutes: StoredMinute[]) =>
      use.database.transaction((tx) => writeMinutes(tx, minutes));
    const read = (number: number, startMs = -DAY_MS, endMs = DAY_MS) =>
      readMinutes(use.database, number, startMs, endMs);

    it('joins parts of a minute, whether they come together, apart or again', async () => {
      const [together, apart] = [newNumber(), newNumber()];
      const parts = (number: number) => [
        minuteOf(number, 5_000, 900),
        minuteOf(number, 7_000, 1000),
        minuteOf(number, 6_000, Number.MAX_SAFE_INTEGER),
        minuteOf(number, MINUTE_MS, -5),
      ];
      await write(...parts(together), minuteOf(newNumber(), 0));
      for (const part of [...parts(apart), ...parts(apart)].toReversed()) await write(part);
      const expected = [
        {
          ...minuteOf(0, 7_000, 1000).minute,
          ...{ minBalance: 900, maxBalance: Number.MAX_SAFE_INTEGER },
          ...{ minEquity: 900, maxEquity: Number.MAX_SAFE_INTEGER },
        },
        minuteOf(0, MINUTE_MS, -5).minute,
      ];
      assert.deepEqual(await read(together), expected);
      assert.deepEqual(await read(apart), expected);
    });

    it('reads the hours that overlap a range, in order', async () => {
      const number = newNumber();
      const times = [-HOUR_MS, 0, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS];
      await write(...times.map((timeMs) => minuteOf(number, timeMs)).toReversed());
      const timesIn = async (startMs: number, endMs: number) =>
        (await read(number, startMs, endMs)).map(({ lastTimeMs }) => lastTimeMs);
      assert.deepEqual(await timesIn(0, HOUR_MS), times.slice(1, 3));
      assert.deepEqual(await timesIn(HOUR_MS - 1, HOUR_MS + 1), times.slice(1, 4));
    });

    it('counts hours of minutes as what the user has, until they are removed', async () => {
      const { number, userId } = await newAccount(use.database);
      const held = async () => (await readHolding(use.database, userId, 'minutes')).items;
      await write(minuteOf(number, 0), minuteOf(number, MINUTE_MS), minuteOf(number, HOUR_MS));
      await write(minuteOf(number, 2 * MINUTE_MS), minuteOf(number, 3 * HOUR_MS));
      assert.equal(await held(), 3);
      assert.equal(await removeAged(use.database, 'minutes', [number], 2 * HOUR_MS), false);
      assert.equal(await held(), 1);
      const left = await read(number);
      assert.deepEqual(
        left.map(({ lastTimeMs }) => lastTimeMs),
        [3 * HOUR_MS],
      );
    });
  });
}
