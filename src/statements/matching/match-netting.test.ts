import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toVolume } from '../../domain/money.ts';
import { buy, sell } from '../../domain/trades/deals.fixture.ts';
import { matchNetting } from './match-netting.ts';
import type { ListedPosition } from './matching.ts';

const ordered = (deals: readonly ReturnType<typeof buy>[]) =>
  deals.map((deal) => ({ deal, order: `9${deal.id}` }));

/** Opened long before the deals below, closed in the third minute. */
const LISTED: ListedPosition = {
  ...{ id: '5', symbol: 'EURUSD', side: 'DEAL_TYPE_BUY', volume: toVolume(3), profit: 0, swap: 0 },
  ...{ openTimeMs: -1_000_000, openPrice: 1.05, closeTimeMs: 180_000, closePrice: 1.12 },
};

test('a listed position that was open before the first deal takes its exits and additions', () => {
  const deals = ordered([
    buy('1', 1, 1.1, { minute: 1 }),
    sell('2', 2, 1.11, { minute: 2 }),
    sell('3', 1, 1.12, { minute: 3 }),
    sell('4', 1, 1.13, { minute: 4, entry: 'DEAL_ENTRY_IN' }),
  ]);
  const { positionIds, openings, unlisted } = matchNetting(deals, [LISTED]);
  assert.deepEqual(positionIds, ['5', '5', '5', '94']);
  assert.deepEqual(unlisted, [1, 2]);
  assert.deepEqual([...openings.keys()], [1, 2]);
  assert.deepEqual(openings.get(1), { timeMs: -1_000_000, price: 1.05 });
});

test('exits of more than was entered, and of nothing, are reported', () => {
  const deals = ordered([
    sell('1', 1, 1.1, { minute: 1 }),
    buy('2', 1, 1.1, { minute: 2 }),
    sell('3', 2, 1.11, { minute: 3 }),
    buy('4', 1, 1.12, { minute: 4 }),
  ]);
  const { positionIds, unlisted } = matchNetting(deals);
  assert.deepEqual(positionIds, ['91', '92', '92', '94']);
  assert.deepEqual(unlisted, [0, 2]);
});
