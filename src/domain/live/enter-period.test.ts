import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  dealOf,
  deposit,
  LiveDesk,
  trackerOf,
  usd,
} from '../../../test/simulation/live-desk.ts';
import type { Baseline } from '../../words/trackers.ts';
import { addTracker } from './tracker-changes.ts';

test('the initial balance is the last one known before the period', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 9000);
  desk.see('2026-03-05 10:00', 12_000, 12_500);
  assert.equal(desk.period()?.initialBalance, usd(10_000));
  assert.equal(desk.period()?.maxAbsoluteProfit, usd(2500));
});

test('deals known since the last balance are in the initial balance, credit is not', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.book(
    deposit('2026-03-02 11:00', 500),
    dealOf('DEAL_TYPE_SELL', '2026-03-02 12:00', -30),
    dealOf('DEAL_TYPE_CREDIT', '2026-03-02 12:00', 7),
  );
  desk.see('2026-03-03 10:00', 10_470, 10_477);
  assert.equal(desk.period()?.initialBalance, usd(10_470));
  desk.see('2026-03-04 10:00', 10_470, 10_477);
  assert.equal(desk.period()?.initialBalance, usd(10_470));
});

test('a deal from before the period that comes late corrects the initial balance', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 23:00', 10_000, 10_000);
  desk.see('2026-03-03 00:10', 10_000, 10_000);
  desk.book(dealOf('DEAL_TYPE_SELL', '2026-03-02 23:30', -400));
  assert.equal(desk.period()?.initialBalance, usd(9600));
  desk.see('2026-03-03 00:20', 9600, 9600);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, 0);
});

test('a late deal already in the last known balance corrects nothing', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 23:00', 10_000, 10_000);
  desk.see('2026-03-03 00:10', 10_000, 10_000);
  desk.book(dealOf('DEAL_TYPE_SELL', '2026-03-02 23:00', -400));
  desk.book(dealOf('DEAL_TYPE_CREDIT', '2026-03-02 23:30', 50));
  assert.equal(desk.period()?.initialBalance, usd(10_000));
});

test('if nothing is known before, the first snapshot of the period gives the balance', () => {
  const desk = new LiveDesk([{}]);
  assert.equal(desk.period(), undefined);
  desk.book(dealOf('DEAL_TYPE_BUY', '2026-03-02 09:00', 0));
  assert.equal(desk.period()?.initialBalance, undefined);
  desk.see('2026-03-02 10:00', 10_000, 9990);
  assert.equal(desk.period()?.initialBalance, usd(10_000));
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(10));
});

test('deals before the first snapshot are in its balance', () => {
  const desk = new LiveDesk([{}]);
  desk.book(deposit('2026-03-02 09:00', 10_000));
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.book(deposit('2026-03-02 09:30', 500));
  desk.see('2026-03-02 10:01', 10_000, 9900);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('a start in the future is awaited', () => {
  const desk = new LiveDesk([{ period: 'lifetime', startTimeMs: at('2026-03-03 12:00') }]);
  desk.see('2026-03-02 10:00', 10_000, 5000);
  desk.see('2026-03-03 11:59:59.999', 10_000, 5000);
  assert.equal(desk.period(), undefined);
  desk.see('2026-03-03 12:00', 10_000, 9900);
  assert.equal(desk.period()?.startTimeMs, at('2026-03-03 12:00'));
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('a lifetime begins with the first snapshot, whenever the deals before it come', () => {
  const trade = dealOf('DEAL_TYPE_SELL', '2026-03-02 10:00:00', -50);
  for (const isLate of [false, true]) {
    const desk = new LiveDesk([{ period: 'lifetime' }]);
    if (!isLate) desk.book(trade);
    desk.see('2026-03-02 10:00:00.771', 10_000, 10_000);
    if (isLate) desk.book(trade);
    assert.equal(desk.period()?.startTimeMs, at('2026-03-02 10:00:00.771'));
    // Booked in whole seconds, it may be from just after the start.
    assert.equal(desk.period()?.tradeDayCount, 1);
  }
});

test('a tracker added later measures from the next snapshot', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:00', 10_000, 5000);
  addTracker(desk.account, trackerOf(), desk.rules);
  assert.equal(desk.period(), undefined);
  desk.see('2026-03-02 10:01', 10_000, 9900);
  assert.equal(desk.period()?.startTimeMs, at('2026-03-02'));
  assert.equal(desk.period()?.initialBalance, usd(10_000));
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('the end of a tracker is its last moment, after which nothing runs', () => {
  const desk = new LiveDesk([{ endTimeMs: at('2026-03-02 12:00') }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 12:00', 10_000, 9000);
  assert.equal(desk.period()?.endTimeMs, at('2026-03-02 12:00'));
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(1000));
  assert.equal(desk.completed.length, 0);
  desk.see('2026-03-02 12:00:00.001', 10_000, 1);
  assert.equal(desk.period(), undefined);
  assert.equal(desk.completed.length, 1);
  assert.equal(desk.completed[0]?.maxAbsoluteDrawdown, usd(1000));
  desk.see('2026-03-05 12:00', 10_000, 1);
  desk.book(dealOf('DEAL_TYPE_BUY', '2026-03-06 12:00', 0));
  assert.equal(desk.completed.length, 1);
});

test('a tracker that is already over when added never runs', () => {
  const desk = new LiveDesk([{ endTimeMs: at('2026-03-01 12:00') }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  assert.equal(desk.period(), undefined);
  assert.equal(desk.completed.length, 0);
});

test('a deal that waits for a snapshot is shown in its period, before any snapshot', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.book(dealOf('DEAL_TYPE_BUY', '2026-03-03 09:00', 0));
  assert.equal(desk.completed.length, 0);
  assert.equal(desk.period()?.startTimeMs, at('2026-03-03'));
  assert.equal(desk.period()?.tradeDayCount, 1);
});

test('a removed tracker is gone, an unknown one is reported', () => {
  const desk = new LiveDesk([{ id: 'a' }, { id: 'b' }]);
  assert.equal(desk.account.detach('a')?.id, 'a');
  assert.equal(desk.account.detach('a'), undefined);
  assert.deepEqual(
    desk.account.trackers.map(({ id }) => id),
    ['b'],
  );
});

test('each baseline matches its name', () => {
  const drawdowns: [Baseline, number][] = [
    ['startBalance', 300],
    ['startEquity', 700],
    ['maxOfBoth', 700],
    ['initialCapital', 5300],
    ['peakEquity', 900],
    ['peakEndOfDayBalance', 300],
  ];
  for (const [baseline, expected] of drawdowns) {
    const initialCapital = baseline === 'initialCapital' ? { initialCapital: usd(15_000) } : {};
    const desk = new LiveDesk([{ baseline, ...initialCapital }]);
    desk.see('2026-03-02 23:55', 10_000, 10_400);
    desk.see('2026-03-03 00:05', 10_000, 10_600);
    desk.see('2026-03-03 00:06', 10_000, 9700);
    assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(expected), baseline);
  }
});

test('the larger of balance and equity is the balance if the equity is below it', () => {
  const desk = new LiveDesk([{ baseline: 'maxOfBoth' }]);
  desk.see('2026-03-02 23:55', 10_000, 9000);
  desk.see('2026-03-03 00:05', 10_000, 9000);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(1000));
});

test('the start equity is the last one known, however old', () => {
  const desk = new LiveDesk([{ baseline: 'startEquity' }]);
  desk.see('2026-02-27 23:55', 10_000, 10_400);
  desk.see('2026-03-02 00:05', 10_000, 10_100);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(300));
});

test('if nothing is known, the first snapshot gives the start equity', () => {
  const desk = new LiveDesk([{ baseline: 'startEquity' }]);
  desk.see('2026-03-02 00:05', 10_000, 10_100);
  desk.see('2026-03-02 00:06', 10_000, 10_000);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('money paid in since the last snapshot is added to the start equity, a closed trade is already in it', () => {
  const desk = new LiveDesk([{ baseline: 'startEquity' }]);
  desk.see('2026-03-02 23:55', 10_000, 10_400);
  desk.book(
    deposit('2026-03-02 23:56', 1000),
    dealOf('DEAL_TYPE_CREDIT', '2026-03-02 23:56', 50),
    dealOf('DEAL_TYPE_SELL', '2026-03-02 23:57', 400),
  );
  desk.see('2026-03-03 00:05', 11_400, 11_450);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, 0);
  assert.equal(desk.period()?.maxAbsoluteProfit, 0);
});

test('a trailing peak of equity rises within its period and restarts with the next', () => {
  const desk = new LiveDesk([{ baseline: 'peakEquity', absoluteDrawdownThreshold: usd(500) }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 10_800);
  desk.see('2026-03-02 10:02', 10_000, 10_300);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 10:03', 10_000, 10_299.99);
  assert.equal(desk.events[0]?.baseline, usd(10_800));
  desk.see('2026-03-03 10:03', 10_000, 9999);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(1));
});

test('the relative maximum of a trailing peak is kept separately', () => {
  const desk = new LiveDesk([{ baseline: 'peakEquity' }]);
  desk.see('2026-03-02 10:00', 10_000, 1000);
  assert.equal(desk.period()?.maxRelativeDrawdown, 0.9);
  desk.see('2026-03-02 10:01', 10_000, 100_000);
  desk.see('2026-03-02 10:02', 10_000, 50_000);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(50_000));
  assert.equal(desk.period()?.maxRelativeDrawdown, 0.9);
});

test('a peak of balances at ends of days does not follow the day', () => {
  const desk = new LiveDesk([{ period: 'lifetime', baseline: 'peakEndOfDayBalance' }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 12:00', 12_000, 12_000);
  desk.see('2026-03-02 23:00', 11_000, 10_900);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, 0);
  desk.see('2026-03-03 01:00', 11_000, 10_900);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('the day-end balance includes deals known since, but neither deposits nor credit of the period', () => {
  const desk = new LiveDesk([
    {
      period: 'lifetime',
      baseline: 'peakEndOfDayBalance',
      adjustDeals: ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'],
    },
  ]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 11:00', 15_000, 15_200, [
    deposit('2026-03-02 11:00', 5000),
    dealOf('DEAL_TYPE_CREDIT', '2026-03-02 11:00', 200),
  ]);
  desk.book(dealOf('DEAL_TYPE_SELL', '2026-03-02 23:00', 300));
  desk.see('2026-03-03 10:00', 15_300, 15_400);
  // Peak 10 300; adjusted equity 15 400 − 5200.
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('a trailing floor stops at its lock', () => {
  const desk = new LiveDesk([
    {
      period: 'lifetime',
      baseline: 'peakEquity',
      absoluteDrawdownThreshold: usd(1000),
      lockAt: usd(10_000),
    },
  ]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 10_600);
  desk.see('2026-03-02 10:02', 10_000, 14_000);
  desk.see('2026-03-02 10:03', 10_000, 10_000);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 10:04', 10_000, 9999.99);
  assert.equal(desk.events[0]?.baseline, usd(11_000));
});

test('a relative floor stops at its lock, by the peak or by the initial capital', () => {
  for (const [limitBase, cap] of [
    ['baseline', 12_500],
    ['initialCapital', 12_000],
  ] as const) {
    const desk = new LiveDesk([
      {
        period: 'lifetime',
        baseline: 'peakEquity',
        relativeDrawdownThreshold: 0.2,
        initialCapital: usd(10_000),
        limitBase,
        lockAt: usd(10_000),
      },
    ]);
    desk.see('2026-03-02 10:01', 10_000, 20_000);
    desk.see('2026-03-02 10:03', 10_000, 10_000);
    assert.equal(desk.events.length, 0);
    desk.see('2026-03-02 10:04', 10_000, 9999.99);
    assert.equal(desk.events[0]?.baseline, usd(cap));
  }
});

test('a peak starts at the initial capital if that is above the balance', () => {
  const desk = new LiveDesk([
    { period: 'lifetime', baseline: 'peakEquity', initialCapital: usd(10_000) },
  ]);
  desk.see('2026-03-02 10:00', 9000, 9000);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(1000));
});

test('the initial capital is no peak to a tracker that measures from balance', () => {
  const desk = new LiveDesk([
    { limitBase: 'initialCapital', initialCapital: usd(20_000), relativeDrawdownThreshold: 0.05 },
  ]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 9000);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 10:02', 10_000, 8999.99);
  assert.equal(desk.events[0]?.relativeDrawdown, 0.0500005);
});

test('a loss before the period that becomes known after it moves only the start balance, no peak', () => {
  for (const baseline of ['startBalance', 'maxOfBoth', 'peakEquity', 'peakBalance'] as const) {
    const rule = { baseline, relativeDrawdownThreshold: 0.04 };
    const [early, late] = [new LiveDesk([rule]), new LiveDesk([rule])];
    const loss = dealOf('DEAL_TYPE_SELL', '2026-03-02 23:30', -2000);
    for (const desk of [early, late]) {
      desk.see('2026-03-02 23:00', 100_000, 98_000);
      if (desk === early) desk.book(loss);
      desk.see('2026-03-03 00:05', 98_000, 98_000);
      if (desk === late) desk.book(loss);
      desk.see('2026-03-03 10:00', 98_000, 95_500);
      assert.equal(desk.events.length, 0, baseline);
      assert.equal(desk.period()?.initialBalance, usd(98_000));
      assert.equal(desk.period()?.baseline, usd(98_000));
    }
    assert.deepEqual(late.period(), early.period());
  }
});

test('a deposit that becomes known after the snapshot that shows it raises no peak', () => {
  for (const baseline of ['peakEquity', 'peakBalance', 'peakEndOfDayBalance'] as const) {
    const desk = new LiveDesk([
      { period: 'lifetime', baseline, absoluteDrawdownThreshold: usd(5000) },
    ]);
    desk.see('2026-03-02 10:00', 100_000, 100_000);
    desk.see('2026-03-02 11:00', 110_000, 110_000);
    desk.book(deposit('2026-03-02 10:30', 10_000));
    desk.see('2026-03-03 10:00', 110_000, 106_000);
    assert.deepEqual(desk.events, [], baseline);
    assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(4000));
  }
});

test('an end at the first moment of a period leaves it that moment', () => {
  const desk = new LiveDesk([{ endTimeMs: at('2026-03-03') }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-03 00:00', 10_000, 9900);
  assert.equal(desk.period()?.startTimeMs, at('2026-03-03'));
  assert.equal(desk.period()?.endTimeMs, at('2026-03-03'));
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('of two thresholds with a lock the tighter one applies there, too', () => {
  const desk = new LiveDesk([
    {
      period: 'lifetime',
      baseline: 'peakEquity',
      absoluteDrawdownThreshold: usd(500),
      relativeDrawdownThreshold: 0.1,
      initialCapital: usd(10_000),
      limitBase: 'initialCapital',
      lockAt: usd(10_000),
    },
  ]);
  desk.see('2026-03-02 10:00', 10_000, 20_000);
  desk.see('2026-03-02 10:01', 10_000, 9999.99);
  assert.equal(desk.events[0]?.baseline, usd(10_500));
});

test('a relative threshold of the whole peak never needs a lock', () => {
  const desk = new LiveDesk([
    { period: 'lifetime', baseline: 'peakEquity', relativeDrawdownThreshold: 1, lockAt: usd(1) },
  ]);
  desk.see('2026-03-02 10:00', 10_000, 20_000);
  desk.see('2026-03-02 10:01', 10_000, 0);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 10:02', 10_000, -0.01);
  assert.equal(desk.events[0]?.baseline, usd(20_000));
});
