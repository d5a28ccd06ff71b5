import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dealOf, deposit, LiveDesk, trackerOf, usd } from '../../../test/simulation/live-desk.ts';
import { addTracker } from './tracker-changes.ts';

const LIMITS = { relativeDrawdownThreshold: 0.05, relativeProfitThreshold: 0.05 };

describe('a deal that comes before a snapshot that was taken before it', () => {
  it('is neither a loss nor a gain in that snapshot, nor in the next', () => {
    for (const money of [4000, -4000]) {
      const desk = new LiveDesk([LIMITS]);
      desk.see('2026-03-02 10:00:00', 10_000, 10_000);
      desk.book(deposit('2026-03-02 10:00:05', money));
      desk.see('2026-03-02 10:00:03', 10_000, 9990);
      assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(10));
      desk.see('2026-03-02 10:00:06', 10_000 + money, 9980 + money);
      assert.deepEqual(desk.events, []);
      assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(20));
      assert.equal(desk.period()?.maxAbsoluteProfit, 0);
    }
  });

  it('is neither where that snapshot is the first of its account', () => {
    for (const type of ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'] as const) {
      for (const money of [4000, -4000]) {
        const desk = new LiveDesk([{ ...LIMITS, adjustDeals: [type] }]);
        desk.book({ ...deposit('2026-03-02 10:00:05', money), type });
        desk.see('2026-03-02 10:00:00', 10_000, 10_000);
        const balance = type === 'DEAL_TYPE_BALANCE' ? 10_000 + money : 10_000;
        desk.see('2026-03-02 10:00:06', balance, 9990 + money);
        assert.deepEqual(desk.events, []);
        assert.equal(desk.period()?.adjustment, usd(money));
        assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(10));
        assert.equal(desk.period()?.maxAbsoluteProfit, 0);
      }
    }
  });

  it('hides no loss that is true', () => {
    const desk = new LiveDesk([LIMITS]);
    desk.see('2026-03-02 10:00:00', 10_000, 10_000);
    desk.book(deposit('2026-03-02 10:00:05', 4000));
    desk.see('2026-03-02 10:00:03', 10_000, 9499.99);
    const [event] = desk.events;
    assert.equal(event?.absoluteDrawdown, usd(500.01));
    assert.equal(event?.adjustment, 0);
  });

  it('is in the snapshot if the balance says so, whatever a coarse clock says', () => {
    const desk = new LiveDesk([LIMITS]);
    desk.see('2026-03-02 10:00:00.000', 10_000, 10_000);
    desk.book(deposit('2026-03-02 10:00:05.000', 4000));
    desk.see('2026-03-02 10:00:04.600', 14_000, 13_990);
    assert.deepEqual(desk.events, []);
    assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(10));
    desk.see('2026-03-02 10:00:04.800', 14_000, 13_980);
    assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(20));
  });

  it('is told from others of the same time by the balance', () => {
    const desk = new LiveDesk([LIMITS]);
    desk.see('2026-03-02 10:00:00', 10_000, 10_000);
    desk.book(deposit('2026-03-02 10:00:05', 4000), deposit('2026-03-02 10:00:06', -3000));
    desk.see('2026-03-02 10:00:04', 14_000, 14_000);
    assert.equal(desk.account.newerMoney, usd(-3000));
    desk.see('2026-03-02 10:00:05', 14_000, 13_990);
    desk.see('2026-03-02 10:00:07', 11_000, 10_980);
    assert.deepEqual(desk.events, []);
    assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(20));
  });

  it('is in a snapshot of less than a second before it where unknown trades hide it', () => {
    const desk = new LiveDesk([LIMITS]);
    desk.see('2026-03-02 10:00:00.000', 10_000, 10_000);
    desk.book(deposit('2026-03-02 10:00:05.000', 4000));
    desk.see('2026-03-02 10:00:04.600', 10_010, 9990);
    assert.equal(desk.account.newerMoney, 0);
    assert.equal(desk.events[0]?.absoluteDrawdown, usd(4010));
  });

  it('is told by its time where the balance does not hold it', () => {
    const credits = { ...LIMITS, adjustDeals: ['DEAL_TYPE_CREDIT'] as const };
    const desk = new LiveDesk([credits]);
    desk.see('2026-03-02 10:00:00', 10_000, 10_000);
    desk.book(dealOf('DEAL_TYPE_CREDIT', '2026-03-02 10:00:05', 4000));
    desk.see('2026-03-02 10:00:03', 10_000, 9990);
    desk.see('2026-03-02 10:00:06', 10_000, 13_980);
    assert.deepEqual(desk.events, []);
    assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(20));
  });

  it('does not let an account that it funds lose what has not come yet', () => {
    const desk = new LiveDesk([LIMITS]);
    desk.see('2026-03-02 10:00:00', 0, 0);
    desk.book(deposit('2026-03-02 10:00:05', 10_000));
    desk.see('2026-03-02 10:00:03', 0, 0);
    assert.deepEqual(desk.events, []);
    desk.see('2026-03-02 10:00:06', 10_000, 9500);
    assert.deepEqual(desk.events, []);
    assert.equal(desk.period()?.initialBalance, usd(10_000));
    assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(500));
  });

  it('is no money at the start of a tracker that was added after it', () => {
    const desk = new LiveDesk();
    desk.see('2026-03-02 10:00:00', 10_000, 10_000);
    desk.book(deposit('2026-03-02 10:00:05', 4000));
    addTracker(desk.account, trackerOf(LIMITS), desk.rules);
    desk.see('2026-03-02 10:00:03', 10_000, 9990);
    assert.equal(desk.period()?.initialBalance, usd(10_000));
    desk.see('2026-03-02 10:00:06', 14_000, 13_980);
    assert.deepEqual(desk.events, []);
    assert.equal(desk.period()?.maxAbsoluteDrawdown, usd(20));
    assert.equal(desk.period()?.maxAbsoluteProfit, 0);
  });
});
