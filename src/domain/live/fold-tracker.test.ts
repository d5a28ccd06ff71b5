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
import { addTracker } from './tracker-changes.ts';
import { runningPeriod } from './tracker-records.ts';

const FIVE_PERCENT = { relativeDrawdownThreshold: 0.05 };

test('a drawdown of exactly the threshold is allowed, one cent more is an event', () => {
  const desk = new LiveDesk([FIVE_PERCENT]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 9500);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 10:02', 10_000, 9499.99);
  const [event, ...others] = desk.events;
  assert.deepEqual(others, []);
  assert.equal(event?.exceededThresholdType, 'drawdown');
  assert.equal(event.absoluteDrawdown, usd(500.01));
  assert.equal(event.relativeDrawdown, 0.050001);
  assert.equal(event.absoluteProfit, 0);
  assert.equal(event.relativeProfit, 0);
});

test('an event holds its evidence', () => {
  const desk = new LiveDesk([{ ...FIVE_PERCENT, absoluteDrawdownThreshold: usd(800) }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 11:00', 11_000, 10_499.99, [deposit('2026-03-02 11:00', 1000)]);
  assert.deepEqual(desk.events, [
    {
      accountId: 'account',
      trackerId: 'tracker',
      period: 'date',
      startTimeMs: Date.UTC(2026, 2, 2),
      endTimeMs: Date.UTC(2026, 2, 3) - 1,
      timeMs: Date.UTC(2026, 2, 2, 11),
      exceededThresholdType: 'drawdown',
      absoluteDrawdown: usd(500.01),
      relativeDrawdown: 0.050001,
      absoluteProfit: 0,
      relativeProfit: 0,
      allowed: usd(500),
      inclusive: false,
      baseline: usd(10_000),
      initialBalance: usd(10_000),
      balance: usd(11_000),
      equity: usd(10_499.99),
      adjustment: usd(1000),
      round: 0,
    },
  ]);
});

test('after its event a period reports no more and its maxima stay', () => {
  const desk = new LiveDesk([{ ...FIVE_PERCENT, relativeProfitThreshold: 0.05 }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:02', 10_000, 9499.99);
  desk.see('2026-03-02 10:03', 10_000, 9000);
  desk.see('2026-03-02 10:04', 10_000, 12_000);
  assert.equal(desk.events.length, 1);
  const period = desk.period();
  assert.equal(period?.maxAbsoluteDrawdown, usd(500.01));
  assert.equal(period.maxRelativeDrawdown, 0.050001);
  assert.equal(period.maxDrawdownTimeMs, Date.UTC(2026, 2, 2, 10, 2));
  assert.equal(period.maxAbsoluteProfit, 0);
  assert.equal(period.thresholdExceeded, true);
  assert.equal(period.exceededThresholdType, 'drawdown');
});

test('the next period may report again', () => {
  const desk = new LiveDesk([FIVE_PERCENT]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:02', 10_000, 9000);
  desk.see('2026-03-03 10:02', 10_000, 9499.99);
  assert.deepEqual(
    desk.events.map(({ startTimeMs, absoluteDrawdown }) => [startTimeMs, absoluteDrawdown]),
    [
      [Date.UTC(2026, 2, 2), usd(1000)],
      [Date.UTC(2026, 2, 3), usd(500.01)],
    ],
  );
  assert.equal(desk.completed[0]?.thresholdExceeded, true);
  assert.equal(desk.completed[0].periodStatus, 'completed');
});

test('a deposit of the period is no profit and hides no drawdown', () => {
  const desk = new LiveDesk([FIVE_PERCENT]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 11:00', 11_000, 10_500, [deposit('2026-03-02 11:00', 1000)]);
  assert.equal(desk.period()?.maxAbsoluteProfit, 0);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 11:01', 11_000, 10_499.99);
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(500.01));
});

test('a withdrawal of the period is no drawdown', () => {
  const desk = new LiveDesk([FIVE_PERCENT]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.book(deposit('2026-03-02 10:30', -4000));
  desk.see('2026-03-02 11:00', 6000, 6000);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, 0);
});

test('credit counts as profit unless the tracker adjusts it', () => {
  const adjustDeals = ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'] as const;
  const desk = new LiveDesk([{ id: 'plain' }, { id: 'adjusting', adjustDeals }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 11:00', 10_000, 10_700, [
    dealOf('DEAL_TYPE_CREDIT', '2026-03-02 11:00', 500),
  ]);
  assert.equal(desk.period('plain')?.maxAbsoluteProfit, usd(700));
  assert.equal(desk.period('adjusting')?.maxAbsoluteProfit, usd(200));
});

test('adjustments end with their period', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 11:00', 11_000, 11_000, [deposit('2026-03-02 11:00', 1000)]);
  desk.see('2026-03-03 11:00', 11_000, 11_300);
  assert.equal(desk.period()?.initialBalance, usd(11_000));
  assert.equal(desk.period()?.maxAbsoluteProfit, usd(300));
});

test('an absolute drawdown of exactly the threshold is allowed, one cent more is an event', () => {
  const desk = new LiveDesk([{ absoluteDrawdownThreshold: usd(300) }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 9700);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 10:02', 10_000, 9699.99);
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(300.01));
  assert.equal(desk.events[0].allowed, usd(300));
});

test('a profit of exactly the threshold is no event, one cent more is', () => {
  for (const threshold of [
    { absoluteProfitThreshold: usd(800) },
    { relativeProfitThreshold: 0.08 },
  ]) {
    const desk = new LiveDesk([threshold]);
    desk.see('2026-03-02 10:00', 10_000, 10_000);
    desk.see('2026-03-02 10:01', 10_000, 10_800);
    assert.equal(desk.events.length, 0);
    desk.see('2026-03-02 10:02', 10_000, 10_800.01);
    const [event] = desk.events;
    assert.equal(event?.exceededThresholdType, 'profit');
    assert.equal(event.absoluteProfit, usd(800.01));
    assert.equal(event.relativeProfit, 0.080001);
    assert.equal(event.absoluteDrawdown, 0);
    assert.equal(event.allowed, usd(800));
    assert.equal(desk.period()?.exceededThresholdType, 'profit');
    assert.equal(desk.period()?.maxProfitTimeMs, Date.UTC(2026, 2, 2, 10, 2));
  }
});

test('of two thresholds the tighter one is exceeded', () => {
  const desk = new LiveDesk([{ ...FIVE_PERCENT, absoluteDrawdownThreshold: usd(600) }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 9499.99);
  assert.equal(desk.events[0]?.allowed, usd(500));
});

test('drawdown is checked before profit', () => {
  // A balance at a day's end raised the peak; the equity now lies below it and above the start.
  const desk = new LiveDesk([
    {
      baseline: 'peakEndOfDayBalance',
      period: 'lifetime',
      absoluteDrawdownThreshold: usd(100),
      absoluteProfitThreshold: usd(100),
    },
  ]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_500, 10_000);
  desk.see('2026-03-03 10:02', 10_500, 10_200);
  assert.equal(desk.events[0]?.exceededThresholdType, 'drawdown');
  assert.equal(desk.events[0].absoluteDrawdown, usd(300));
  assert.equal(desk.events[0].absoluteProfit, usd(200));
  assert.equal(desk.period()?.maxAbsoluteProfit, 0);
});

test('without a positive balance only absolute thresholds count', () => {
  const desk = new LiveDesk([
    { id: 'relative', ...FIVE_PERCENT },
    { id: 'absolute', absoluteDrawdownThreshold: usd(50) },
  ]);
  desk.see('2026-03-02 10:00', 0, 0);
  desk.see('2026-03-02 10:01', 0, -60);
  assert.deepEqual(
    desk.events.map(({ trackerId, relativeDrawdown }) => [trackerId, relativeDrawdown]),
    [['absolute', 0]],
  );
  assert.equal(desk.period('relative')?.maxRelativeDrawdown, 0);
  assert.equal(desk.period('relative')?.maxAbsoluteDrawdown, usd(60));
});

test('a tracker without thresholds only keeps statistics', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 1);
  desk.see('2026-03-02 10:02', 10_000, 90_000);
  assert.equal(desk.events.length, 0);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(9999));
  assert.equal(desk.period()?.maxAbsoluteProfit, usd(80_000));
  assert.equal(desk.period()?.maxRelativeProfit, 8);
  assert.equal(desk.period()?.thresholdExceeded, false);
});

test('trade days are the distinct dates of deals other than balance and credit', () => {
  const desk = new LiveDesk([{ period: 'lifetime' }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.book(deposit('2026-03-02 11:00', 50), dealOf('DEAL_TYPE_CREDIT', '2026-03-02 11:00', 50));
  assert.equal(desk.period()?.tradeDayCount, 0);
  desk.book(dealOf('DEAL_TYPE_BUY', '2026-03-03 11:00', 0));
  desk.book(dealOf('DEAL_TYPE_SELL', '2026-03-03 12:00', 5));
  desk.book(dealOf('DEAL_TYPE_COMMISSION_DAILY', '2026-03-05 00:00', -1));
  assert.equal(desk.period()?.tradeDayCount, 2);
  desk.book(dealOf('DEAL_TYPE_SELL', '2026-03-04 12:00', 5));
  desk.book(dealOf('DEAL_TYPE_SELL', '2026-03-03 13:00', 5));
  desk.book(dealOf('DEAL_TYPE_SELL', '2026-03-04 13:00', 5));
  assert.equal(desk.period()?.tradeDayCount, 3);
});

test('a late trade day is recognised up to 32 days back', () => {
  const desk = new LiveDesk([{ period: 'lifetime' }]);
  desk.see('2026-03-01 10:00', 10_000, 10_000);
  desk.book(dealOf('DEAL_TYPE_BUY', '2026-03-02 11:00', 0));
  desk.book(dealOf('DEAL_TYPE_BUY', '2026-04-03 11:00', 0));
  for (const second of ['00', '01', '05']) desk.see(`2026-04-03 12:00:${second}`, 10_000, 10_000);
  desk.book(dealOf('DEAL_TYPE_BUY', '2026-03-02 12:00', 0));
  assert.equal(desk.period()?.tradeDayCount, 2);
  const missed = new LiveDesk([{ period: 'lifetime' }]);
  missed.see('2026-03-01 10:00', 10_000, 10_000);
  missed.book(dealOf('DEAL_TYPE_BUY', '2026-04-04 11:00', 0));
  for (const second of ['00', '01', '05']) missed.see(`2026-04-04 12:00:${second}`, 10_000, 10_000);
  missed.book(dealOf('DEAL_TYPE_BUY', '2026-03-03 12:00', 0));
  assert.equal(missed.period()?.tradeDayCount, 2);
  missed.book(dealOf('DEAL_TYPE_BUY', '2026-03-02 12:00', 0));
  assert.equal(missed.period()?.tradeDayCount, 2);
});

test('trade days are still counted after the event', () => {
  const desk = new LiveDesk([{ period: 'lifetime', ...FIVE_PERCENT }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:02', 10_000, 9000);
  desk.book(dealOf('DEAL_TYPE_BUY', '2026-03-03 11:00', 0));
  assert.equal(desk.period()?.tradeDayCount, 1);
});

test('a repeated snapshot after a deposit is not measured with it', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:05', 10_000, 9990);
  desk.see('2026-03-02 10:10', 11_000, 10_990, [deposit('2026-03-02 10:10', 1000)]);
  assert.equal(desk.see('2026-03-02 10:05', 10_000, 9990), 'late');
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(10));
});

test('a late snapshot can still exceed a threshold', () => {
  const desk = new LiveDesk([FIVE_PERCENT]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:10', 10_000, 10_000);
  assert.equal(desk.see('2026-03-02 10:05', 10_000, 9400), 'late');
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(600));
  assert.equal(desk.events[0].timeMs, Date.UTC(2026, 2, 2, 10, 5));
});

test('a late snapshot of a completed period changes neither that nor the running one', () => {
  const desk = new LiveDesk([FIVE_PERCENT]);
  desk.see('2026-03-02 23:50', 10_000, 10_000);
  desk.see('2026-03-03 00:10', 10_000, 10_000);
  desk.see('2026-03-03 00:11', 10_000, 10_000);
  desk.see('2026-03-02 23:55', 10_000, 5000);
  assert.equal(desk.events.length, 0);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, 0);
  assert.equal(desk.completed.length, 1);
});

test('a late snapshot is not measured against a peak that may be newer', () => {
  const desk = new LiveDesk([{ period: 'lifetime', baseline: 'peakEquity' }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:10', 10_000, 10_500);
  desk.see('2026-03-02 10:05', 10_000, 10_100);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, 0);
});

test('a late snapshot from before an account held its capital is no loss of it', () => {
  const capital = { baseline: 'initialCapital', initialCapital: usd(10_000) } as const;
  const desk = new LiveDesk([{ period: 'week', ...capital }]);
  desk.see('2026-03-02 10:00', 0, 0);
  desk.see('2026-03-02 10:10', 0, 9900);
  desk.see('2026-03-02 10:20', 0, 9950);
  assert.equal(desk.see('2026-03-02 10:05', 0, 0), 'late');
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('a deposit just after the first snapshot, told long after, is the one that it shows', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00:00.500', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 9900);
  desk.book(deposit('2026-03-02 10:00:00.533', 10_000));
  assert.equal(desk.period()?.adjustment, 0);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('credit is in the snapshot whose equity shows it, whichever clock is ahead', () => {
  for (const offsetMs of [-90, -1, 0, 1, 90]) {
    const desk = new LiveDesk();
    const booked = `2026-03-02 10:10:00.${500 + offsetMs}`;
    desk.see('2026-03-02 10:00', 10_000, 10_000);
    desk.see('2026-03-02 10:10:00.500', 10_000, 10_203, [dealOf('DEAL_TYPE_CREDIT', booked, 200)]);
    addTracker(desk.account, trackerOf({ adjustDeals: ['DEAL_TYPE_CREDIT'] }), desk.rules);
    desk.see('2026-03-02 10:20', 10_000, 10_150);
    assert.equal(desk.period()?.adjustment, 0, `${offsetMs}`);
  }
});

test('a deal after the start of a tracker begins it, also before a snapshot shows the deal', () => {
  const desk = new LiveDesk([{ period: 'week', startTimeMs: at('2026-03-03 12:00') }]);
  desk.see('2026-03-03 11:00', 10_000, 10_000);
  assert.equal(desk.period(), undefined);
  desk.book(deposit('2026-03-03 13:00', 500));
  const { startTimeMs, initialBalance } = desk.period() ?? {};
  assert.deepEqual([startTimeMs, initialBalance], [at('2026-03-03 12:00'), usd(10_000)]);
  const unseen = new LiveDesk([{}]);
  unseen.book(deposit('2026-03-03 13:00', 500));
  assert.equal(unseen.period(), undefined);
});

test('trackers of one account measure independently', () => {
  const desk = new LiveDesk([
    { id: 'a', ...FIVE_PERCENT },
    { id: 'b', period: 'lifetime', relativeDrawdownThreshold: 0.1 },
  ]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 9400);
  desk.see('2026-03-02 10:02', 10_000, 8900);
  assert.deepEqual(
    desk.events.map(({ trackerId }) => trackerId),
    ['a', 'b'],
  );
  assert.deepEqual(
    desk.account.trackers.map((tracker) => runningPeriod(desk.account, tracker)?.period),
    ['date', 'lifetime'],
  );
});

test('a maximum reached again keeps its first time', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  for (const minute of ['01', '03']) {
    desk.see(`2026-03-02 10:${minute}`, 10_000, 9900);
    desk.see(`2026-03-02 10:${minute}:30`, 10_000, 10_100);
  }
  assert.equal(desk.period()?.maxDrawdownTimeMs, Date.UTC(2026, 2, 2, 10, 1));
  assert.equal(desk.period()?.maxProfitTimeMs, Date.UTC(2026, 2, 2, 10, 1, 30));
});

test('a repeated snapshot after a correction of the initial balance is not measured by it', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 23:00', 10_000, 10_000);
  desk.see('2026-03-03 00:10', 10_000, 9500);
  desk.see('2026-03-03 00:20', 10_000, 10_000);
  desk.book(dealOf('DEAL_TYPE_SELL', '2026-03-02 23:30', 400));
  desk.see('2026-03-03 00:10', 10_000, 9500);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(500));
});

test('a late snapshot from before the tracker was added is not measured', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:10', 10_000, 10_000);
  addTracker(desk.account, trackerOf(), desk.rules);
  desk.see('2026-03-02 10:20', 10_000, 10_000);
  desk.see('2026-03-02 10:05', 10_000, 9000);
  desk.see('2026-03-02 10:10', 10_000, 9000);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, 0);
  desk.see('2026-03-02 10:10:00.001', 10_000, 9900);
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
});

test('an inclusive threshold is exceeded by reaching it, drawdown and profit alike', () => {
  for (const [parts, reached, amount] of [
    [{ relativeDrawdownThreshold: 0.05 }, 9500, 500],
    [{ absoluteDrawdownThreshold: usd(500) }, 9500, 500],
    [{ relativeProfitThreshold: 0.05 }, 10_500, 500],
    [{ absoluteProfitThreshold: usd(500) }, 10_500, 500],
  ] as const) {
    const desk = new LiveDesk([
      { ...parts, inclusive: true },
      { ...parts, id: 'strict' },
    ]);
    const short = reached > 10_000 ? reached - 0.0001 : reached + 0.0001;
    desk.see('2026-03-02 10:00', 10_000, 10_000);
    desk.see('2026-03-02 10:01', 10_000, short);
    assert.equal(desk.events.length, 0);
    desk.see('2026-03-02 10:02', 10_000, reached);
    assert.deepEqual(
      desk.events.map(({ trackerId, allowed, inclusive }) => [trackerId, allowed, inclusive]),
      [['tracker', usd(amount), true]],
    );
  }
});

test('an inclusive threshold between two units is reached by the upper one', () => {
  const desk = new LiveDesk([{ relativeDrawdownThreshold: 0.0000005, inclusive: true }]);
  desk.see('2026-03-02 10:00', 1001, 1001);
  // 0.00050050 of money: 5.005 units.
  desk.see('2026-03-02 10:01', 1001, 1000.9995);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 10:02', 1001, 1000.9994);
  assert.equal(desk.events[0]?.allowed, 6);
});

test('an inclusive threshold of less than a unit is not reached without any drawdown', () => {
  const parts = { relativeDrawdownThreshold: 0.0000001, inclusive: true };
  const desk = new LiveDesk([parts, { relativeProfitThreshold: 0.0000001, inclusive: true }]);
  desk.see('2026-03-02 10:00', 1, 1);
  desk.see('2026-03-02 10:01', 1, 1);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 10:02', 1, 0.9999);
  assert.equal(desk.events[0]?.allowed, 1);
});

test('with an inclusive limit, a whole balance is lost when nothing is left', () => {
  const desk = new LiveDesk([{ relativeDrawdownThreshold: 1, inclusive: true }]);
  desk.see('2026-03-02 10:00', 10_000, 0.0001);
  assert.equal(desk.events.length, 0);
  desk.see('2026-03-02 10:01', 10_000, 0);
  assert.equal(desk.events[0]?.relativeDrawdown, 1);
});

test('an inclusive trailing floor that locks is reached at its lock', () => {
  for (const limitBase of ['baseline', 'initialCapital'] as const) {
    const desk = new LiveDesk([
      {
        period: 'lifetime',
        baseline: 'peakEquity',
        relativeDrawdownThreshold: 0.1,
        initialCapital: usd(10_000),
        limitBase,
        lockAt: usd(10_000),
        inclusive: true,
      },
    ]);
    desk.see('2026-03-02 10:00', 10_000, 20_000);
    desk.see('2026-03-02 10:01', 10_000, 10_000.01);
    assert.equal(desk.events.length, 0);
    desk.see('2026-03-02 10:02', 10_000, 10_000);
    assert.equal(desk.events.length, 1, limitBase);
  }
});
