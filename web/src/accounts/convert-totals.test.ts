import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertTotals, usualBase } from './convert-totals.ts';

const total = (currency: string, accounts: number, equity: number) => ({
  ...{ currency, accounts, balances: accounts, equities: accounts, stale: 0 },
  ...{ balance: equity + 10, equity, openProfit: -10 },
});

describe('totals in a base currency', () => {
  it('are the sums themselves if all accounts have that currency', () => {
    const { sum, missing } = convertTotals([total('USD', 2, 900)], 'USD', new Map());
    assert.deepEqual(sum, { balance: 910, equity: 900, openProfit: -10 });
    assert.deepEqual(missing, []);
  });

  it('are converted only by given rates', () => {
    const totals = [total('USD', 2, 900), total('EUR', 1, 100)];
    const { sum } = convertTotals(totals, 'USD', new Map([['EUR', 1.25]]));
    assert.deepEqual(sum, { balance: 910 + 137.5, equity: 1025, openProfit: -22.5 });
  });

  it('do not exist while a rate is missing, and say which', () => {
    const totals = [total('USD', 2, 900), total('EUR', 1, 100), total('JPY', 1, 5)];
    const { sum, missing } = convertTotals(totals, 'USD', new Map([['EUR', 1.25]]));
    assert.equal(sum, undefined);
    assert.deepEqual(missing, ['JPY']);
  });

  it('are in the currency of most accounts at first', () => {
    assert.equal(usualBase([total('EUR', 1, 1), total('USD', 3, 1)]), 'USD');
    assert.equal(usualBase([]), '');
  });
});
