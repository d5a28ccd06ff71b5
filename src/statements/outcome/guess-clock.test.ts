import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokerTimeAt } from '../../domain/broker-time.ts';
import type { Deal } from '../../domain/deal.ts';
import { ClockGuess } from './guess-clock.ts';

const deal = (timeMs: number, symbol = 'EURUSD'): Deal => ({
  ...{ id: String(timeMs), type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN', symbol, volume: 1 },
  ...{ profit: 0, swap: 0, commission: 0, fee: 0, timeMs },
});

/** A deal each half hour while the market is open, in winter and summer, by a clock. */
const weeksBy = (clock: { zone: string; shiftHours: number }): Deal[] =>
  ['2026-01-18T22:00:00Z', '2026-07-12T21:00:00Z'].flatMap((opening) =>
    Array.from({ length: 5 * 48 }, (_, half) =>
      deal(brokerTimeAt(Date.parse(opening) + half * 1_800_000 + 60_000, clock)),
    ),
  );
const guess = (deals: readonly Deal[]) => {
  const clocks = new ClockGuess();
  clocks.add(deals);
  return clocks.result();
};

for (const clock of [
  { zone: 'America/New_York', shiftHours: 7 },
  { zone: 'UTC', shiftHours: 0 },
  { zone: 'America/New_York', shiftHours: 0 },
  { zone: 'Asia/Tokyo', shiftHours: 0 },
  { zone: 'Europe/London', shiftHours: 0 },
])
  test(`the clock of ${clock.zone} and ${clock.shiftHours} hours shows in the market's hours`, () => {
    const found = guess(weeksBy(clock));
    assert.deepEqual(found.clock, clock);
    assert.equal(found.isTold, true);
  });

test('symbols traded at weekends, or only in mid-week, prove nothing', () => {
  const week = Date.parse('2026-01-14T12:00:00Z');
  const coin = Array.from({ length: 200 }, (_, hour) => deal(week + hour * 3_600_000, 'BTCUSD'));
  for (const deals of [coin, [deal(week)], []]) {
    const found = guess(deals);
    assert.deepEqual(found.clock, { zone: 'America/New_York', shiftHours: 7 });
    assert.equal(found.isTold, false);
  }
});

test('a coin on a Sunday evening proves nothing', () => {
  const sunday = Date.parse('2026-01-18T20:00:00Z');
  const found = guess([deal(sunday, 'LNKUSD'), deal(sunday + 5 * 3_600_000, 'XAUUSD')]);
  assert.deepEqual(found.clock, { zone: 'America/New_York', shiftHours: 7 });
  assert.equal(found.isTold, true);
});
