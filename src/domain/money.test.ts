import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencyDigits, fromUnits, moneyDigits, toUnits } from './money.ts';

test('an account of a few hundred million dollars fits in any currency', () => {
  for (const [currency, perDollar] of [
    ['USD', 1],
    ['JPY', 160],
    ['KRW', 1500],
    ['VND', 27_000],
    ['IDR', 18_000],
    ['LBP', 90_000],
  ] as const) {
    const amount = 500_000_000 * perDollar;
    const digits = moneyDigits(currency);
    assert.equal(fromUnits(toUnits(amount, digits), digits), amount, currency);
  }
});

test('money has at least as many digits as a platform prints', () => {
  for (const currency of ['USD', 'EUR', 'JPY', 'VND', 'IDR', 'KWD', 'BTC', 'USC', 'USDT']) {
    assert.ok(moneyDigits(currency) >= currencyDigits(currency), currency);
  }
  assert.equal(moneyDigits('USD'), 4);
  assert.equal(moneyDigits('VND'), 2);
  assert.equal(moneyDigits('BTC'), 8);
});

test('amounts that cannot be held exactly are refused', () => {
  assert.equal(toUnits(900_000_000_000, 4), 9_000_000_000_000_000);
  assert.throws(() => toUnits(901_000_000_000, 4), RangeError);
  assert.equal(toUnits(90_000_000_000_000, 2), 9_000_000_000_000_000);
  assert.throws(() => toUnits(-91_000_000_000_000, 2), RangeError);
});
