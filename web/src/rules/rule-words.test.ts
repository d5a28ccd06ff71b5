import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { obstacleOf, START, toNewTracker } from './rule-form.ts';
import { describeRule, nameOfRule } from './rule-words.ts';

describe('a rule in plain words', () => {
  it('names the span, the limit and its baseline', () => {
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

  it('says whether the limit itself is exceeded, what is left out, and when days end', () => {
    const text = describeRule(
      {
        period: 'date',
        absoluteDrawdownThreshold: 500,
        inclusive: true,
        adjustDeals: ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'],
        resetClock: { zone: 'Europe/Prague', time: '00:00' },
      },
      'USD',
    );
    assert.match(text, /loses 500\.00 USD or more against/);
    assert.match(text, /No profit or loss: deposits and withdrawals, credit\./);
    assert.match(text, /Days end at 00:00 in Europe\/Prague\./);
  });

  it('has a name that changes with it', () => {
    assert.equal(
      nameOfRule({ period: 'date', relativeDrawdownThreshold: 0.05 }, 'USD'),
      'Daily loss 5 %',
    );
    assert.equal(
      nameOfRule(
        { period: 'lifetime', absoluteDrawdownThreshold: 2500, baseline: 'peakEquity' },
        'USD',
      ),
      'Total trailing loss 2,500.00 USD',
    );
    assert.equal(
      nameOfRule({ period: 'month', relativeProfitThreshold: 0.08 }, 'USD'),
      'Monthly profit target 8 %',
    );
  });
});

describe('the form of a rule', () => {
  it('sends percentages as exact fractions and leaves empty fields out', () => {
    const form = { ...START, name: ' A ', drawdownPercent: '0.7 %' };
    assert.deepEqual(toNewTracker(form, 'USD'), {
      ...{ name: 'A', period: 'date', relativeDrawdownThreshold: 0.007 },
    });
  });

  it('reads amounts as typed, and never another one', () => {
    const form = { ...START, drawdownPercent: '', drawdownMoney: '$1,000' };
    assert.equal(obstacleOf(form, 'USD'), undefined);
    assert.equal(toNewTracker(form, 'USD').absoluteDrawdownThreshold, 1000);
    for (const text of ['5k', '5 %', '€500', '1,00,0', '0', '-5']) {
      assert.match(
        obstacleOf({ ...form, drawdownMoney: text }, 'USD') ?? '',
        /can’t be read/,
        text,
      );
    }
  });

  it('sends a floor only with a baseline that trails, and a reset clock only whole', () => {
    const form = { ...START, lockAt: '10000', resetZone: 'Europe/Prague' };
    assert.equal('lockAt' in toNewTracker(form, 'USD'), false);
    assert.match(obstacleOf(form, 'USD') ?? '', /at what time days end/);
    assert.match(obstacleOf({ ...START, resetTime: '22:00' }, 'USD') ?? '', /in which zone/);
    const whole = { ...form, baseline: 'peakEquity' as const, resetTime: '17:00' };
    assert.equal(obstacleOf(whole, 'USD'), undefined);
    const trailing = toNewTracker(whole, 'USD');
    assert.equal(trailing.lockAt, 10_000);
    assert.deepEqual(trailing.resetClock, { zone: 'Europe/Prague', time: '17:00' });
  });

  it('is no rule without a limit, unless it only measures', () => {
    const form = { ...START, drawdownPercent: '' };
    assert.match(obstacleOf(form, 'USD') ?? '', /Set a largest loss/);
    assert.equal(obstacleOf({ ...form, isStatisticsOnly: true }, 'USD'), undefined);
    assert.match(obstacleOf({ ...START, isStatisticsOnly: true }, 'USD') ?? '', /untick/);
  });

  it('asks for the capital that a rule uses', () => {
    const form = { ...START, baseline: 'initialCapital' as const };
    assert.match(obstacleOf(form, 'USD') ?? '', /initial capital/);
    const whole = { ...form, initialCapital: '100,000', limitBase: 'initialCapital' as const };
    assert.equal(toNewTracker(whole, 'USD').initialCapital, 100_000);
    assert.equal(toNewTracker(whole, 'USD').limitBase, 'initialCapital');
  });
});
