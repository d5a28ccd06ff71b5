import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FoldEffects } from '../../src/domain/live/live-records.ts';
import { PERIOD_WORDS, type TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { runningPeriod } from '../../src/domain/live/tracker-records.ts';
import { addSeededTracker } from '../../src/domain/live/tracker-seed.ts';
import { FoldedFeed } from './fold-feed.ts';
import { simulatedAccounts } from './simulated-accounts.ts';
import { simulateFeed } from './simulated-feed.ts';
import { liveDealOfWire, moneyOfWire } from './wire.ts';

const START = Date.UTC(2026, 2, 6, 20);
const TRACKER_START = START + 30 * 3_600_000;

/** What a tracker found that was there all the time, and what it finds when it is added at the end. */
function liveAndSeeded(seed: number, parts: Partial<TrackerDefinition>) {
  const [account] = simulatedAccounts(seed, 4, 1, START).slice(seed % 4);
  assert.ok(account);
  const tracker = { id: 't', name: 't', period: 'date', startTimeMs: TRACKER_START } as const;
  const definition: TrackerDefinition = { ...tracker, ...parts };
  const options = { seed, accounts: [account], startUtcMs: START, days: 8, pace: 2, faults: false };
  const batches = [...simulateFeed(options)];
  const feed = new FoldedFeed([{ ...account, trackers: [definition] }]);
  for (const batch of batches) feed.fold(batch);
  const live = feed.outcomeOf(account.id);
  const now = feed.accountOf(account.id);
  now.detach('t');
  const deals = batches
    .flatMap((batch) => (batch.kind === 'deals' ? [] : batch.snapshots))
    .flatMap((snapshot) => snapshot.deals ?? [])
    .map(liveDealOfWire)
    .sort((a, b) => a.timeMs - b.timeMs);
  const effects = new FoldEffects();
  const history = { buckets: live.buckets, deals };
  const seeded = addSeededTracker(now, definition, feed.rules, history, effects);
  const running = runningPeriod(now, seeded);
  const statistics = [...effects.completedPeriods, ...(running ? [running] : [])];
  return { live, seeded: { statistics, events: effects.events } };
}

const seeds = fc.integer({ min: 1, max: 1_000_000 });
const definitions = fc.record({
  period: fc.constantFrom(...PERIOD_WORDS),
  baseline: fc.constantFrom('startBalance', 'initialCapital', 'peakEquity', 'peakEndOfDayBalance'),
  initialCapital: fc.constant(moneyOfWire(100_000)),
});

test('a seeded tracker has the periods and balances of one that was there, and no larger maxima', () => {
  fc.assert(
    fc.property(seeds, definitions, (seed, parts) => {
      const { live, seeded } = liveAndSeeded(seed, parts);
      assert.equal(seeded.statistics.length, live.statistics.length);
      seeded.statistics.forEach((period, index) => {
        const expected = live.statistics[index];
        assert.ok(expected);
        assert.equal(period.startTimeMs, expected.startTimeMs);
        assert.equal(period.endTimeMs, expected.endTimeMs);
        assert.equal(period.periodStatus, expected.periodStatus);
        assert.equal(period.initialBalance, expected.initialBalance);
        assert.equal(period.tradeDayCount, expected.tradeDayCount);
        assert.ok(period.maxAbsoluteDrawdown <= expected.maxAbsoluteDrawdown);
        assert.ok(period.maxAbsoluteProfit <= expected.maxAbsoluteProfit);
      });
    }),
    { numRuns: 150 },
  );
});

test('an event of a seeded tracker is an event of one that was there', () => {
  let events = 0;
  fc.assert(
    fc.property(seeds, definitions, (seed, parts) => {
      const absoluteDrawdownThreshold = moneyOfWire(1500);
      const { live, seeded } = liveAndSeeded(seed, { ...parts, absoluteDrawdownThreshold });
      const periods = new Set(live.events.map(({ startTimeMs }) => startTimeMs));
      for (const { startTimeMs } of seeded.events) assert.ok(periods.has(startTimeMs));
      events += seeded.events.length;
    }),
    { numRuns: 60 },
  );
  assert.ok(events > 50, `only ${events} events came up`);
});
