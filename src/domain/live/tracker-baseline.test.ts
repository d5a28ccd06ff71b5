import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealOf, deposit, LiveDesk, usd } from '../../../test/simulation/live-desk.ts';
import { BASELINE_WORDS } from '../../words/trackers.ts';

const TEN_PERCENT = { period: 'lifetime', relativeDrawdownThreshold: 0.1 } as const;
const CAPITAL = { baseline: 'initialCapital', initialCapital: usd(10_000) } as const;

/** A tracker's findings: initial balance, maxima in money, and its event's drawdown. */
function foundBy(desk: LiveDesk) {
  const period = desk.period();
  return {
    initial: period?.initialBalance,
    drawdown: period?.maxAbsoluteDrawdown,
    profit: period?.maxAbsoluteProfit,
    event: desk.events[0]?.relativeDrawdown,
  };
}
const FOUND = { initial: usd(10_000), drawdown: usd(1600), profit: 0, event: 0.16 };

for (const baseline of BASELINE_WORDS) {
  const capital = baseline === 'initialCapital' ? { initialCapital: usd(10_000) } : {};

  test(`an account that begins without money is measured once it is funded: ${baseline}`, () => {
    const money = deposit('2026-11-20 08:00', 10_000);
    const ways: [string, (desk: LiveDesk) => unknown][] = [
      ['with the snapshot', (desk) => desk.see('2026-11-20 08:00', 10_000, 10_000, [money])],
      [
        'before the snapshot',
        (desk) => [desk.book(money), desk.see('2026-11-20 08:01', 10_000, 10_000)],
      ],
      [
        'after the snapshot',
        (desk) => [desk.see('2026-11-20 08:01', 10_000, 10_000), desk.book(money)],
      ],
      ['without any deal', (desk) => desk.see('2026-11-20 08:00', 10_000, 10_000)],
    ];
    for (const [way, fund] of ways) {
      const desk = new LiveDesk([{ ...TEN_PERCENT, baseline, ...capital }]);
      desk.see('2026-11-20 07:00', 0, 0);
      assert.equal(desk.events.length, 0, way);
      fund(desk);
      desk.see('2026-11-20 12:00', 10_000, 8400);
      assert.deepEqual(foundBy(desk), FOUND, way);
    }
  });

  test(`a loss before a snapshot shows the funding is not missed: ${baseline}`, () => {
    const desk = new LiveDesk([{ ...TEN_PERCENT, baseline, ...capital }]);
    desk.see('2026-11-20 07:00', 0, 0);
    const deals = [
      deposit('2026-11-20 08:00', 10_000),
      dealOf('DEAL_TYPE_SELL', '2026-11-20 09:00', -1600),
    ];
    desk.see('2026-11-20 10:00', 8400, 8400, deals);
    assert.deepEqual(foundBy(desk), FOUND);
  });
}

test('a period that begins in debt is funded when its deposits outweigh it', () => {
  const desk = new LiveDesk([TEN_PERCENT]);
  desk.see('2026-11-20 07:00', -50, -50);
  desk.see('2026-11-20 08:00', -10, -10, [deposit('2026-11-20 08:00', 40)]);
  assert.equal(desk.period()?.initialBalance, usd(-10));
  desk.see('2026-11-20 09:00', 990, 990, [deposit('2026-11-20 09:00', 1000)]);
  assert.equal(desk.period()?.initialBalance, usd(990));
  desk.see('2026-11-20 10:00', 990, 890.99);
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(99.01));
});

test('deposits after the funding are taken out of the equity as usual', () => {
  const desk = new LiveDesk([TEN_PERCENT]);
  desk.see('2026-11-20 07:00', 0, 0);
  desk.see('2026-11-20 08:00', 10_000, 10_000, [deposit('2026-11-20 08:00', 10_000)]);
  desk.see('2026-11-20 09:00', 15_000, 13_999.99, [deposit('2026-11-20 09:00', 5000)]);
  assert.equal(desk.events[0]?.adjustment, usd(5000));
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(1000.01));
});

test('a credit stays taken out if the tracker adjusts it', () => {
  const desk = new LiveDesk([
    { ...TEN_PERCENT, adjustDeals: ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'] },
  ]);
  desk.see('2026-11-20 07:00', 0, 0);
  desk.see('2026-11-20 08:00', 0, 500, [dealOf('DEAL_TYPE_CREDIT', '2026-11-20 08:00', 500)]);
  desk.see('2026-11-20 09:00', 10_000, 10_500);
  desk.see('2026-11-20 10:00', 10_000, 9500);
  assert.equal(desk.events.length, 0);
  desk.see('2026-11-20 11:00', 10_000, 9499.99);
  assert.equal(desk.events[0]?.adjustment, usd(500));
});

test('without money of its own, a loss of credit is measured by absolute thresholds', () => {
  const desk = new LiveDesk([{ period: 'lifetime', absoluteDrawdownThreshold: usd(500) }]);
  desk.see('2026-11-20 07:00', 0, 1000);
  desk.see('2026-11-20 08:00', -600, -600);
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(600));
});

test('a maximum from before the funding stays', () => {
  const desk = new LiveDesk([{ period: 'lifetime' }]);
  desk.see('2026-11-20 07:00', -100, -100);
  desk.see('2026-11-20 08:00', -100, -300);
  desk.see('2026-11-20 09:00', 10_000, 10_000);
  desk.see('2026-11-20 10:00', 10_000, 9900);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(200));
  assert.equal(desk.period()?.maxRelativeDrawdown, 0.02);
});

test('an account that never held anything has not lost its initial capital', () => {
  const desk = new LiveDesk([{ ...TEN_PERCENT, ...CAPITAL }]);
  desk.see('2026-11-20 07:00', 0, 0);
  desk.see('2026-11-20 08:00', 0, 0);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, 0);
});

test('an account that lost everything has lost its initial capital', () => {
  const desk = new LiveDesk([{ ...TEN_PERCENT, ...CAPITAL, period: 'date' }]);
  desk.see('2026-11-20 07:00', 10_000, 10_000);
  desk.book(dealOf('DEAL_TYPE_SELL', '2026-11-20 23:59', -10_000));
  desk.see('2026-11-21 07:00', 0, 0);
  assert.equal(desk.events[0]?.startTimeMs, Date.UTC(2026, 10, 21));
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(10_000));
});

test('after an event of the period nothing restarts it', () => {
  const desk = new LiveDesk([{ period: 'lifetime', absoluteDrawdownThreshold: usd(100) }]);
  desk.see('2026-11-20 07:00', 0, 500);
  desk.see('2026-11-20 08:00', -200, -200);
  desk.see('2026-11-20 09:00', 10_000, 10_000, [deposit('2026-11-20 09:00', 10_200)]);
  assert.equal(desk.events.length, 1);
  assert.equal(desk.period()?.initialBalance, 0);
});
