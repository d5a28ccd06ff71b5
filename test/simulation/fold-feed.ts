import { compareDeals } from '../../src/domain/deal.ts';
import { BrokerClockView } from '../../src/domain/live/broker-clock-view.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { correctBucket, runningBucket } from '../../src/domain/live/equity-bucket.ts';
import { foldDeals } from '../../src/domain/live/fold-deals.ts';
import { FoldEffects } from '../../src/domain/live/fold-effects.ts';
import { joinMinute, runningMinute } from '../../src/domain/live/fold-minute.ts';
import { foldSnapshot } from '../../src/domain/live/fold-snapshot.ts';
import { LiveAccount } from '../../src/domain/live/live-account.ts';
import {
  type EquityBucket,
  type EquityMinute,
  kindOf,
  type LiveEvent,
  type PeriodStatistics,
  type TrackerEvent,
} from '../../src/domain/live/live-records.ts';
import { addTracker } from '../../src/domain/live/tracker-changes.ts';
import { runningPeriod } from '../../src/domain/live/tracker-records.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import { withWaitingDeals } from '../../src/domain/live/with-waiting-deals.ts';
import { addEnrolment } from '../../src/domain/programs/enrolment-changes.ts';
import type { ChartHour } from './oracle-chart.ts';
import type { SimulatedAccount } from './simulated-accounts.ts';
import { type FeedBatch, liveDealOfWire, moneyOfWire, timeOfWire, type WireDeal } from './wire.ts';

/** The known data of an account at the end: hours, minutes, periods and valid events, in order. */
export type AccountOutcome = {
  buckets: ChartHour[];
  minutes: EquityMinute[];
  statistics: PeriodStatistics[];
  events: TrackerEvent[];
};

/** Folds a feed as the engine does: each deal once, effects applied in order. */
export class FoldedFeed {
  readonly accounts = new Map<string, LiveAccount>();
  readonly rules = new TrackerRules(new ClockViews());
  private readonly effects = new FoldEffects();
  private readonly seenDeals = new Set<string>();
  private readonly buckets = new Map<string, EquityBucket>();
  /** By account, then by their starts. */
  private readonly minutes = new Map<string, Map<number, EquityMinute>>();
  private readonly statistics = new Map<string, PeriodStatistics>();
  private readonly told: LiveEvent[] = [];
  private readonly usesQuietBand: boolean;

  /** Without the quiet band every snapshot is shown to every tracker. */
  constructor(accounts: readonly SimulatedAccount[], usesQuietBand = true) {
    this.usesQuietBand = usesQuietBand;
    for (const { id, clock, trackers, enrolments = [] } of accounts) {
      const account = new LiveAccount(id, new BrokerClockView(clock));
      for (const definition of trackers) addTracker(account, definition, this.rules);
      for (const definition of enrolments) addEnrolment(account, definition, this.rules);
      this.accounts.set(id, account);
      this.minutes.set(id, new Map());
    }
  }

  fold(batch: FeedBatch): void {
    const { receivedUtcMs } = batch;
    if (batch.kind === 'deals') {
      const deals = this.newDeals(batch.deals);
      foldDeals(this.accountOf(batch.accountId), deals, receivedUtcMs, this.effects);
      this.applyEffects(batch.accountId);
      return;
    }
    for (const { accountId, brokerTime, balance, equity, deals } of batch.snapshots) {
      const account = this.accountOf(accountId);
      if (!this.usesQuietBand) account.quietUntilUtcMs = Number.NEGATIVE_INFINITY;
      foldSnapshot(
        account,
        timeOfWire(brokerTime),
        moneyOfWire(balance),
        moneyOfWire(equity),
        this.newDeals(deals ?? []),
        receivedUtcMs,
        this.effects,
      );
      this.applyEffects(accountId);
    }
  }

  accountOf(id: string): LiveAccount {
    const account = this.accounts.get(id);
    if (!account) throw new RangeError(`Account ${id} was not simulated`);
    return account;
  }

  /** The hours that are closed, as they are stored, in order. */
  closedHoursOf(accountId: string): EquityBucket[] {
    return [...this.buckets.values()]
      .filter((hour) => hour.accountId === accountId)
      .sort((a, b) => a.startTimeMs - b.startTimeMs);
  }

  /** The minutes, or the parts of them, that are stored. */
  closedMinutesOf(accountId: string): EquityMinute[] {
    return inOrder(this.minutes.get(accountId) ?? new Map());
  }

  /** Everything known now, including the running hour and the running periods. */
  outcomeOf(accountId: string): AccountOutcome {
    const account = this.accountOf(accountId);
    const buckets = [...this.buckets.values()].filter((hour) => hour.accountId === accountId);
    const running = runningBucket(account);
    if (running) {
      const {
        timeMs: _time,
        durationMs: _duration,
        balanceSum: _b,
        equitySum: _e,
        ...hour
      } = running;
      buckets.push(hour);
    }
    const minutes = new Map(this.minutes.get(accountId));
    const runs = runningMinute(account);
    if (runs) joinMinute(minutes, runs);
    const effects = new FoldEffects();
    const shown = withWaitingDeals(account, effects);
    const completed = [...this.statistics.values(), ...effects.completedPeriods];
    const statistics = completed.filter((period) => period.accountId === accountId);
    for (const tracker of shown.trackers) {
      const period = runningPeriod(shown, tracker);
      if (period) statistics.push(period);
    }
    return {
      buckets: buckets
        .map(({ hasLateExtremes: _, ...hour }) => hour)
        .sort((a, b) => a.startTimeMs - b.startTimeMs),
      minutes: inOrder(minutes),
      statistics: statistics.sort(byTrackerAndStart),
      events: standing(this.toldOf(accountId)),
    };
  }

  /** Events and changes of enrolments and feeds, in their order. */
  toldOf(accountId: string): LiveEvent[] {
    return this.told.filter((event) => event.accountId === accountId);
  }

  private newDeals(deals: readonly WireDeal[]) {
    const fresh = deals.filter(({ id }) => !this.seenDeals.has(id));
    for (const { id } of fresh) this.seenDeals.add(id);
    return fresh.map(liveDealOfWire).sort(compareDeals);
  }

  private applyEffects(accountId: string): void {
    const { closedBuckets, lateBucketCorrections, completedPeriods } = this.effects;
    const { events, revisions, transitions, feedChanges } = this.effects;
    for (const hour of closedBuckets)
      this.buckets.set(`${hour.accountId} ${hour.startTimeMs}`, hour);
    for (const late of lateBucketCorrections) {
      const key = `${late.accountId} ${late.startTimeMs}`;
      this.buckets.set(key, correctBucket(this.buckets.get(key), late));
    }
    const minutes = this.minutes.get(accountId) ?? new Map<number, EquityMinute>();
    for (const minute of this.effects.minutes) joinMinute(minutes, minute);
    for (const period of completedPeriods) {
      this.statistics.set(`${period.trackerId} ${period.startTimeMs} ${period.accountId}`, period);
    }
    this.told.push(...feedChanges, ...revisions, ...events, ...transitions);
    this.effects.clear();
  }
}

const inOrder = (minutes: ReadonlyMap<number, EquityMinute>): EquityMinute[] =>
  [...minutes].sort(([a], [b]) => a - b).map(([, minute]) => minute);

/** The events that hold after later corrections, with the figures of their last revisions. */
export function standing(told: readonly LiveEvent[]): TrackerEvent[] {
  const events = told.filter((event) => 'exceededThresholdType' in event);
  const revisions = told.filter((event) => 'revises' in event);
  return events.flatMap((event): TrackerEvent[] => {
    const last = revisions.findLast(
      ({ revises, trackerId, startTimeMs }) =>
        trackerId === event.trackerId &&
        startTimeMs === event.startTimeMs &&
        revises.kind === kindOf(event) &&
        revises.round === event.round,
    );
    if (!last) return [{ ...event, round: 0 }];
    const { revises: _, stillExceeded, ...figures } = last;
    return stillExceeded ? [{ ...event, ...figures, round: 0 }] : [];
  });
}

/** Changes of an event that are a reason to revise it. */
export const toldOf = (event: TrackerEvent) => ({
  ...{ kind: kindOf(event), trackerId: event.trackerId, timeMs: event.timeMs },
  ...{ startTimeMs: event.startTimeMs, endTimeMs: event.endTimeMs, period: event.period },
  ...{ absoluteDrawdown: event.absoluteDrawdown, relativeDrawdown: event.relativeDrawdown },
  ...{ absoluteProfit: event.absoluteProfit, relativeProfit: event.relativeProfit },
  allowed: event.allowed,
});

export const byTrackerAndStart = (a: PeriodStatistics, b: PeriodStatistics): number =>
  a.trackerId === b.trackerId ? a.startTimeMs - b.startTimeMs : a.trackerId < b.trackerId ? -1 : 1;
