import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { FoldedFeed } from '../../../test/simulation/fold-feed.ts';
import { at, deposit, LiveDesk, usd } from '../../../test/simulation/live-desk.ts';
import { orderlyBatches, orderlyMoments } from '../../../test/simulation/orderly-feed.ts';
import { SIMULATED_CLOCKS } from '../../../test/simulation/simulated-accounts.ts';
import { type FeedBatch, liveDealOfWire, timeOfWire } from '../../../test/simulation/wire.ts';
import { PERIOD_WORDS } from '../../words/periods.ts';
import { BASELINE_WORDS } from '../../words/trackers.ts';
import { type LimitRoom, limitRoom } from './limit-room.ts';
import { limitSteps, type TimeRange } from './limit-steps.ts';
import type { LiveDeal } from './live-records.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import { runningPeriod } from './tracker-records.ts';

const ALWAYS = { fromMs: 0, toMs: at('2030-01-01') };

/** The steps of a desk's tracker in readable times and whole money. */
function stepsOf(desk: LiveDesk, deals: readonly LiveDeal[] = [], range: TimeRange = ALWAYS) {
  const { account, effects } = desk;
  const [tracker] = account.trackers;
  const running = tracker && runningPeriod(account, tracker);
  assert.ok(tracker && running);
  const periods = [...effects.completedPeriods, running];
  const { lastTimeMs } = account;
  const history = { periods, deals, hours: effects.closedBuckets, lastTimeMs };
  const steps = limitSteps(tracker.rule, account.clock, history, range);
  return steps.map(({ startTimeMs, endTimeMs, floor = 0, target = 0 }) => [
    new Date(startTimeMs).toISOString().slice(5, 16),
    new Date(endTimeMs).toISOString().slice(5, 16),
    floor / usd(1),
    target / usd(1),
  ]);
}

test('each period has its floor and target, with gaps outside of periods', () => {
  const desk = new LiveDesk([
    { relativeDrawdownThreshold: 0.05, absoluteProfitThreshold: usd(500) },
  ]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 12:00', 12_000, 12_000);
  desk.see('2026-03-04 10:00', 12_000, 12_000);
  assert.deepEqual(stepsOf(desk), [
    ['03-02T00:00', '03-02T23:59', 9500, 10_500],
    ['03-04T00:00', '03-04T23:59', 11_400, 12_500],
  ]);
  const range = { fromMs: at('2026-03-02 06:00'), toMs: at('2026-03-03 06:00') };
  assert.deepEqual(stepsOf(desk, [], range), [['03-02T06:00', '03-02T23:59', 9500, 10_500]]);
});

test('a deposit moves both from its time on, unless it is in the initial balance', () => {
  const desk = new LiveDesk([{ absoluteDrawdownThreshold: usd(500) }]);
  const deals = [
    deposit('2026-03-02 09:00', 10_000),
    deposit('2026-03-02 11:00', 5000),
    deposit('2026-03-02 12:00', -1000),
  ];
  desk.see('2026-03-02 10:00', 10_000, 10_000, deals.slice(0, 1));
  desk.see('2026-03-02 11:30', 15_000, 15_000, deals.slice(1, 2));
  desk.see('2026-03-02 12:30', 14_000, 14_000, deals.slice(2));
  assert.deepEqual(stepsOf(desk, deals), [
    ['03-02T00:00', '03-02T10:59', 9500, 0],
    ['03-02T11:00', '03-02T11:59', 14_500, 0],
    ['03-02T12:00', '03-02T23:59', 13_500, 0],
  ]);
});

test('a floor that trails the equity rises with the ends of hours, and stops at its lock', () => {
  const desk = new LiveDesk([
    {
      period: 'lifetime',
      baseline: 'peakEquity',
      absoluteDrawdownThreshold: usd(1000),
      lockAt: usd(10_000),
    },
  ]);
  desk.see('2026-03-02 10:10', 10_000, 10_000);
  desk.see('2026-03-02 11:10', 10_000, 10_400);
  desk.see('2026-03-02 11:20', 10_000, 10_100);
  desk.see('2026-03-02 12:10', 10_000, 10_300);
  desk.see('2026-03-02 13:10', 10_000, 15_000);
  desk.see('2026-03-02 14:10', 10_000, 15_000);
  assert.deepEqual(stepsOf(desk, [], { ...ALWAYS, toMs: at('2026-03-02 20:00') }), [
    ['03-02T10:10', '03-02T11:59', 9000, 0],
    ['03-02T12:00', '03-02T13:59', 9400, 0],
    ['03-02T14:00', '03-02T20:00', 10_000, 0],
  ]);
});

test('a floor that trails the balances of days rises with their ends', () => {
  const desk = new LiveDesk([
    { period: 'lifetime', baseline: 'peakEndOfDayBalance', relativeDrawdownThreshold: 0.1 },
  ]);
  desk.see('2026-03-02 10:10', 10_000, 10_000);
  desk.see('2026-03-02 18:10', 11_000, 11_000);
  desk.see('2026-03-04 11:10', 11_000, 11_000);
  desk.see('2026-03-04 12:10', 11_000, 11_000);
  assert.deepEqual(stepsOf(desk, [], { ...ALWAYS, toMs: at('2026-03-04 20:00') }), [
    ['03-02T10:10', '03-02T23:59', 9000, 0],
    ['03-03T00:00', '03-04T20:00', 9900, 0],
  ]);
});

test('without thresholds there are no steps', () => {
  const desk = new LiveDesk([{}]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  assert.deepEqual(stepsOf(desk), []);
});

const START = Date.UTC(2026, 2, 1, 20);
const dealsOf = (batch: FeedBatch) =>
  batch.kind === 'deals' ? batch.deals : batch.snapshots.flatMap(({ deals }) => deals ?? []);

test('the steps are the floors and targets in force, and no higher for trailing ones', () => {
  const definitions = fc.record({
    period: fc.constantFrom(...PERIOD_WORDS),
    baseline: fc.constantFrom(...BASELINE_WORDS),
    inclusive: fc.boolean(),
    startTimeMs: fc.constantFrom(undefined, START + 25 * 3_600_000),
    relativeDrawdownThreshold: fc.constantFrom(0.05, 0.9),
    absoluteProfitThreshold: fc.constant(usd(20_000)),
  });
  const seeds = fc.integer({ min: 1, max: 2 ** 30 });
  let compared = 0;
  fc.assert(
    fc.property(seeds, definitions, (seed, parts) => {
      const clock = SIMULATED_CLOCKS[seed % 3];
      assert.ok(clock);
      const options = { seed, clock, startUtcMs: START, days: 6, perHour: 6, credit: false };
      const capital = parts.baseline === 'initialCapital' ? { initialCapital: usd(50_000) } : {};
      const tracker: TrackerDefinition = { ...parts, ...capital, id: 't', name: 't' };
      const feed = new FoldedFeed([{ id: 'account', clock, trackers: [tracker] }]);
      const batches = orderlyBatches(orderlyMoments(options), seed);
      const account = feed.accountOf('account');
      const [live] = account.trackers;
      assert.ok(live);
      const shown: (LimitRoom & { timeMs: number; isLast: boolean })[] = [];
      for (const batch of batches) {
        feed.fold(batch);
        const room = limitRoom(account, live);
        if (batch.kind === 'deals' || !room || !(live.initialBalance > 0)) continue;
        const timeMs = timeOfWire(batch.snapshots[0]?.brokerTime ?? '');
        shown.push({ ...room, timeMs, isLast: batch === batches.at(-1) });
      }
      const { statistics: periods, buckets } = feed.outcomeOf('account');
      const hours = buckets.map((hour) => ({ ...hour, hasLateExtremes: false }));
      const deals = batches.flatMap(dealsOf).map(liveDealOfWire);
      deals.sort((a, b) => a.timeMs - b.timeMs);
      const { lastTimeMs } = account;
      const history = { periods, deals, hours, lastTimeMs };
      const steps = limitSteps(live.rule, account.clock, history, ALWAYS);
      for (const { timeMs, floor, target, isLast } of shown) {
        const step = steps.find((one) => timeMs >= one.startTimeMs && timeMs <= one.endTimeMs);
        assert.equal(step?.target, target);
        const isExact = !live.rule.trailing || isLast;
        if (isExact) assert.equal(step?.floor, floor);
        else assert.ok(step?.floor !== undefined && floor !== undefined && step.floor <= floor);
        compared += 1;
      }
    }),
    { numRuns: 100 },
  );
  assert.ok(compared > 5000, `only ${compared} moments were compared`);
});
