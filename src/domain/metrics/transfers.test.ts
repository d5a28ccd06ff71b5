import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closedTrade, transfer } from './trades.fixture.ts';
import { isResult, transfersOf } from './transfers.ts';

test('deposits and withdrawals are summed apart, trades and credit left out', () => {
  const credit = closedTrade(5000, 4, { type: 'DEAL_TYPE_CREDIT' });
  assert.deepEqual(
    transfersOf([transfer(1000, 1), closedTrade(7, 2), transfer(-300, 3), credit, transfer(50, 5)]),
    { deposits: 1050, withdrawals: 300 },
  );
});

test('costs and income without a position are results, capital and credit are not', () => {
  assert.ok(isResult({ type: 'DEAL_TYPE_COMMISSION_MONTHLY' }));
  assert.ok(isResult({ type: 'DEAL_TYPE_INTEREST' }));
  assert.ok(!isResult({ type: 'DEAL_TYPE_BALANCE' }));
  assert.ok(!isResult({ type: 'DEAL_TYPE_CREDIT' }));
});
