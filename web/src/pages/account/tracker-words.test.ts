import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { START, toNewTracker } from './tracker-form.ts';
import { describeRule } from './tracker-words.ts';

describe('a tracker in plain words', () => {
  it('names the span, the limit and what it is measured from', () => {
    assert.equal(
      describeRule({ period: 'date', relativeDrawdownThreshold: 0.05 }, 'USD'),
      'Each calendar day: reports when the account loses more than 5 % against the balance at the start of the period.',
    );
  });

  it('names both sides and both kinds of a limit', () => {
    const rule = {
      period: 'lifetime' as const,
      relativeDrawdownThreshold: 0.1,
      absoluteDrawdownThreshold: 1000,
      absoluteProfitThreshold: 800,
      baseline: 'peakEquity' as const,
    };
    assert.match(
      describeRule(rule, 'EUR'),
      /loses more than 10 % or 1,000\.00 EUR, or gains more than 800\.00 EUR against the highest equity/,
    );
  });

  it('says that nothing is reported without a threshold', () => {
    assert.match(describeRule({ period: 'week' }, 'USD'), /nothing is reported/);
  });
});

describe('the form of a new tracker', () => {
  it('sends percentages as exact fractions and leaves empty fields out', () => {
    assert.deepEqual(toNewTracker({ ...START, name: ' A ', drawdownPercent: '0.7' }), {
      name: 'A',
      period: 'date',
      relativeDrawdownThreshold: 0.007,
    });
  });

  it('sends a floor only with a baseline that trails, and a reset only when complete', () => {
    const form = { ...START, lockAt: '10000', resetZone: 'Europe/Prague' };
    assert.equal('lockAt' in toNewTracker(form), false);
    assert.equal('resetClock' in toNewTracker(form), false);
    const trailing = toNewTracker({ ...form, baseline: 'peakEquity', resetTime: '17:00' });
    assert.equal(trailing.lockAt, 10_000);
    assert.deepEqual(trailing.resetClock, { zone: 'Europe/Prague', time: '17:00' });
  });
});
