import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { consistencyWords, objectiveAmount } from './program-words.ts';

describe('the reached part of an objective', () => {
  it('has the digits of its currency, and days have none', () => {
    assert.equal(objectiveAmount('profitTarget', 825_068.48, 'JPY'), '825,068 JPY');
    assert.equal(objectiveAmount('profitTarget', 0, 'USD'), '0.00 USD');
    assert.equal(objectiveAmount('tradingDays', 4, 'USD'), '4');
  });

  it('names what the best day may be only while there is a profit', () => {
    assert.equal(consistencyWords(600, 700, 'USD'), 'Best day 600.00 USD, at most 700.00 USD');
    assert.equal(consistencyWords(0, 0, 'USD'), 'Best day 0.00 USD; no profit so far');
  });
});
