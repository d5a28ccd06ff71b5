import assert from 'node:assert/strict';
import { it } from 'node:test';
import { everyMonth } from './months.ts';

const month = (date: string, balance: number) => ({
  ...{ date, trades: 1, profit: 1, gain: 1, transfers: 0, balance },
});

it('months without bookings are included, with the previous balance', () => {
  const all = everyMonth([month('2025-11', 10), month('2026-02', 20)]);
  assert.deepEqual(
    all.map(({ date, trades, balance }) => [date, trades, balance]),
    [
      ['2025-11', 1, 10],
      ['2025-12', 0, 10],
      ['2026-01', 0, 10],
      ['2026-02', 1, 20],
    ],
  );
  assert.deepEqual(everyMonth([]), []);
});
