import type { BrokerClock } from '../../src/domain/broker-time.ts';
import { BrokerClockView } from '../../src/domain/live/broker-clock-view.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { correctBucket } from '../../src/domain/live/equity-bucket.ts';
import { noteUnwatched } from '../../src/domain/live/feed-silence.ts';
import { foldDeals } from '../../src/domain/live/fold-deals.ts';
import { FoldEffects } from '../../src/domain/live/fold-effects.ts';
import { joinMinute } from '../../src/domain/live/fold-minute.ts';
import { foldSnapshot } from '../../src/domain/live/fold-snapshot.ts';
import { LiveAccount } from '../../src/domain/live/live-account.ts';
import {
  type EquityBucket,
  type EquityMinute,
  type FeedChange,
  isBreach,
  kindOf,
  type LiveDeal,
  type PeriodStatistics,
  type Revision,
  type TrackerEvent,
} from '../../src/domain/live/live-records.ts';
import {
  attachTracker,
  hasLossLimit,
  removeTracker,
} from '../../src/domain/live/tracker-changes.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import {
  addEnrolment,
  endEnrolment,
  pauseEnrolment,
  reinstateEnrolment,
  resumeEnrolment,
} from '../../src/domain/programs/enrolment-changes.ts';
import type { EnrolmentTransition } from '../../src/domain/programs/enrolment-transition.ts';
import {
  type Command,
  type JournalEntry,
  liveDealOf,
  WITHOUT_SNAPSHOT,
} from '../../src/journal/entry.ts';
import { seedTracker } from '../simulation/seed-tracker.ts';
import type { AccountLife } from './truth.ts';

type Snapshot = readonly [timeMs: number, balance: number, equity: number, receivedUtcMs: number];
const BEFORE = 10;
const AFTER = 16;

export type Told = TrackerEvent | Revision | FeedChange | EnrolmentTransition;

/** An event or its revision, with the snapshots around it, as numbers in a row. */
export type ReferenceEvent = {
  key: string;
  event: Told;
  position: number;
  before: number[];
  after: number[];
};

/** The identity of an account's events. */
export const keyOf = (event: Told): string =>
  'feed' in event
    ? `${event.feed} ${event.sinceUtcMs}`
    : 'enrolmentId' in event
      ? `${event.enrolmentId} ${event.count}`
      : `${event.trackerId} ${event.startTimeMs} ${kindOf(event)} ${event.round}`;

/** The state of an account when its entries are folded one after another, and nothing else. */
export class ReferenceAccount {
  readonly live: LiveAccount;
  readonly hours = new Map<number, EquityBucket>();
  /** As far as they are closed. */
  readonly minutes = new Map<number, EquityMinute>();
  readonly periods = new Map<string, PeriodStatistics>();
  readonly events: ReferenceEvent[] = [];
  readonly trackers = new Map<string, TrackerDefinition>();
  readonly deals: LiveDeal[] = [];
  isGone = false;
  readonly #rules = new TrackerRules(new ClockViews());
  readonly #effects = new FoldEffects();
  #recent: Snapshot[] = [];
  #position = 0;

  constructor({ id, clock }: AccountLife) {
    this.live = new LiveAccount(id, new BrokerClockView(clock));
  }

  /** Takes the account's part of an entry. */
  fold(position: number, part: JournalEntry): void {
    if (this.isGone) return;
    this.#position = position;
    const { receivedUtcMs, rowCount, command } = part;
    const lone = part.deals.filter(([, row]) => row === WITHOUT_SNAPSHOT).map(liveDealOf);
    if (lone.length > 0) {
      foldDeals(this.live, lone, receivedUtcMs, this.#effects);
      this.#take();
    }
    for (let row = 0; row < rowCount; row += 1) {
      const own = part.deals.filter(([, of]) => of === row).map(liveDealOf);
      this.#see(part, row, own);
    }
    this.deals.push(...part.deals.map(liveDealOf));
    if (command) this.#apply(command, receivedUtcMs);
  }

  #see({ timeMs, balance, equity, receivedUtcMs }: JournalEntry, row: number, own: LiveDeal[]) {
    const [atMs, held, worth] = [timeMs[row] ?? 0, balance[row] ?? 0, equity[row] ?? 0];
    const outcome = foldSnapshot(this.live, atMs, held, worth, own, receivedUtcMs, this.#effects);
    if (outcome === 'accepted' || outcome === 'late')
      this.#remember([atMs, held, worth, receivedUtcMs]);
    this.#take();
  }

  #remember(snapshot: Snapshot): void {
    this.#recent = [...this.#recent, snapshot].slice(-BEFORE);
    for (const { event, after } of this.events) {
      if (isBreach(event) && after.length < AFTER * snapshot.length) after.push(...snapshot);
    }
  }

  #take(): void {
    const effects = this.#effects;
    for (const hour of effects.closedBuckets) this.hours.set(hour.startTimeMs, hour);
    for (const late of effects.lateBucketCorrections) {
      this.hours.set(late.startTimeMs, correctBucket(this.hours.get(late.startTimeMs), late));
    }
    for (const minute of effects.minutes) joinMinute(this.minutes, minute);
    for (const period of effects.completedPeriods) {
      this.periods.set(`${period.trackerId} ${period.startTimeMs}`, period);
    }
    const { feedChanges, revisions, events, transitions } = effects;
    for (const event of [...feedChanges, ...revisions, ...events, ...transitions])
      this.#note(event);
    effects.clear();
  }

  /** The snapshots up to its own moment are those before it, unless they are no longer known. */
  #note(event: Told): void {
    const key = keyOf(event);
    if (this.events.some((known) => known.key === key)) return;
    const own = this.#recent.findLastIndex(([timeMs]) => timeMs === event.timeMs);
    const last = own < 0 ? this.#recent.findLastIndex(([timeMs]) => timeMs <= event.timeMs) : own;
    const before = this.#recent.slice(0, last + 1).flat();
    const after = own >= 0 && isBreach(event) ? this.#recent.slice(own + 1).flat() : [];
    this.events.push({ key, event, position: this.#position, before, after });
  }

  #apply(command: Command, receivedUtcMs: number): void {
    switch (command.kind) {
      case 'tracker-added':
        this.trackers.set(command.definition.id, command.definition);
        this.#addTracker(command.definition);
        return;
      case 'tracker-removed': {
        const hadLimit = this.#hasLimit;
        this.trackers.delete(command.trackerId);
        removeTracker(this.live, command.trackerId);
        if (hadLimit && !this.#hasLimit) noteUnwatched(this.live, receivedUtcMs, this.#effects);
        this.#take();
        for (const [key, { trackerId }] of this.periods) {
          if (trackerId === command.trackerId) this.periods.delete(key);
        }
        return;
      }
      case 'clock-changed':
        this.#setClock(command.clock);
        return;
      case 'account-removed':
        this.isGone = true;
        return;
      case 'enrolment-added':
        addEnrolment(this.live, command.definition, this.#rules);
        return;
      case 'enrolment-changed':
        this.#changeEnrolment(command, receivedUtcMs);
        this.#take();
        return;
      case 'quarantine-ended':
        return;
    }
  }

  #changeEnrolment(
    { enrolmentId, to, by }: Extract<Command, { kind: 'enrolment-changed' }>,
    utcMs: number,
  ): void {
    const enrolment = this.live.enrolments.find(({ id }) => id === enrolmentId);
    if (!enrolment || (enrolment.isHeld && !enrolment.isDisputed)) return;
    const { isDisputed } = enrolment;
    const moment = { timeMs: this.live.clock.brokerTimeOf(utcMs), utcMs, by };
    const parts = [this.live, enrolment, moment, this.#effects] as const;
    if (to === 'running') (isDisputed ? reinstateEnrolment : resumeEnrolment)(...parts);
    else if (isDisputed) return;
    else if (to === 'paused') pauseEnrolment(...parts);
    else endEnrolment(this.live, enrolment, { to, ...moment }, this.#effects);
  }

  get #hasLimit(): boolean {
    return hasLossLimit(this.live);
  }

  #addTracker(definition: TrackerDefinition): void {
    const hours = [...this.hours.values()].sort((a, b) => a.startTimeMs - b.startTimeMs);
    const { deals } = this;
    const seeded = seedTracker(this.live, definition, this.#rules, { hours, deals });
    attachTracker(this.live, seeded.tracker);
    this.#effects.completedPeriods.push(...seeded.completedPeriods);
    this.#effects.events.push(...seeded.events);
    this.#take();
  }

  #setClock(clock: BrokerClock): void {
    this.live.clock = new BrokerClockView(clock);
    this.live.lastUtcMs = this.live.clock.utcOf(this.live.lastTimeMs, Number.NaN);
    this.live.window = undefined;
    this.live.forgetQuietBand();
  }
}
