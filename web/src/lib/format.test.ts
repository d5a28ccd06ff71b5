import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  brokerTimeMs,
  formatAge,
  formatDuration,
  formatMoney,
  formatPercent,
  formatRate,
  formatRulePercent,
  toBrokerTime,
} from './format.ts';

describe('numbers for reading', () => {
  it("have their currency's digits", () => {
    assert.equal(formatMoney(1234.5, 'USD'), '1,234.50 USD');
    assert.equal(formatMoney(1234.5, 'JPY'), '1,235 JPY');
    assert.equal(formatMoney(0.00412, 'BTC', true), '+0.00412000 BTC');
  });

  it('are never 0 for a rate, however small', () => {
    assert.equal(formatRate(1.1001), '1.1001');
    assert.equal(formatRate(95_005), '95,005');
    assert.equal(formatRate(1 / 42_000 / 95_000), '0.00000000025062657');
  });

  it('include currencies outside of standards', () => {
    assert.equal(formatMoney(5, 'USDT'), '5.00 USDT');
  });

  it('have a sign on request, and none when rounded to zero', () => {
    assert.equal(formatMoney(5, 'USD', true), '+5.00 USD');
    assert.equal(formatMoney(-5, 'USD', true), '−5.00 USD');
    assert.equal(formatMoney(-0.001, 'USD', true), '0.00 USD');
    assert.equal(formatPercent(-0.5), '−0.50 %');
  });

  it('of a rule have the given digits', () => {
    assert.equal(formatRulePercent(0.05), '5 %');
    assert.equal(formatRulePercent(0.00125), '0.125 %');
  });

  it('show durations in two units and ages in one', () => {
    assert.equal(formatDuration(59), '59 min');
    assert.equal(formatDuration(71), '1 h 11 min');
    assert.equal(formatDuration(119.9), '1 h 59 min');
    assert.equal(formatDuration(60 * 24 * 3), '3 d 0 h');
    assert.deepEqual([-3, 59.9, 60, 7199, 200_000].map(formatAge), [
      ...['0 s', '59 s', '1 min', '1 h', '2 d'],
    ]);
  });

  it('bring broker times to an axis and back unchanged', () => {
    const time = '2026-03-08 02:30:00.123';
    assert.equal(toBrokerTime(brokerTimeMs(time)), time);
  });
});
