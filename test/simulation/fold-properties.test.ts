import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeLiveAccount, encodeLiveAccount } from '../../src/domain/live/live-account-codec.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { BASELINE_WORDS } from '../../src/words/trackers.ts';
import { fc } from '../properties.ts';
import { type AccountOutcome, FoldedFeed } from './fold-feed.ts';
import { type SimulatedAccount, simulatedAccounts } from './simulated-accounts.ts';
import { simulateFeed } from './simulated-feed.ts';
import { type FeedBatch, moneyOfWire, type WireSnapshot } from './wire.ts';

const SPRING = Date.UTC(2026, 2, 6, 20);
const SUMMER = Date.UTC(2026, 6, 1, 20);
const RUNS = { numRuns: 25 };
const seeds = fc.integer({ min: 1, max: 1_000_000 });
const shares = fc.double({ min: 0, max: 1, noNaN: true });

function scenario(seed: number, startUtcMs = SPRING, calm = false, count = 3) {
  const accounts = simulatedAccounts(seed, count, 4, startUtcMs);
  const kind = { faults: !calm, ruins: !calm };
  const options = { seed, accounts, startUtcMs, days: 12, pace: 20, ...kind };
  return { accounts, batches: [...simulateFeed(options)] };
}

function foldAll(accounts: readonly SimulatedAccount[], batches: readonly FeedBatch[]): FoldedFeed {
  const feed = new FoldedFeed(accounts);
  for (const batch of batches) feed.fold(batch);
  return feed;
}

const stateOf = (feed: FoldedFeed) =>
  [...feed.accounts.values()].map((account) => encodeLiveAccount(account));
const outcomesOf = (feed: FoldedFeed) => [...feed.accounts.keys()].map((id) => feed.outcomeOf(id));

test('a prefix of the feed gives a prefix of the events and of the completed periods', () => {
  fc.assert(
    fc.property(seeds, shares, (seed, share) => {
      const { accounts, batches } = scenario(seed);
      const cut = Math.floor(batches.length * share);
      const part = outcomesOf(foldAll(accounts, batches.slice(0, cut)));
      const whole = outcomesOf(foldAll(accounts, batches));
      part.forEach((outcome, index) => {
        const all = whole[index];
        assert.deepEqual(outcome.events, all?.events.slice(0, outcome.events.length));
        for (const period of outcome.statistics) {
          if (period.periodStatus !== 'completed') continue;
          assert.ok(all?.statistics.some((other) => same(other, period)));
        }
      });
    }),
    RUNS,
  );
});

test('one snapshot a request or many make no difference to a single bit', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { accounts, batches } = scenario(seed);
      const single = batches.flatMap((batch): FeedBatch[] =>
        batch.kind === 'deals'
          ? batch.deals.map((deal) => ({ ...batch, deals: [deal] }))
          : batch.snapshots.map((snapshot) => ({ ...batch, snapshots: [snapshot] })),
      );
      const [many, few] = [foldAll(accounts, single), foldAll(accounts, batches)];
      assert.deepEqual(stateOf(many), stateOf(few));
      assert.deepEqual(outcomesOf(many), outcomesOf(few));
    }),
    RUNS,
  );
});

test('snapshots in the quiet band do not change a single bit, even if shown to the trackers', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { accounts, batches } = scenario(seed);
      const [short, long] = [foldAll(accounts, batches), new FoldedFeed(accounts, false)];
      for (const batch of batches) long.fold(batch);
      // Data kept for late facts may differ, but not the known figures.
      for (const feed of [short, long]) {
        for (const account of feed.accounts.values()) account.window = undefined;
      }
      assert.deepEqual(stateOf(short), stateOf(long));
      assert.deepEqual(outcomesOf(short), outcomesOf(long));
    }),
    { numRuns: 100 },
  );
});

test('stopping anywhere, storing the state and continuing from it changes nothing', () => {
  fc.assert(
    fc.property(seeds, shares, (seed, share) => {
      const { accounts, batches } = scenario(seed);
      const straight = foldAll(accounts, batches);
      const cut = Math.floor(batches.length * share);
      const feed = foldAll(accounts, batches.slice(0, cut));
      for (const { id, trackers } of accounts) {
        const account = feed.accountOf(id);
        const bytes = encodeLiveAccount(account);
        const definitions = trackers.toReversed();
        const restored = decodeLiveAccount(
          bytes,
          id,
          account.clock,
          { trackers: definitions, enrolments: [] },
          feed.rules,
        );
        assert.deepEqual(encodeLiveAccount(restored), bytes);
        feed.accounts.set(id, restored);
      }
      for (const batch of batches.slice(cut)) feed.fold(batch);
      assert.deepEqual(stateOf(feed), stateOf(straight));
      assert.deepEqual(outcomesOf(feed), outcomesOf(straight));
    }),
    RUNS,
  );
});

test('a repeated batch, at once or later, changes nothing', () => {
  fc.assert(
    fc.property(seeds, shares, shares, (seed, share, delay) => {
      const { accounts, batches } = scenario(seed, SUMMER);
      const sent = Math.floor((batches.length - 1) * share);
      const again = batches[sent];
      assert.ok(again);
      const at = sent + 1 + Math.floor((batches.length - sent - 1) * delay);
      const resent = [...batches.slice(0, at), again, ...batches.slice(at)];
      const [once, twice] = [foldAll(accounts, batches), foldAll(accounts, resent)];
      assert.deepEqual(stateOf(twice), stateOf(once));
      assert.deepEqual(outcomesOf(twice), outcomesOf(once));
    }),
    { numRuns: 60 },
  );
});

test('money times k gives absolute values times k and the same relative values', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 2, max: 7 }), (seed, k) => {
      const plain = scenario(seed);
      const accounts = plain.accounts.map((account) => ({
        ...account,
        trackers: account.trackers.map(({ lockAt: _lock, ...tracker }) => tracker),
      }));
      const larger = accounts.map((account) => ({
        ...account,
        trackers: account.trackers.map((tracker) => scaled(tracker, k)),
      }));
      const before = outcomesOf(foldAll(accounts, plain.batches));
      const after = outcomesOf(
        foldAll(
          larger,
          plain.batches.map((batch) => scaledBatch(batch, k)),
        ),
      );
      assert.deepEqual(after.map(measures(1)), before.map(measures(k)));
    }),
    RUNS,
  );
});

test('a deposit or withdrawal with its snapshot changes no absolute measure', () => {
  const amounts = fc.integer({ min: -60_000, max: 1_000_000 });
  fc.assert(
    fc.property(seeds, shares, amounts, (seed, share, amount) => {
      const { accounts, batches } = scenario(seed, SPRING, true, 1);
      const trackers = absoluteTrackers();
      const account = { ...(accounts[0] as SimulatedAccount), trackers };
      const after = Math.floor(batches.length * share);
      const moved = withDeposit(batches, after, amount);
      const before = foldAll([account], batches).outcomeOf(account.id);
      const outcome = foldAll([account], moved).outcomeOf(account.id);
      assert.deepEqual(outcome.statistics.map(absolutes), before.statistics.map(absolutes));
      assert.equal(outcome.events.length, before.events.length);
    }),
    { numRuns: 40 },
  );
});

const same = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

function absoluteTrackers(): TrackerDefinition[] {
  return BASELINE_WORDS.filter((baseline) => baseline !== 'initialCapital').flatMap((baseline) =>
    (['date', 'lifetime'] as const).map((period): TrackerDefinition => {
      const id = `${baseline} ${period}`;
      return { id, name: id, period, baseline, absoluteDrawdownThreshold: moneyOfWire(3000) };
    }),
  );
}

const absolutes = (period: AccountOutcome['statistics'][number]) => ({
  trackerId: period.trackerId,
  startTimeMs: period.startTimeMs,
  maxAbsoluteDrawdown: period.maxAbsoluteDrawdown,
  maxDrawdownTimeMs: period.maxDrawdownTimeMs,
  maxAbsoluteProfit: period.maxAbsoluteProfit,
  thresholdExceeded: period.thresholdExceeded,
});

/** The same feed with money paid in (or out) with the first snapshot of the batch at `after`. */
function withDeposit(batches: readonly FeedBatch[], after: number, amount: number): FeedBatch[] {
  let booked = false;
  return batches.map((batch, index) => {
    if (batch.kind === 'deals' || index <= after) return batch;
    const snapshots = batch.snapshots.map((snapshot): WireSnapshot => {
      const { brokerTime, deals = [], balance, equity } = snapshot;
      const deposit = { id: 'deposit', type: 'DEAL_TYPE_BALANCE' as const, profit: amount };
      const carries = booked ? deals : [...deals, { ...deposit, brokerTime }];
      booked = true;
      return { ...snapshot, balance: balance + amount, equity: equity + amount, deals: carries };
    });
    return { ...batch, snapshots };
  });
}

function scaled(tracker: TrackerDefinition, k: number): TrackerDefinition {
  const { absoluteDrawdownThreshold: loss, absoluteProfitThreshold: gain } = tracker;
  return {
    ...tracker,
    absoluteDrawdownThreshold: loss && loss * k,
    absoluteProfitThreshold: gain && gain * k,
    initialCapital: tracker.initialCapital && tracker.initialCapital * k,
  };
}

function scaledBatch(batch: FeedBatch, k: number): FeedBatch {
  const times = (value: number) => Math.round(value * 100 * k) / 100;
  const deals = (list: WireSnapshot['deals'] = []) =>
    list.map((deal) => ({
      ...deal,
      profit: times(deal.profit),
      commission: times(deal.commission ?? 0),
    }));
  if (batch.kind === 'deals') return { ...batch, deals: deals(batch.deals) };
  const snapshots = batch.snapshots.map((snapshot) => ({
    ...snapshot,
    balance: times(snapshot.balance),
    equity: times(snapshot.equity),
    deals: deals(snapshot.deals),
  }));
  return { ...batch, snapshots };
}

const measures = (k: number) => (outcome: AccountOutcome) => ({
  periods: outcome.statistics.map((period) => ({
    start: period.startTimeMs,
    drawdown: period.maxAbsoluteDrawdown * k,
    profit: period.maxAbsoluteProfit * k,
    relativeDrawdown: period.maxRelativeDrawdown,
    relativeProfit: period.maxRelativeProfit,
    exceeded: period.exceededThresholdType,
  })),
  events: outcome.events.map((event) => ({
    timeMs: event.timeMs,
    drawdown: event.absoluteDrawdown * k,
    profit: event.absoluteProfit * k,
    relativeDrawdown: event.relativeDrawdown,
    relativeProfit: event.relativeProfit,
  })),
});

test('deals that overtake snapshots of the same day by another way change no verdict', () => {
  let overtaken = 0;
  fc.assert(
    fc.property(seeds, (seed) => {
      const { accounts, batches } = scenario(seed, SUMMER, true);
      const { hurried, count } = hurry(batches);
      overtaken += count;
      assert.deepEqual(
        outcomesOf(foldAll(accounts, hurried)),
        outcomesOf(foldAll(accounts, batches)),
      );
    }),
    RUNS,
  );
  assert.ok(overtaken > 100, `${overtaken} snapshots were overtaken`);
});

/** The feed with one snapshot a request, whose deals come alone, before the snapshot before it. */
function hurry(batches: readonly FeedBatch[]): { hurried: FeedBatch[]; count: number } {
  const hurried: FeedBatch[] = [];
  let count = 0;
  for (const batch of batches) {
    for (const snapshot of batch.kind === 'snapshots' ? batch.snapshots : []) {
      const { accountId, brokerTime, deals = [], ...state } = snapshot;
      const { receivedUtcMs } = batch;
      const alone: FeedBatch = { kind: 'deals', receivedUtcMs, accountId, deals };
      const own = { accountId, brokerTime, ...state };
      const at = hurried.findLastIndex(
        (other) => other.kind === 'snapshots' && other.snapshots[0]?.accountId === accountId,
      );
      const before = hurried[at];
      const last = before?.kind === 'snapshots' ? before.snapshots[0] : undefined;
      const overtakes =
        deals.length > 0 &&
        last !== undefined &&
        // Of the same day and half hour: periods end with the first data of the next one.
        deals.every((deal) => halfHourOf(deal) === halfHourOf(last)) &&
        deals.every((deal) => deal.brokerTime > last.brokerTime);
      if (overtakes) {
        hurried.splice(at, 0, alone);
        count += 1;
      }
      const kept = overtakes ? own : snapshot;
      hurried.push({ kind: 'snapshots', receivedUtcMs, snapshots: [kept] });
    }
  }
  return { hurried, count };
}

/** Periods begin at a half hour, too. */
const halfHourOf = ({ brokerTime }: { brokerTime: string }): string =>
  `${brokerTime.slice(0, 14)}${brokerTime.slice(14, 16) < '30' ? '00' : '30'}`;
