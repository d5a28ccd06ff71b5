import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DealType } from '../../words/deals.ts';
import { HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import { type CapitalDeal, CapitalFlow, MAX_BOOKINGS, type Reading } from './capital-flow.ts';

const at = (hour: number, minute: number) => hour * HOUR_MS + minute * MINUTE_MS;
const capitalDeal = (
  timeMs: number,
  money: number,
  type: DealType = 'DEAL_TYPE_BALANCE',
): CapitalDeal => ({ timeMs, money, type });
/** A snapshot taken at some time in an hour. */
const inHour = (hour: number, balance: number, equity = balance): Reading => ({
  ...{ fromMs: at(hour, 0), toMs: at(hour + 1, 0), balance, equity },
});

const moneyOf = (
  capital: readonly CapitalDeal[],
  readings: readonly Reading[],
  trades: readonly { timeMs: number; money: number }[] = [],
): number[] => {
  const flow = new CapitalFlow(capital);
  return readings.map((reading) => {
    const range = flow.needs(reading);
    const needed = trades.filter(
      ({ timeMs }) => range && timeMs >= range.fromMs && timeMs < range.toMs,
    );
    return flow.next(reading, needed).money;
  });
};

describe('deposits and withdrawals in a reading', () => {
  it('the balance, not the time, places a withdrawal after the last snapshot of an hour', () => {
    const out = [capitalDeal(at(1, 30), -5000)];
    const shownInTheHour = [inHour(0, 10_000), inHour(1, 10_000), inHour(1, 5000), inHour(2, 5000)];
    assert.deepEqual(moneyOf(out, shownInTheHour), [0, 0, -5000, 0]);
    const shownLater = [inHour(0, 10_000), inHour(1, 10_000), inHour(1, 10_000), inHour(2, 5000)];
    assert.deepEqual(moneyOf(out, shownLater), [0, 0, 0, -5000]);
  });

  it('trades that moved the balance more than the deposit are considered', () => {
    const paid = [capitalDeal(at(1, 30), 100)];
    const trades = [
      { timeMs: at(1, 10), money: -700 },
      { timeMs: at(1, 40), money: 300 },
    ];
    const course = (last: number) => [inHour(0, 10_000), inHour(1, last), inHour(2, 9700)];
    assert.deepEqual(moneyOf(paid, course(9300), trades), [0, 0, 100]);
    assert.deepEqual(moneyOf(paid, course(9400), trades), [0, 100, 0]);
    assert.deepEqual(moneyOf(paid, course(9700), trades), [0, 100, 0]);
  });

  it('a deposit shown by the first snapshot is no gain', () => {
    const paid = [capitalDeal(at(1, 5), 10_000)];
    const course = [inHour(1, 10_000), inHour(1, 10_000), inHour(2, 10_000)];
    assert.deepEqual(moneyOf(paid, course), [0, 0, 0]);
  });

  it('a deposit after the first snapshots is no gain', () => {
    const paid = [capitalDeal(at(1, 5), 10_000)];
    assert.deepEqual(moneyOf(paid, [inHour(1, 100), inHour(1, 100), inHour(2, 10_100)]), [
      ...[0, 0, 10_000],
    ]);
  });

  it('the equity places credit, which moves nothing else', () => {
    const credit = [capitalDeal(at(1, 30), 500, 'DEAL_TYPE_CREDIT')];
    const later = [inHour(0, 1000), inHour(1, 1000, 990), inHour(2, 1000, 1490)];
    assert.deepEqual(moneyOf(credit, later), [0, 0, 500]);
    const now = [inHour(0, 1000), inHour(1, 1000, 1490), inHour(2, 1000, 1490)];
    assert.deepEqual(moneyOf(credit, now), [0, 500, 0]);
  });

  it('clocks may differ by seconds', () => {
    const early = [capitalDeal(at(2, 0) + 30_000, -5000)];
    assert.deepEqual(
      moneyOf(
        early,
        [10_000, 5000, 5000].map((each, hour) => inHour(hour, each)),
      ),
      [...[0, -5000, 0]],
    );
    const late = [capitalDeal(at(1, 0) - 30_000, -5000)];
    const course = [inHour(0, 10_000), inHour(1, 10_000), inHour(1, 5000)];
    assert.deepEqual(moneyOf(late, course), [0, 0, -5000]);
  });

  it('times decide if there are too many deals to try', () => {
    const flow = new CapitalFlow([capitalDeal(at(1, 30), 100)]);
    flow.next(inHour(0, 1000));
    const trades = Array.from({ length: MAX_BOOKINGS + 1 }, (_, index) => {
      return { timeMs: at(0, 50) + index, money: -1 };
    });
    assert.equal(flow.next(inHour(1, 700), trades).money, 100);
    const many = Array.from({ length: MAX_BOOKINGS + 5 }, (_, index) =>
      capitalDeal(at(1, 1) + index, 1),
    );
    assert.deepEqual(moneyOf(many, [inHour(1, 205), inHour(1, 205), inHour(2, 205)]), [0, 0, 0]);
  });
});
