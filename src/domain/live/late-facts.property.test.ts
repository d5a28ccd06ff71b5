import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { fc } from '../../../test/properties.ts';
import { standing, toldOf } from '../../../test/simulation/fold-feed.ts';
import { FIXED_CLOCK } from '../../../test/simulation/live-desk.ts';
import type { DealType } from '../../words/deals.ts';
import type { Baseline } from '../../words/trackers.ts';
import { addEnrolment } from '../programs/enrolment-changes.ts';
import { enrolmentFigures } from '../programs/enrolment-records.ts';
import type { EnrolmentDefinition, Phase } from '../programs/program-definition.ts';
import { BrokerClockView } from './broker-clock-view.ts';
import { ClockViews } from './clock-views.ts';
import { foldDeals } from './fold-deals.ts';
import { FoldEffects } from './fold-effects.ts';
import { foldSnapshot } from './fold-snapshot.ts';
import { LiveAccount } from './live-account.ts';
import { decodeLiveAccount, encodeLiveAccount } from './live-account-codec.ts';
import type { LiveDeal, PeriodStatistics } from './live-records.ts';
import { addTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import { runningPeriod } from './tracker-records.ts';
import { TrackerRules } from './tracker-rule.ts';
import { withWaitingDeals } from './with-waiting-deals.ts';

const START_MS = Date.UTC(2026, 2, 2, 23, 50);
const MIDNIGHT_MS = Date.UTC(2026, 2, 3);

type Step = {
  afterMs: number;
  /** Events before the snapshot: money booked, of which type, and a change of the open result. */
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
const TRACKERS: TrackerDefinition[] = BASELINES.flatMap((baseline) =>
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

/** Made in some gap between two snapshots. */
const LATER: TrackerDefinition[] = TRACKERS.map((tracker) => ({
  ...tracker,
  id: `later ${tracker.id}`,
}));

const INITIAL = 100_000_000;
const PHASES: Phase[] = [
  { name: 'balance', rules: [{ kind: 'dailyLoss', share: 0.1 }], objectives: [] },
  {
    name: 'equity',
    rules: [{ kind: 'dailyLoss', share: 0.08, from: 'higherOfBoth', shareOf: 'dayStart' }],
    objectives: [{ kind: 'profitTarget', share: 0.06 }],
  },
  {
    name: 'trailing',
    rules: [
      { kind: 'maximumLoss', share: 0.12, trails: 'equity', lockAbove: 0 },
      { kind: 'timeLimit', days: 1 },
    ],
    objectives: [
      { kind: 'profitTarget', share: 0.03, by: 'lowerOfBoth' },
      { kind: 'tradingDays', days: 1, count: 'traded' },
    ],
  },
  {
    name: 'idle',
    rules: [
      { kind: 'maximumLoss', share: 0.2, trails: 'endOfDayBalance' },
      { kind: 'inactivity', days: 0 },
    ],
    objectives: [{ kind: 'tradingDays', days: 2, count: 'traded' }],
  },
];
const unpassable = (phase: Phase): Phase => ({
  ...phase,
  objectives: [...phase.objectives, { kind: 'profitTarget', share: 1000 }],
});
/** Each with a twin that can't pass: so a failed one continues, until a person reinstates it. */
const ENROLMENTS: EnrolmentDefinition[] = PHASES.flatMap((phase) => [
  { id: phase.name, phase, initialBalance: INITIAL },
  { id: `${phase.name} unpassable`, phase: unpassable(phase), initialBalance: INITIAL },
]);

type Snapshot = { timeMs: number; balance: number; equity: number; deal: LiveDeal | undefined };

/** The platform's figures: each snapshot includes all deals up to its moment. */
function ledgerOf(steps: readonly Step[]): Snapshot[] {
  let timeMs = START_MS;
  let balance = INITIAL;
  let open = 0;
  return [
    { timeMs, balance, equity: balance, deal: undefined },
    ...steps.map(({ afterMs, money, type, agoMs, open: moved }, index) => {
      const dealMs = Math.max(timeMs + 1, timeMs + afterMs - agoMs);
      timeMs += afterMs;
      balance += money;
      open += moved - (type === 'DEAL_TYPE_SELL' ? money : 0);
      // Ids don't tell the order of those that are booked in the same second.
      const id = `${(index * 7) % 25}`;
      const deal = { id, type, timeMs: dealMs, money, closes: true };
      return { timeMs, balance, equity: balance + open, deal: money === 0 ? undefined : deal };
    }),
  ];
}

class Run {
  account = new LiveAccount('account', new BrokerClockView(FIXED_CLOCK));
  readonly effects = new FoldEffects();
  readonly rules = new TrackerRules(new ClockViews());
  readonly periods = new Map<string, PeriodStatistics>();

  constructor() {
    this.#add(TRACKERS);
    for (const enrolment of ENROLMENTS) addEnrolment(this.account, enrolment, this.rules);
  }

  addLater(): void {
    this.#add(LATER);
  }

  #add(trackers: readonly TrackerDefinition[]): void {
    for (const tracker of trackers) addTracker(this.account, tracker, this.rules);
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
    const definitions = { trackers: [...TRACKERS, ...LATER], enrolments: ENROLMENTS };
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

  /** All period figures of trackers, and the events that hold after the revisions. */
  get outcome() {
    const shown = withWaitingDeals(this.account);
    for (const tracker of shown.trackers) {
      const period = runningPeriod(shown, tracker);
      if (period) this.periods.set(`${period.trackerId} ${period.startTimeMs}`, period);
    }
    const { events, revisions } = this.effects;
    const isOwn = ({ trackerId }: { trackerId: string }): boolean => !trackerId.includes('.');
    return {
      periods: [...this.periods.values()].filter(isOwn).map(withoutOwnStart).sort(byPeriod),
      events: standing([...events, ...revisions])
        .filter(isOwn)
        .map((event) => JSON.stringify(withoutOwnStart(toldOf(event))))
        .sort(),
    };
  }

  /** How an enrolment ended as published, and its state if it continues. */
  enrolment(id: string) {
    const shown = withWaitingDeals(this.account);
    const found = shown.enrolments.find((enrolment) => enrolment.id === id);
    const ends = this.effects.transitions
      .filter(({ enrolmentId }) => enrolmentId === id)
      .map(({ to, rule, timeMs }) => ({ to, rule, timeMs }));
    const figures = found && enrolmentFigures(shown, found);
    return { ends, figures, isDisputed: found?.isDisputed ?? false };
  }
}

/** A lifetime begins with its first known fact, and keeps that as its name. */
const withoutOwnStart = <T extends { period: string; startTimeMs: number }>(of: T) =>
  of.period === 'lifetime' ? { ...of, startTimeMs: undefined } : of;

const byPeriod = (a: Named, b: Named): number => (nameOf(a) < nameOf(b) ? -1 : 1);
type Named = { trackerId: string; startTimeMs: number | undefined };
const nameOf = ({ trackerId, startTimeMs }: Named): string => `${trackerId} ${startTimeMs}`;

const whole = (deal: LiveDeal): LiveDeal => ({
  ...deal,
  timeMs: Math.floor(deal.timeMs / 1000) * 1000,
});

/** Ends published on incomplete facts must have led to the true one. */
function assertReached(late: Run, plain: Run, name: string): void {
  const told = late.enrolment(name);
  const { ends, figures, isDisputed } = told;
  if (isDeepStrictEqual(told, plain.enrolment(name))) return;
  const mayPass = ends.every(({ to }) => to !== 'failed');
  const truth = plain.enrolment(mayPass ? name : `${name} unpassable`);
  assert.equal(figures === undefined, truth.figures === undefined, `${name} goes on`);
  if (figures) assert.deepEqual([figures, isDisputed], [truth.figures, ends.length > 0], name);
  const [last, end] = [ends.at(-1), truth.ends.at(-1)];
  if (!figures) assert.deepEqual([last?.to, last?.rule], [end?.to, end?.rule], name);
}

const twins = fc.record({
  /** Snapshots that a deal comes after its own; before its own if negative. */
  delays: fc.array(fc.integer({ min: -1, max: 8 }), { minLength: 25, maxLength: 25 }),
  isWhole: fc.boolean(),
  restartAt: fc.integer({ min: 0, max: 24 }),
  joinsAfter: fc.integer({ min: 0, max: 12 }),
  /** Before or after the deals that come in the same gap. */
  joinsFirst: fc.boolean(),
});

test('deals in whole seconds, early, late or in one body: the verdict is the same', () => {
  assert.ok(MIDNIGHT_MS > START_MS);
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), twins, (steps, twin) => {
      const ledger = ledgerOf(steps);
      const plain = new Run();
      const late = new Run();
      const sentAfter = Map.groupBy(
        ledger.flatMap(({ deal }, index) => (deal ? [{ deal, index }] : [])),
        ({ index }) => Math.min(ledger.length - 1, index + (twin.delays[index - 1] ?? 0)),
      );
      ledger.forEach((snapshot, index) => {
        plain.see(snapshot, snapshot.deal ? [snapshot.deal] : []);
        late.see(snapshot);
        if (index === twin.joinsAfter) plain.addLater();
        if (index === twin.joinsAfter && twin.joinsFirst) late.addLater();
        const deals = (sentAfter.get(index) ?? []).map(({ deal }) => deal);
        late.book((twin.isWhole ? deals.map(whole) : deals).toReversed());
        if (index === twin.joinsAfter && !twin.joinsFirst) late.addLater();
        if (index === twin.restartAt) late.restart();
      });
      assert.deepEqual(late.outcome, plain.outcome);
      for (const { name } of PHASES) assertReached(late, plain, name);
    }),
    { numRuns: Number(process.env.PLIMSOLL_TEST_CASES ?? 1000) },
  );
});
