import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deal } from '../domain/deal.ts';
import type { IngestAccount } from './ingest-accounts.ts';
import { rowsInOrder } from './order-rows.ts';

const deal = (id: string) => [{ id } as Deal];
const rowsOf = (rows: [place: number, moment: number, equity: number][]) => {
  const moments = Float64Array.from(rows, ([, moment]) => moment);
  return {
    rowCount: rows.length,
    account: Uint32Array.from(rows, ([place]) => place),
    timeMs: moments,
    utcMs: moments,
    balance: new Float64Array(rows.length),
    equity: Float64Array.from(rows, ([, , equity]) => equity),
    accounts: [{}, {}] as IngestAccount[],
  };
};

test('rows are put in the order of time, with their deals, and say which came behind', () => {
  const ordered = rowsInOrder({
    ...rowsOf([
      [0, 3, 30],
      [1, 2, 20],
      [0, 1, 10],
      [0, 3, 31],
    ]),
    deals: [
      { row: 0, deals: deal('c') },
      { row: 2, deals: deal('a') },
    ],
  });
  assert.deepEqual([...ordered.account], [0, 1, 0, 0]);
  assert.deepEqual([...ordered.timeMs], [1, 2, 3, 3]);
  assert.deepEqual([...ordered.equity], [10, 20, 30, 31]);
  assert.deepEqual([...(ordered.isBehind ?? [])], [1, 0, 0, 0]);
  assert.deepEqual(ordered.deals, [
    { row: 0, deals: deal('a') },
    { row: 2, deals: deal('c') },
  ]);
});

test('rows of several accounts that are each in order stay as they are', () => {
  const rows = {
    ...rowsOf([
      [0, 2, 0],
      [1, 1, 0],
    ]),
    deals: [],
  };
  assert.equal(rowsInOrder(rows), rows);
});
