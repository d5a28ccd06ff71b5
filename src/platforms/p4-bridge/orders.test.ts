import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealsOfOrders } from './orders.ts';
import type { BridgeOrder } from './wire.ts';

const order: BridgeOrder = {
  ...{ order: 7, type: 'buy', symbol: 'EURUSD', lots: 0.1, comment: '' },
  ...{ openTime: '2026-03-02 10:00:00', closeTime: '2026-03-02 12:00:00' },
  ...{ openPrice: 1.1, closePrice: 1.102, profit: 20, swap: 0, commission: 0, taxes: 0 },
};
const range = { moneyDigits: 4, fromMs: 0, toMs: Date.UTC(2100, 0) };

test('the expert, the stop and the target are kept; 0 is by hand, and no price', () => {
  const plansOf = (fields: Partial<BridgeOrder>) =>
    dealsOfOrders([{ ...order, ...fields }], range).map(({ magic, stopLoss, takeProfit }) => [
      ...[magic, stopLoss, takeProfit],
    ]);
  const told = { magic: 30001, stopLoss: 1.09, takeProfit: 1.12 };
  const none = { magic: 0, stopLoss: 0, takeProfit: 0 };
  for (const [fields, plan] of [
    [told, [30001, 1.09, 1.12]],
    [none, [0, undefined, undefined]],
    [{}, [undefined, undefined, undefined]],
  ] as const)
    assert.deepEqual(plansOf(fields), [plan, plan]);
});
