import assert from 'node:assert/strict';
import { it } from 'node:test';
import { everyMonth, monthAfter, monthBefore, weeksOf } from './months.ts';

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

it('a month has all its days, each under its weekday', () => {
  const weeks = weeksOf('2026-02');
  assert.deepEqual(weeks[0], [...Array(6).fill(undefined), '2026-02-01']);
  assert.deepEqual(weeks.at(-1)?.filter(Boolean).at(-1), '2026-02-28');
  assert.equal(weeksOf('2028-02').flat().filter(Boolean).length, 29);
  assert.deepEqual([monthAfter('2026-12'), monthBefore('2027-01')], ['2027-01', '2026-12']);
});
