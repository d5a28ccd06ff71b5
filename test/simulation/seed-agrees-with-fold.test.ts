import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokerClockView } from '../../src/domain/live/broker-clock-view.ts';
import { encodeLiveAccount } from '../../src/domain/live/live-account-codec.ts';
import type { PeriodStatistics, TrackerEvent } from '../../src/domain/live/live-records.ts';
import { attachTracker } from '../../src/domain/live/tracker-changes.ts';
import type { ResetClock, TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { PERIOD_WORDS } from '../../src/words/periods.ts';
import { BASELINE_WORDS } from '../../src/words/trackers.ts';
import { fc } from '../properties.ts';
import { type AccountOutcome, FoldedFeed } from './fold-feed.ts';
import { expectedOfTrackers } from './oracle.ts';
import {
  disorderlyBatches,
  type OrderlyOptions,
  orderlyBatches,
  orderlyMoments,
} from './orderly-feed.ts';
import { seedTracker } from './seed-tracker.ts';
import { SIMULATED_CLOCKS } from './simulated-accounts.ts';
import { type FeedBatch, liveDealOfWire, moneyOfWire, type WireDeal } from './wire.ts';

const HOUR = 3_600_000;
/** Weeks in which New York, Europe or Lord Howe change to and from summer time. */
const STARTS = [
  Date.UTC(2026, 2, 1, 20),
  Date.UTC(2026, 2, 22, 20),
  Date.UTC(2026, 8, 26, 20),
  Date.UTC(2026, 9, 18, 20),
];
const DAYS = 18;

const RUNS = 50;
const seeds = fc.integer({ min: 1, max: 2 ** 30 });
const shares = fc.double({ min: 0.3, max: 1, noNaN: true });
const capital = moneyOfWire(100_000);
const trackers = fc.record({
  period: fc.constantFrom(...PERIOD_WORDS),
  baseline: fc.constantFrom(...BASELINE_WORDS),
  initialCapital: fc.constantFrom(undefined, capital),
  limitBase: fc.constantFrom(undefined, 'initialCapital'),
  adjustDeals: fc.constantFrom(undefined, ['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT'], []),
  inclusive: fc.boolean(),
  judgedAtEnd: fc.boolean(),
  lock: fc.boolean(),
  startHour: fc.integer({ min: -30, max: 24 * DAYS }),
});
type Parts = typeof trackers extends fc.Arbitrary<infer T> ? T : never;

/** An account of which a seed tells the clock and when it begins. */
function accountOf(seed: number) {
  const clock = SIMULATED_CLOCKS[seed % SIMULATED_CLOCKS.length];
  const startUtcMs = STARTS[Math.floor(seed / 7) % STARTS.length];
  assert.ok(clock && startUtcMs);
  return { seed, clock, startUtcMs, days: DAYS };
}

/**
 * A tracker of the account; its start is a whole hour by the account's clock unless told otherwise.
 */
function definitionOf(
  { startUtcMs }: { startUtcMs: number },
  parts: Parts,
  more: Partial<TrackerDefinition>,
): TrackerDefinition {
  const { lock, startHour, limitBase, adjustDeals, ...rest } = parts;
  const needsCapital = rest.baseline === 'initialCapital' || limitBase !== undefined;
  const definition = { ...rest, ...more, id: 't', name: 't', limitBase, adjustDeals };
  const isTrailing = rest.baseline.startsWith('peak');
  const hasLimit = more.absoluteDrawdownThreshold ?? more.relativeDrawdownThreshold;
  return {
    startTimeMs: startUtcMs + startHour * HOUR,
    ...definition,
    initialCapital: needsCapital ? capital : rest.initialCapital,
    lockAt: lock && isTrailing && hasLimit !== undefined ? capital : undefined,
  } as TrackerDefinition;
}

/**
 * The same tracker as the definitions have it when it was there all the time, and as it is found
 * when it is added after a share of the feed. It is found in what is stored by then, which may have
 * arrived in disorder: that is compared with the tracker that saw it in order.
 */
function liveAndSeeded(
  options: OrderlyOptions,
  definition: TrackerDefinition,
  share: number,
  isOrderly = true,
) {
  const account = { id: 'account', clock: options.clock, trackers: [definition] };
  const moments = orderlyMoments(options);
  const orderly = orderlyBatches(moments, options.seed);
  const batches = isOrderly ? orderly : disorderlyBatches(moments, options.seed);
  const cut = Math.ceil(batches.length * share);
  const feed = new FoldedFeed([{ ...account, trackers: [] }]);
  for (const batch of batches.slice(0, cut)) feed.fold(batch);
  const now = feed.accountOf('account');
  const before = encodeLiveAccount(now);
  const hours = feed.closedHoursOf('account');
  const sent = batches.slice(0, cut).flatMap(dealsOf).map(liveDealOfWire);
  const deals = [...new Map(sent.map((deal) => [deal.id, deal])).values()];
  const seeded = seedTracker(now, definition, feed.rules, { hours, deals }, 100);
  assert.deepEqual(encodeLiveAccount(now), before);
  attachTracker(now, seeded.tracker);
  for (const batch of batches.slice(cut)) feed.fold(batch);
  const { statistics, events } = feed.outcomeOf('account');
  return {
    /** In an hour that is shown twice, a small step back is taken for late: see BrokerClockView. */
    hasLate: hours.some(({ hasLateExtremes }) => hasLateExtremes),
    live: expectedOfTrackers(account, orderly),
    seeded: {
      statistics: [...seeded.completedPeriods, ...statistics],
      events: [...seeded.events, ...events],
    },
  };
}

const dealsOf = (batch: FeedBatch): WireDeal[] =>
  batch.kind === 'deals' ? batch.deals : batch.snapshots.flatMap(({ deals }) => deals ?? []);

const untimed = ({ maxDrawdownTimeMs, maxProfitTimeMs, ...rest }: PeriodStatistics) => rest;
const untimedEvent = ({ timeMs, ...rest }: TrackerEvent) => rest;

const LOSS = { relativeDrawdownThreshold: 0.04 };
const GAIN = { relativeProfitThreshold: 0.03 };
const LOSS_OF_MONEY = { absoluteDrawdownThreshold: moneyOfWire(2000) };
const GAIN_OF_MONEY = { absoluteProfitThreshold: moneyOfWire(1500) };

test('fed at most twice an hour, a seeded tracker equals one that existed all along', () => {
  const limits = fc.constantFrom({}, LOSS, GAIN, LOSS_OF_MONEY, { ...LOSS_OF_MONEY, ...GAIN });
  let events = 0;
  fc.assert(
    fc.property(seeds, trackers, limits, shares, (seed, parts, more, share) => {
      const kind = { perHour: 2, credit: false, skewed: seed % 2 === 0 };
      const options = { ...accountOf(seed), ...kind };
      const definition = definitionOf(options, parts, more);
      const { live, seeded, hasLate } = liveAndSeeded(options, definition, share);
      fc.pre(!hasLate);
      assert.deepEqual(seeded.statistics.map(untimed), live.statistics.map(untimed));
      assert.deepEqual(seeded.events.map(untimedEvent), live.events.map(untimedEvent));
      events += live.events.length;
    }),
    { numRuns: RUNS },
  );
  assert.ok(events > RUNS / 3, `only ${events} events came up`);
});

test('a seeded tracker reaches the verdicts at the ends of past periods', () => {
  let events = 0;
  fc.assert(
    fc.property(seeds, trackers, (seed, parts) => {
      const options = { ...accountOf(seed), perHour: 2, credit: false, skewed: seed % 2 === 0 };
      const limit = { absoluteDrawdownThreshold: moneyOfWire(300), judgedAtEnd: true };
      const definition = definitionOf(options, { ...parts, period: 'date' }, limit);
      const { live, seeded, hasLate } = liveAndSeeded(options, definition, 0.9);
      fc.pre(!hasLate);
      assert.deepEqual(seeded.events.map(untimedEvent), live.events.map(untimedEvent));
      events += live.events.length;
    }),
    { numRuns: RUNS },
  );
  assert.ok(events > RUNS, `only ${events} events came up`);
});

/** Trackers of any reset clock and any start, also within an hour. */
const anyTrackers = fc.record({
  resetClock: fc.constantFrom(
    undefined,
    { zone: 'Europe/Prague', time: '00:00' },
    { zone: 'UTC', time: '00:30' },
    { zone: 'Asia/Kolkata', time: '17:15' },
  ),
  minutes: fc.integer({ min: 0, max: 59 }),
});

/** Both as they are found when snapshots come as often as that, whatever the tracker. */
function denselyFed(
  seed: number,
  parts: Parts,
  any: { resetClock: ResetClock | undefined; minutes: number },
  more: Partial<TrackerDefinition>,
  share: number,
  { isOrderly, ...kind }: Partial<OrderlyOptions> & { isOrderly?: boolean } = {},
) {
  const options = { ...accountOf(seed), perHour: 12, ...kind };
  const whole = definitionOf(options, parts, { ...more, resetClock: any.resetClock });
  const startTimeMs = (whole.startTimeMs ?? 0) + any.minutes * 60_000;
  return liveAndSeeded(options, { ...whole, startTimeMs }, share, isOrderly);
}

type Outcome = Pick<AccountOutcome, 'statistics' | 'events'>;

/** Each period of the seeded tracker with the same one of the other. */
function pairsOf({ live, seeded }: { live: Outcome; seeded: Outcome }) {
  return seeded.statistics.flatMap((period) => {
    const same = live.statistics.find((one) => one.startTimeMs === period.startTimeMs);
    return same ? [{ period, same }] : [];
  });
}

function assertSamePeriods(found: { live: Outcome; seeded: Outcome }): void {
  for (const { period, same } of pairsOf(found)) {
    assert.equal(period.endTimeMs, same.endTimeMs);
    assert.equal(period.initialBalance, same.initialBalance);
    assert.equal(period.tradeDayCount, same.tradeDayCount);
  }
}

const MAXIMA = [
  'maxAbsoluteDrawdown',
  'maxRelativeDrawdown',
  'maxAbsoluteProfit',
  'maxRelativeProfit',
] as const;

function assertNoLargerMaxima(found: { live: Outcome; seeded: Outcome }): void {
  for (const { period, same } of pairsOf(found)) {
    for (const maximum of MAXIMA) {
      // More than all of a start that is known by a lower bound is a larger part of that.
      const isAll = maximum === 'maxRelativeDrawdown' && same.maxRelativeDrawdown > 1;
      const isLess = period[maximum] <= same[maximum];
      assert.ok(isAll || isLess, `${maximum} of the period from ${period.startTimeMs}`);
    }
  }
}

function assertNoOtherEvents({ live, seeded }: { live: Outcome; seeded: Outcome }): void {
  const periods = new Set(live.events.map(({ startTimeMs }) => startTimeMs));
  for (const { startTimeMs } of seeded.events) {
    assert.ok(periods.has(startTimeMs), `the period from ${startTimeMs} had no event`);
  }
}

test('however fed, it has the same periods, balances and trade days', () => {
  fc.assert(
    fc.property(seeds, trackers, anyTrackers, shares, (seed, parts, any, share) => {
      assertSamePeriods(denselyFed(seed, parts, any, {}, share, { credit: false }));
    }),
    { numRuns: RUNS },
  );
});

test('however fed, its maxima are not larger', () => {
  let found = 0;
  fc.assert(
    fc.property(seeds, trackers, anyTrackers, shares, (seed, parts, any, share) => {
      const outcome = denselyFed(seed, parts, any, {}, share);
      assertNoLargerMaxima(outcome);
      const { statistics } = outcome.seeded;
      found += statistics.filter(({ maxAbsoluteDrawdown }) => maxAbsoluteDrawdown > 0).length;
    }),
    { numRuns: RUNS },
  );
  assert.ok(found > RUNS, `only ${found} maxima came up`);
});

const ONE_SIDED = [LOSS, GAIN, LOSS_OF_MONEY, GAIN_OF_MONEY] as const;
const anyLimits = fc.constantFrom(...ONE_SIDED, { ...LOSS, ...GAIN_OF_MONEY });

test('however fed, each of its events is also one of a tracker that existed all along', () => {
  let events = 0;
  fc.assert(
    fc.property(
      seeds,
      trackers,
      anyTrackers,
      anyLimits,
      shares,
      (seed, parts, any, more, share) => {
        const outcome = denselyFed(seed, parts, any, more, share);
        assertNoOtherEvents(outcome);
        events += outcome.seeded.events.length;
      },
    ),
    { numRuns: RUNS },
  );
  assert.ok(events > RUNS / 3, `only ${events} events came up`);
});

/**
 * Leaves out periods that begin or end in time that the clock shows twice: which pass a deal of it
 * is of is told by the order alone, so in disorder by nothing.
 */
function toldPeriods<Found extends { seeded: Outcome }>(seed: number, found: Found): Found {
  const clock = new BrokerClockView(accountOf(seed).clock);
  const isTwice = (timeMs: number): boolean => {
    const firstUtcMs = clock.utcOf(timeMs, Number.NaN);
    return [HOUR / 2, HOUR].some((step) => clock.brokerTimeOf(firstUtcMs + step) === timeMs);
  };
  const statistics = found.seeded.statistics.filter(
    ({ startTimeMs, endTimeMs = 0 }) => !isTwice(startTimeMs) && !isTwice(endTimeMs),
  );
  const told = new Set(statistics.map(({ startTimeMs }) => startTimeMs));
  const events = found.seeded.events.filter(({ startTimeMs }) => told.has(startTimeMs));
  return { ...found, seeded: { statistics, events } };
}

test('late and disordered data are judged as if they had come in order', () => {
  const kind = { isOrderly: false };
  // A late snapshot widens its hour, but is not what an hour ended with: no start equity.
  const baselines = BASELINE_WORDS.filter((one) => one !== 'startEquity' && one !== 'maxOfBoth');
  fc.assert(
    fc.property(seeds, trackers, anyTrackers, anyLimits, (seed, random, any, more) => {
      const parts = { ...random, baseline: baselines[seed % baselines.length] ?? 'startBalance' };
      const found = (limits: Partial<TrackerDefinition>, options: Partial<OrderlyOptions>) =>
        toldPeriods(seed, denselyFed(seed, parts, any, limits, 1, { ...kind, ...options }));
      assertSamePeriods(found({}, { credit: false }));
      assertNoLargerMaxima(found({}, {}));
      assertNoOtherEvents(found(more, {}));
    }),
    { numRuns: RUNS },
  );
});
