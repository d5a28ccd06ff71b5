import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countsAtOnce, toEnrolment } from './enrolment-form.ts';

describe('a typed enrolment', () => {
  const into = { programId: 'steps', version: 3, phase: 2 };

  it('begins with the typed balance and at the typed broker time', () => {
    const form = { initialBalance: '10,000 USD', start: '2026-03-02T09:30' };
    assert.deepEqual(toEnrolment(form, into, 'USD'), {
      ...into,
      initialBalance: 10_000,
      startBrokerTime: '2026-03-02 09:30:00.000',
    });
  });

  it('begins at once without a time', () => {
    const passed = { passed: { accountId: 'a', enrolmentId: 'e' } };
    assert.deepEqual(toEnrolment({ initialBalance: '0.5', start: '' }, passed, 'BTC'), {
      ...passed,
      initialBalance: 0.5,
    });
  });

  it('is not sent without a balance that the currency can have', () => {
    for (const initialBalance of ['', '0', '-5', 'much', '0.001']) {
      assert.equal(toEnrolment({ initialBalance, start: '' }, into, 'USD'), undefined);
    }
  });

  it('names what would count as profit or loss from the beginning', () => {
    const enrolment = { ...into, initialBalance: 50_000 };
    const told = (balance?: number, startBrokerTime?: string) =>
      countsAtOnce({ ...enrolment, ...(startBrokerTime && { startBrokerTime }) }, balance, 'USD');
    assert.equal(
      told(53_000),
      'The account has 53,000.00 USD: the 3,000.00 USD beyond the initial balance would count as profit.',
    );
    assert.equal(
      told(49_000),
      'The account has 49,000.00 USD: the 1,000.00 USD missing to the initial balance would count as loss.',
    );
    for (const balance of [undefined, 0, 50_000]) assert.equal(told(balance), undefined);
    assert.equal(told(53_000, '2026-03-02 09:30:00.000'), undefined);
  });
});
