import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { FIXED_CLOCK } from '../../../test/simulation/live-desk.ts';
import type { DealType } from '../../words/deals.ts';
import type { Baseline } from '../../words/trackers.ts';
import { BrokerClockView } from './broker-clock-view.ts';
import { ClockViews } from './clock-views.ts';
import { foldDeals } from './fold-deals.ts';
import { FoldEffects } from './fold-effects.ts';
import { foldSnapshot } from './fold-snapshot.ts';
import { LiveAccount } from './live-account.ts';
import { decodeLiveAccount, encodeLiveAccount } from './live-account-codec.ts';
import { kindOf, type LiveDeal, type PeriodStatistics } from './live-records.ts';
import { addTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import { runningPeriod } from './tracker-records.ts';
import { TrackerRules } from './tracker-rule.ts';

const START_MS = Date.UTC(2026, 2, 2, 23, 50);
const MIDNIGHT_MS = Date.UTC(2026, 2, 3);

type Step = {
  afterMs: number;
  /** What happens before the snapshot: money booked, of which type, and a change of the open. */
  money: number;
  type: DealType;
  agoMs: number;
  open: number;
};

const step = fc.record({
  afterMs: fc.oneof(fc.integer({ min: 100, max: 1500 }), fc.integer({ min: 1500, max: 400_000 })),
  money: fc.oneof(fc.constant(0), fc.integer({ min: -9_000_001, max: 9_000_001 })),
  type: fc.constantFrom<DealType>('DEAL_TYPE_SELL', 'DEAL_TYPE_BALANCE', 'DEAL_TYPE_CHARGE'),
  agoMs: fc.integer({ min: 0, max: 2500 }),
  open: fc.integer({ min: -3_000_000, max: 3_000_000 }),
});

const BASELINES: Baseline[] = [
  'startBalance',
  'startEquity',
  'maxOfBoth',
  'peakEquity',
  'peakBalance',
  'peakEndOfDayBalance',
];
const trackers: TrackerDefinition[] = BASELINES.flatMap((baseline) =>
  (['date', 'lifetime'] as const).map((period) => ({
    id: `${period} ${baseline}`,
    name: baseline,
    period,
    baseline,
    absoluteDrawdownThreshold: 10_000_000,
    absoluteProfitThreshold: 12_000_000,
    lockAt: baseline === 'peakEquity' ? 105_000_000 : undefined,
    warnAt: 0.8,
  })),
);

type Snapshot = { timeMs: number; balance: number; equity: number; deal: LiveDeal | undefined };

/** What the platform shows: each snapshot includes all deals up to its moment. */
function ledgerOf(steps: readonly Step[]): Snapshot[] {
  let timeMs = START_MS;
  let balance = 100_000_000;
  let open = 0;
  return [
    { timeMs, balance, equity: balance, deal: undefined },
    ...steps.map(({ afterMs, money, type, agoMs, open: moved }, index) => {
      const dealMs = Math.max(timeMs + 1, timeMs + afterMs - agoMs);
      timeMs += afterMs;
      balance += money;
      open += moved - (type === 'DEAL_TYPE_SELL' ? money : 0);
      const deal = { id: `${index + 1}`, type, timeMs: dealMs, money };
      return { timeMs, balance, equity: balance + open, deal: money === 0 ? undefined : deal };
    }),
  ];
}

class Run {
  account = new LiveAccount('account', new BrokerClockView(FIXED_CLOCK));
  readonly effects = new FoldEffects();
  readonly rules = new TrackerRules(new ClockViews());
  readonly periods = new Map<string, PeriodStatistics>();

  constructor(own: readonly TrackerDefinition[]) {
    for (const tracker of own) addTracker(this.account, tracker, this.rules);
  }

  see({ timeMs, balance, equity }: Snapshot, deals: readonly LiveDeal[] = []): void {
    foldSnapshot(this.account, timeMs, balance, equity, deals, Infinity, this.effects);
    this.#keep();
  }

  book(deals: readonly LiveDeal[]): void {
    foldDeals(this.account, deals, Infinity, this.effects);
    this.#keep();
  }

  restart(): void {
    const bytes = encodeLiveAccount(this.account);
    const definitions = { trackers, enrolments: [] };
    const clock = new BrokerClockView(FIXED_CLOCK);
    this.account = decodeLiveAccount(bytes, 'account', clock, definitions, this.rules);
    assert.deepEqual(encodeLiveAccount(this.account), bytes);
  }

  #keep(): void {
    for (const period of this.effects.completedPeriods) {
      this.periods.set(`${period.trackerId} ${period.startTimeMs}`, period);
    }
    this.effects.completedPeriods.length = 0;
  }

  /** All period figures, and the events that stand after the revisions. */
  outcome(): unknown {
    for (const tracker of this.account.trackers) {
      const period = runningPeriod(this.account, tracker);
      if (period) this.periods.set(`${period.trackerId} ${period.startTimeMs}`, period);
    }
    const { events, revisions } = this.effects;
    const standing = events.flatMap((event) => {
      const own = revisions.filter(
        ({ revises, trackerId, startTimeMs }) =>
          trackerId === event.trackerId &&
          startTimeMs === event.startTimeMs &&
          revises.kind === kindOf(event) &&
          revises.round === event.round,
      );
      const last = own.at(-1);
      if (last && !last.stillExceeded) return [];
      const { absoluteDrawdown, absoluteProfit, timeMs } = last ?? event;
      const { trackerId, startTimeMs } = event;
      return [[trackerId, startTimeMs, kindOf(event), timeMs, absoluteDrawdown, absoluteProfit]];
    });
    const rounds = events.map(
      ({ trackerId, startTimeMs, round }) => `${trackerId} ${startTimeMs} ${round}`,
    );
    void rounds;
    return {
      periods: [...this.periods.values()].sort(byPeriod),
      events: standing.map(String).sort(),
    };
  }
}

const byPeriod = (a: PeriodStatistics, b: PeriodStatistics): number =>
  a.startTimeMs - b.startTimeMs || (a.trackerId < b.trackerId ? -1 : 1);

const whole = (deal: LiveDeal): LiveDeal => ({
  ...deal,
  timeMs: Math.floor(deal.timeMs / 1000) * 1000,
});

test('deals may come in whole seconds, early, late or in one body: the verdict is the same', () => {
  assert.ok(MIDNIGHT_MS > START_MS);
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.array(fc.integer({ min: -1, max: 8 }), { minLength: 25, maxLength: 25 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 24 }),
      (steps, delays, isWhole, restartAt) => {
        const ledger = ledgerOf(steps);
        const plain = new Run(trackers);
        for (const snapshot of ledger) plain.see(snapshot, snapshot.deal ? [snapshot.deal] : []);
        const late = new Run(trackers);
        const sentAfter = new Map<number, LiveDeal[]>();
        ledger.forEach(({ deal }, index) => {
          if (!deal) return;
          const after = Math.min(ledger.length - 1, index + (delays[index] ?? 0));
          const sent = isWhole ? whole(deal) : deal;
          sentAfter.set(after, [...(sentAfter.get(after) ?? []), sent]);
        });
        ledger.forEach((snapshot, index) => {
          late.see(snapshot);
          late.book((sentAfter.get(index) ?? []).toReversed());
          if (index === restartAt) late.restart();
        });
        assert.deepEqual(late.outcome(), plain.outcome());
      },
    ),
    { numRuns: 3000 },
  );
});
