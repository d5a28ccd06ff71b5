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
import { foldDeals } from './fold-deals.ts';
import { foldSnapshot } from './fold-snapshot.ts';
import { encodeLiveAccount } from './live-account-codec.ts';
import { addTracker } from './tracker-changes.ts';

const RECEIVED_UTC_MS = Date.UTC(2026, 2, 2, 8); // 10:00 by the account's clock
const DAY_MS = 86_400_000;

test('a snapshot up to 24 hours ahead of its receipt counts, one beyond is ignored', () => {
  const desk = new LiveDesk([{}]);
  const fold = (timeMs: number, received = RECEIVED_UTC_MS) =>
    foldSnapshot(desk.account, timeMs, 1, 1, [], received, desk.effects);
  assert.equal(fold(at('2026-03-03 10:00') + 1), 'too-far-ahead');
  assert.equal(desk.account.lastTimeMs, Number.NaN);
  assert.equal(desk.period(), undefined);
  assert.equal(fold(at('2026-03-03 10:00')), 'accepted');
  assert.equal(desk.account.lastTimeMs, at('2026-03-03 10:00'));
  assert.equal(desk.account.lastUtcMs, RECEIVED_UTC_MS + DAY_MS);
});

test('the deals of a snapshot too far ahead are not folded either', () => {
  const desk = new LiveDesk([{ period: 'lifetime' }]);
  const before = encodeLiveAccount(desk.account);
  const deals = [dealOf('DEAL_TYPE_BUY', '2026-03-02 09:00', 5)];
  const timeMs = at('2026-03-03 10:00') + 1;
  foldSnapshot(desk.account, timeMs, 1, 1, deals, RECEIVED_UTC_MS, desk.effects);
  assert.deepEqual(encodeLiveAccount(desk.account), before);
});

test('lone deals too far ahead are ignored and counted', () => {
  const desk = new LiveDesk([{ period: 'lifetime' }]);
  desk.see('2026-03-01 10:00', 10_000, 10_000);
  const deals = [
    dealOf('DEAL_TYPE_BUY', '2026-03-02 10:00', 0),
    dealOf('DEAL_TYPE_BUY', '2026-03-03 10:00:00.001', 0),
    dealOf('DEAL_TYPE_BUY', '2026-03-03 10:00', 0),
  ];
  assert.equal(foldDeals(desk.account, deals, RECEIVED_UTC_MS, desk.effects), 1);
  assert.equal(desk.period()?.tradeDayCount, 2);
});

test('a repeated snapshot is a duplicate, an older one is late', () => {
  const desk = new LiveDesk([{}]);
  assert.equal(desk.see('2026-03-02 10:00', 10_000, 10_000), 'accepted');
  const before = encodeLiveAccount(desk.account);
  assert.equal(desk.see('2026-03-02 10:00', 10_000, 10_000), 'duplicate');
  assert.deepEqual(encodeLiveAccount(desk.account), before);
  assert.equal(desk.see('2026-03-02 09:59:59.999', 10_000, 10_000), 'late');
  assert.equal(desk.account.lastTimeMs, at('2026-03-02 10:00'));
  assert.equal(desk.account.equity, usd(10_000));
});

test('a deal timed after the snapshot that brings it is in that snapshot', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 15_000, 15_000, [deposit('2026-03-02 10:01:00.700', 5000)]);
  assert.equal(desk.period()?.maxAbsoluteProfit, 0);
  desk.see('2026-03-03 10:00', 15_000, 15_000);
  assert.equal(desk.period()?.initialBalance, usd(15_000));
});

test('a deal just over the end of a period belongs to the period of its snapshot', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 23:59:59.800', 10_100, 10_100, [
    dealOf('DEAL_TYPE_SELL', '2026-03-03 00:00:00.100', 100),
  ]);
  assert.equal(desk.completed.length, 0);
  assert.equal(desk.period()?.tradeDayCount, 1);
});

test('balances, not clocks, tell on which side of a snapshot a deal of its second is', () => {
  for (const [held, initial] of [
    [10_000, 10_500],
    [10_500, 10_000],
  ] as const) {
    const desk = new LiveDesk([{ period: 'lifetime' }]);
    desk.see('2026-03-02 09:00', 10_000, 10_000);
    desk.see('2026-03-02 10:00:00.400', held, held);
    desk.book(deposit('2026-03-02 10:00', 500));
    desk.see('2026-03-02 11:00', 10_500, 10_500);
    addTracker(desk.account, trackerOf({ id: 'late' }), desk.rules);
    desk.see('2026-03-02 12:00', 10_500, 10_500);
    assert.equal(desk.period()?.adjustment, usd(500));
    assert.equal(desk.period()?.maxAbsoluteProfit, 0, `${initial}`);
    assert.equal(desk.period('late')?.initialBalance, usd(10_500));
  }
});

test('snapshots of one moment are folded in their order, the last one stands', () => {
  const desk = new LiveDesk([{ period: 'lifetime', baseline: 'peakEquity' }]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  assert.equal(desk.see('2026-03-02 10:01', 10_000, 10_300), 'accepted');
  assert.equal(desk.see('2026-03-02 10:01', 10_000, 10_200), 'accepted');
  assert.equal(desk.account.equity, usd(10_200));
  assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(100));
  assert.equal(desk.period()?.maxAbsoluteProfit, usd(300));
});

test('snapshots of one moment sent again change nothing, whatever became known since', () => {
  const resend = (desk: LiveDesk) => {
    desk.see('2026-03-02 10:01', 10_000, 10_300);
    desk.see('2026-03-02 10:01', 10_000, 10_200);
  };
  const changes: ((desk: LiveDesk) => void)[] = [
    () => {},
    (desk) => desk.book(deposit('2026-03-02 10:02', 5000)),
    (desk) => desk.book(deposit('2026-03-02 10:00:30', -5000)),
    (desk) => desk.book(dealOf('DEAL_TYPE_SELL', '2026-03-03 10:00', 50)),
    (desk) => addTracker(desk.account, trackerOf({ id: 'new' }), desk.rules),
  ];
  for (const change of changes) {
    const desk = new LiveDesk([{ id: 'peak', baseline: 'peakEquity' }, { id: 'plain' }]);
    desk.see('2026-03-02 10:00', 10_000, 10_000);
    resend(desk);
    change(desk);
    const before = encodeLiveAccount(desk.account);
    resend(desk);
    assert.deepEqual(encodeLiveAccount(desk.account), before, `${change}`);
  }
});

test('a repeated first snapshot is not measured from a peak that came second in its moment', () => {
  const desk = new LiveDesk([{ id: 'peak', baseline: 'peakEquity' }]);
  const resend = (): void => {
    desk.see('2026-03-02 10:01', 10_000, 9_900);
    desk.see('2026-03-02 10:01', 10_000, 10_400);
  };
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  resend();
  const before = encodeLiveAccount(desk.account);
  resend();
  assert.deepEqual(encodeLiveAccount(desk.account), before);
  assert.equal(desk.period('peak')?.maxAbsoluteDrawdown, usd(100));
});

test('a deposit with the second snapshot of a moment is taken out of it', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 10:01', 10_000, 10_100);
  desk.see('2026-03-02 10:01', 15_000, 15_300, [deposit('2026-03-02 10:01', 5000)]);
  assert.equal(desk.period()?.maxAbsoluteProfit, usd(300));
});

test('another balance at the same moment and equity is no duplicate', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  assert.equal(desk.see('2026-03-02 10:00', 10_200, 10_000), 'accepted');
  assert.equal(desk.account.balance, usd(10_200));
});
