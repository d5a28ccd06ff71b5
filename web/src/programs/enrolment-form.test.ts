import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEnrolment } from './enrolment-form.ts';

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
});
