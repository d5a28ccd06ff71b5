import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  brokerTimeMs,
  formatDuration,
  formatMoney,
  formatPercent,
  toBrokerTime,
} from './format.ts';

describe('numbers as people read them', () => {
  it("have their currency's digits", () => {
    assert.equal(formatMoney(1234.5, 'USD'), '1,234.50 USD');
    assert.equal(formatMoney(1234.5, 'JPY'), '1,235 JPY');
  });

  it('know currencies that no standard lists', () => {
    assert.equal(formatMoney(5, 'USDT'), '5.00 USDT');
  });

  it('carry their sign where it is asked for', () => {
    assert.equal(formatMoney(5, 'USD', true), '+5.00 USD');
    assert.equal(formatMoney(-5, 'USD', true), '−5.00 USD');
    assert.equal(formatPercent(-0.5), '−0.5 %');
  });

  it('tell durations in two units', () => {
    assert.equal(formatDuration(59), '59 min');
    assert.equal(formatDuration(71), '1 h 11 min');
    assert.equal(formatDuration(60 * 24 * 3), '3 d 0 h');
  });

  it('bring broker times to an axis and back unchanged', () => {
    const time = '2026-03-08 02:30:00.123';
    assert.equal(toBrokerTime(brokerTimeMs(time)), time);
  });
});
