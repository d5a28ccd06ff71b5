import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { type BrokerTimeMs, brokerTimeAt, formatBrokerTime, HOUR_MS } from '../broker-time.ts';
import { BrokerClockView } from './broker-clock-view.ts';
import { ClockViews } from './clock-views.ts';
import { FoldEffects } from './fold-effects.ts';
import { joinMinute, runningMinute } from './fold-minute.ts';
import { foldSnapshot } from './fold-snapshot.ts';
import { LiveAccount } from './live-account.ts';
import { decodeLiveAccount, encodeLiveAccount } from './live-account-codec.ts';
import type { EquityMinute } from './live-records.ts';
import { decodeMinutes, encodeMinutes } from './minutes-codec.ts';
import { TrackerRules } from './tracker-rule.ts';

/** Clocks are set back within it. */
const START_UTC_MS = Date.UTC(2026, 9, 24, 23);
const CLOCK = { zone: 'Europe/Athens', shiftHours: 0 };
const RECEIVED_UTC_MS = START_UTC_MS + 12 * HOUR_MS;
const NO_DEFINITIONS = { trackers: [], enrolments: [] };

type Snapshot = { timeMs: BrokerTimeMs; balance: number; equity: number };

/** Few moments and values, so that several are of one moment and some come twice. */
const snapshot = fc
  .record({
    twentieth: fc.oneof(fc.nat({ max: 400 }), fc.nat({ max: 20 })),
    balance: fc.constantFrom(1000, 1000, 1000, 990, 1200),
    equity: fc.integer({ min: 960, max: 1010 }),
  })
  .map(({ twentieth, balance, equity }): Snapshot => {
    const utcMs = START_UTC_MS + twentieth * 20_000;
    return { timeMs: brokerTimeAt(utcMs, CLOCK), balance, equity };
  });
const snapshots = fc.array(snapshot, { minLength: 1, maxLength: 60 });

/** Each minute from all snapshots whose time begins with the same text. */
function naiveMinutes(all: readonly Snapshot[]): unknown[] {
  const byMinute = Map.groupBy(all, ({ timeMs }) => formatBrokerTime(timeMs).slice(0, 16));
  return [...byMinute.values()]
    .map((own) => {
      const [last] = own.toSorted(
        (a, b) => b.timeMs - a.timeMs || a.equity - b.equity || a.balance - b.balance,
      );
      const [balances, equities] = [
        own.map(({ balance }) => balance),
        own.map(({ equity }) => equity),
      ];
      return {
        ...{ lastTimeMs: last?.timeMs ?? 0 },
        ...{ lastBalance: last?.balance, lastEquity: last?.equity },
        ...{ minBalance: Math.min(...balances), maxBalance: Math.max(...balances) },
        ...{ minEquity: Math.min(...equities), maxEquity: Math.max(...equities) },
      };
    })
    .sort((a, b) => a.lastTimeMs - b.lastTimeMs);
}

const inOrder = (minutes: Map<number, EquityMinute>): EquityMinute[] =>
  [...minutes].sort(([a], [b]) => a - b).map(([, minute]) => minute);

/** A process that folds, stores its state with its minutes now and then, and is killed. */
function foldedBy(sent: readonly Snapshot[], storesAt: ReadonlySet<number>): EquityMinute[] {
  const rules = new TrackerRules(new ClockViews());
  const clock = new BrokerClockView(CLOCK);
  const stored = new Map<number, EquityMinute>();
  let account = new LiveAccount('a', clock);
  const effects = new FoldEffects();
  let from = { place: 0, state: encodeLiveAccount(account) };
  const fold = (place: number): void => {
    const { timeMs, balance, equity } = sent[place] as Snapshot;
    foldSnapshot(account, timeMs, balance, equity, [], RECEIVED_UTC_MS, effects);
  };
  for (let place = 0; place < sent.length; place += 1) {
    fold(place);
    if (!storesAt.has(place)) continue;
    // Some minutes are stored ahead of their state; then the process dies and begins again.
    for (const minute of effects.minutes) joinMinute(stored, minute);
    effects.clear();
    account = decodeLiveAccount(from.state, 'a', clock, NO_DEFINITIONS, rules);
    for (let again = from.place; again <= place; again += 1) fold(again);
    for (const minute of effects.minutes) joinMinute(stored, minute);
    effects.clear();
    from = { place: place + 1, state: encodeLiveAccount(account) };
  }
  const shown = new Map(stored);
  for (const minute of effects.minutes) joinMinute(shown, minute);
  const running = runningMinute(account);
  if (running) joinMinute(shown, running);
  return inOrder(shown);
}

describe('minutes of an account', () => {
  it('are those of all its snapshots, in whatever order they come and however often', () => {
    const sequences = fc
      .tuple(snapshots, fc.array(fc.nat({ max: 59 }), { maxLength: 10 }))
      .chain(([sent, again]) => {
        const all = [...sent, ...again.flatMap((place) => sent[place] ?? [])];
        return fc.tuple(fc.constant(sent), fc.shuffledSubarray(all, { minLength: all.length }));
      });
    fc.assert(
      fc.property(sequences, ([sent, shuffled]) => {
        assert.deepEqual(foldedBy(shuffled, new Set()), naiveMinutes(sent));
      }),
    );
  });

  it('are neither lost nor doubled if the process is killed and folds again', () => {
    const stops = fc.uniqueArray(fc.nat({ max: 59 }), { maxLength: 8 });
    fc.assert(
      fc.property(snapshots, stops, (sent, storesAt) => {
        assert.deepEqual(foldedBy(sent, new Set(storesAt)), naiveMinutes(sent));
      }),
    );
  });

  it('come back from their bytes to the unit, however large', () => {
    const amount = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -100, max: 1_000_000_000 }));
    const minute = fc.record({
      lastTimeMs: fc.integer({ min: START_UTC_MS, max: START_UTC_MS + HOUR_MS - 1 }),
      ...{ lastBalance: amount, minBalance: amount, maxBalance: amount },
      ...{ lastEquity: amount, minEquity: amount, maxEquity: amount },
    });
    fc.assert(
      fc.property(fc.array(minute, { maxLength: 60 }), (minutes) => {
        minutes.sort((a, b) => a.lastTimeMs - b.lastTimeMs);
        const bytes = encodeMinutes(START_UTC_MS, minutes);
        assert.deepEqual(
          decodeMinutes(START_UTC_MS, bytes),
          minutes.map((each) => ({ ...each })),
        );
      }),
    );
  });

  it('take some 20 bytes each', () => {
    const minutes = Array.from({ length: 60 }, (_, minute): EquityMinute => {
      const lastEquity = 1_002_345_678 + minute * 7654;
      return {
        lastTimeMs: START_UTC_MS + minute * 60_000 + 59_950 + (minute % 7),
        ...{ lastBalance: 1_000_000_000, minBalance: 1_000_000_000, maxBalance: 1_000_000_000 },
        ...{ lastEquity, minEquity: lastEquity - 43_210, maxEquity: lastEquity + 32_100 },
      };
    });
    assert.ok(encodeMinutes(START_UTC_MS, minutes).length < 60 * 22);
  });

  it('are not made of snapshots that are older than any chart of minutes', () => {
    const account = new LiveAccount('a', new BrokerClockView(CLOCK));
    const effects = new FoldEffects();
    const sentAt = (hoursAgo: number): void => {
      const timeMs = brokerTimeAt(RECEIVED_UTC_MS - hoursAgo * HOUR_MS, CLOCK);
      foldSnapshot(account, timeMs, 1000, 1000, [], RECEIVED_UTC_MS, effects);
    };
    for (const hoursAgo of [900, 800, 51, 50, 0, 49, 52]) sentAt(hoursAgo);
    const agesOf = effects.minutes.map(
      ({ lastTimeMs }) => (brokerTimeAt(RECEIVED_UTC_MS, CLOCK) - lastTimeMs) / HOUR_MS,
    );
    // On the wall clock, which was set back by an hour in between.
    assert.deepEqual(agesOf, [49, 48]);
  });
});
