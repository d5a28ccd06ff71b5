import type { BrokerClock, BrokerTimeMs } from '../domain/broker-time.ts';
import { correctBucket } from '../domain/live/equity-bucket.ts';
import type { FoldEffects } from '../domain/live/fold-effects.ts';
import { runningMinute } from '../domain/live/fold-minute.ts';
import { LiveAccount, LiveRows } from '../domain/live/live-account.ts';
import type {
  EquityBucket,
  EquityMinute,
  FreshHours,
  LateBucketCorrection,
  PeriodStatistics,
} from '../domain/live/live-records.ts';
import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import type { Money } from '../domain/money.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { ThresholdType } from '../words/trackers.ts';
import { ClosedMinutes } from './closed-minutes.ts';
import { NUMBERS_EACH, RecentSnapshots, SNAPSHOTS_AFTER } from './recent-snapshots.ts';

/** A block of accounts takes 150 KB, one of trackers 190 KB. */
const ROWS_PER_BLOCK = 1024;

/** Where the numbers of a partition's accounts are kept, and what the accounts share. */
export class AccountMemory {
  readonly rows: LiveRows;
  readonly recent = new RecentSnapshots();
  readonly minutes = new ClosedMinutes();
  readonly rules: TrackerRules;

  constructor(rules: TrackerRules, rowsPerBlock = ROWS_PER_BLOCK) {
    this.rows = new LiveRows(rowsPerBlock);
    this.rules = rules;
  }
}

/** Records of an account not in the database yet. */
export type PendingRecords = {
  /** By the hour's start. */
  hours: Map<BrokerTimeMs, EquityBucket>;
  corrections: LateBucketCorrection[];
  /** By tracker and start; a newer record of a period replaces the older. */
  periods: Map<string, PeriodStatistics>;
  removedTrackers: string[];
};

/** A breach whose event still lacks snapshots from after it. */
export type Watch = {
  trackerId: string;
  kind: ThresholdType;
  startTimeMs: BrokerTimeMs;
  round: number;
  /** NUMBERS_EACH numbers for each: see RecentSnapshots. */
  after: number[];
  isDirty: boolean;
};

/** An entry, or the account's part of it, with its place in the journal. */
export type PlacedEntry = { position: number; entry: JournalEntry };

/** While a tracker is seeded, its account is on hold: the account's entries wait. */
export type Hold = {
  tracker: TrackerDefinition;
  /** The entry that brings the tracker; later ones wait. */
  position: number;
  readonly waiting: PlacedEntry[];
};

export type AccountFacts = {
  number: number;
  id: string;
  brokerClock: BrokerClock;
  moneyDigits: number;
  /** Entries up to here are in its state. */
  position: number;
};

let versions = 0;

/** An account being folded: its live state, and the part not stored yet. */
export class TrackedAccount extends LiveAccount {
  readonly number: number;
  readonly moneyDigits: number;
  /** Entries up to here were in its state when it was loaded. */
  readonly loadedPosition: number;
  brokerClock: BrokerClock;
  /** Its state has changed since it was stored. */
  isDirty = false;
  /** It was freed: another account may use its memory. */
  isGone = false;
  pending: PendingRecords | undefined = undefined;
  /** Records being written to the database. */
  writing: PendingRecords | undefined = undefined;
  watches: Watch[] | undefined = undefined;
  /** Entries up to here are in its stored state. */
  storedPosition: number;
  hold: Hold | undefined = undefined;
  /** Its place in RecentSnapshots. */
  readonly slot: number;
  snapshotCount = 0;
  /** The version of its closed hours in the database; unique within this process. */
  hoursVersion = 0;
  readonly #memory: AccountMemory;

  /** An account into which nothing was folded yet. */
  constructor(facts: AccountFacts, memory: AccountMemory) {
    super(facts.id, memory.rules.clocks.viewOf(facts.brokerClock), memory.rows);
    this.number = facts.number;
    this.moneyDigits = facts.moneyDigits;
    this.loadedPosition = facts.position;
    this.storedPosition = facts.position;
    this.brokerClock = memory.rules.clocks.sharedClock(facts.brokerClock);
    this.slot = memory.recent.takeSlot();
    this.#memory = memory;
    this.hoursHaveChanged();
  }

  /** Gives its closed hours a new version, because they will change in the database. */
  hoursHaveChanged(): void {
    versions += 1;
    this.hoursVersion = versions;
  }

  /** Keeps a folded snapshot as evidence. */
  remember(timeMs: BrokerTimeMs, balance: Money, equity: Money, receivedUtcMs: number): void {
    this.#memory.recent.add(this, timeMs, balance, equity, receivedUtcMs);
    for (const watch of this.watches ?? []) {
      if (isComplete(watch)) continue;
      watch.after.push(timeMs, balance, equity, receivedUtcMs);
      watch.isDirty = true;
    }
  }

  /**
   * Takes the records that folding produced, except events; returns how many these are, without
   * minutes.
   */
  keep(effects: FoldEffects): number {
    const { closedBuckets, lateBucketCorrections, minutes, completedPeriods } = effects;
    // Mostly there is none: even an empty loop would be a tenth of a fold.
    if (minutes.length > 0) {
      for (const minute of minutes) this.#memory.minutes.add(this.number, minute);
      minutes.length = 0;
    }
    const count = closedBuckets.length + lateBucketCorrections.length + completedPeriods.length;
    if (count === 0) return 0;
    const pending = this.toStore();
    const before = recordsIn(pending);
    for (const hour of closedBuckets) pending.hours.set(hour.startTimeMs, hour);
    for (const correction of lateBucketCorrections) {
      const hour = pending.hours.get(correction.startTimeMs);
      if (hour) pending.hours.set(hour.startTimeMs, correctBucket(hour, correction));
      else pending.corrections.push(correction);
    }
    for (const period of completedPeriods) {
      pending.periods.set(periodKey(period), period);
    }
    closedBuckets.length = 0;
    lateBucketCorrections.length = 0;
    completedPeriods.length = 0;
    return recordsIn(pending) - before;
  }

  /** Minutes that the database may not have, or only in part: also the running one. */
  newestMinutes(): EquityMinute[] {
    const running = runningMinute(this);
    return [...this.#memory.minutes.of(this.number), ...(running ? [running] : [])];
  }

  toStore(): PendingRecords {
    this.pending ??= {
      hours: new Map(),
      corrections: [],
      periods: new Map(),
      removedTrackers: [],
    };
    return this.pending;
  }

  /** Frees its memory. It must not be used afterwards. */
  override free(): void {
    this.isGone = true;
    super.free();
    this.#memory.minutes.drop(this.number);
    this.#memory.recent.freeSlot(this.slot);
  }
}

/** Closed hours that the database may not have yet, and late snapshots for hours that it has. */
export function pendingHours({ pending, writing }: TrackedAccount): FreshHours {
  return {
    hours: [...(writing?.hours.values() ?? []), ...(pending?.hours.values() ?? [])],
    corrections: [...(writing?.corrections ?? []), ...(pending?.corrections ?? [])],
  };
}

export const isComplete = ({ after }: Watch): boolean =>
  after.length >= SNAPSHOTS_AFTER * NUMBERS_EACH;

export const recordsIn = (pending: PendingRecords | undefined): number =>
  pending ? pending.hours.size + pending.corrections.length + pending.periods.size : 0;

/** Some of the records of an account. */
export type SomeRecords = {
  hours: EquityBucket[];
  corrections: LateBucketCorrection[];
  periods: PeriodStatistics[];
};

/** At most `limit` records, hours first. */
export function firstRecords(pending: PendingRecords, limit: number): SomeRecords {
  const hours = [...pending.hours.values().take(limit)];
  const corrections = pending.corrections.slice(0, limit - hours.length);
  const left = limit - hours.length - corrections.length;
  return { hours, corrections, periods: [...pending.periods.values().take(left)] };
}

/** Removes records stored by now, except those changed since; returns how many. */
export function dropRecords(pending: PendingRecords, stored: SomeRecords): number {
  const before = recordsIn(pending);
  for (const hour of stored.hours) {
    if (pending.hours.get(hour.startTimeMs) === hour) pending.hours.delete(hour.startTimeMs);
  }
  pending.corrections.splice(0, stored.corrections.length);
  for (const period of stored.periods) {
    const key = periodKey(period);
    if (pending.periods.get(key) === period) pending.periods.delete(key);
  }
  return before - recordsIn(pending);
}

const periodKey = ({ trackerId, startTimeMs }: PeriodStatistics): string =>
  `${trackerId} ${startTimeMs}`;
