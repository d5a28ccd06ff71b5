import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokerDateMs } from '../broker-time.ts';
import { byCloseHour, byOpenHour, bySymbol, byWeekday, totalPips } from './trade-groups.ts';
import { closedTrade, DAY, HOUR } from './trades.fixture.ts';

const LOT = 100_000_000;
const SUNDAY = brokerDateMs(2026, 11, 15);

test('symbols are grouped in alphabetical order', () => {
  const trades = [
    closedTrade(30, 1, { symbol: 'USDJPY', pips: 0.1 }),
    closedTrade(-10, 2, { symbol: 'ACME', pips: undefined }),
    closedTrade(-5, 3, { symbol: 'USDJPY', pips: 0.2 }),
  ];
  assert.deepEqual(bySymbol(trades), [
    {
      ...{ key: 'ACME', trades: 1, won: 0, wonPercent: 0, profit: -10, volume: LOT },
      pips: undefined,
    },
    { key: 'USDJPY', trades: 2, won: 1, wonPercent: 50, profit: 25, volume: 2 * LOT, pips: 0.3 },
  ]);
});

test('Sunday is weekday 0, also before 1970', () => {
  const trades = [
    closedTrade(1, SUNDAY),
    closedTrade(1, SUNDAY + DAY - 1),
    closedTrade(1, SUNDAY + 6 * DAY),
    closedTrade(1, -4 * DAY),
  ];
  assert.deepEqual(
    byWeekday(trades).map(({ key, trades: count }) => [key, count]),
    [
      [0, 3],
      [6, 1],
    ],
  );
});

test('hours of opening and closing are told apart', () => {
  const trades = [closedTrade(1, SUNDAY + 23.9 * HOUR, { openTimeMs: SUNDAY + HOUR })];
  assert.equal(byOpenHour(trades)[0]?.key, 1);
  assert.equal(byCloseHour(trades)[0]?.key, 23);
});

test('pips add up exactly, and to nothing where no trade has any', () => {
  const tenths = Array.from({ length: 10 }, (_, index) => closedTrade(1, index, { pips: 0.1 }));
  assert.equal(totalPips(tenths), 1);
  assert.equal(totalPips([closedTrade(1, 1)]), undefined);
});
