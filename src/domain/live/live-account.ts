import type { BrokerTimeMs } from '../broker-time.ts';
import type { DealRules } from '../programs/deal-rules.ts';
import { ENROLMENT_NUMBERS, type LiveEnrolment } from '../programs/live-enrolment.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import type { FoldWindow } from './fold-window.ts';
import type { KnownDeal } from './known-deals.ts';
import { type LiveTracker, TRACKER_NUMBERS } from './live-tracker.ts';
import { copyNumbers, NumberRows, rowClass } from './number-rows.ts';

/** The stored numbers of an account, in this order; money in units, times in milliseconds. */
const STORED = [
  /** Broker time of the newest snapshot. */
  'lastTimeMs',
  'lastUtcMs',
  /** Broker time of the first snapshot with a positive balance or equity. */
  'fundedTimeMs',
  'balance',
  'equity',
  /** When the newest snapshot, by receipt, was received. */
  'receivedUtcMs',
  /** Start of the running hour, by the broker's clock. */
  'hourStartMs',
  'hourDurationMs',
  /** Sums of (value − start value) × milliseconds in the hour, each in two: see hour-sum.ts. */
  'hourBalanceSumHigh',
  'hourBalanceSumLow',
  'hourEquitySumHigh',
  'hourEquitySumLow',
  'hourStartBalance',
  'hourStartEquity',
  'hourMinBalance',
  'hourMaxBalance',
  'hourMinEquity',
  'hourMaxEquity',
  /** 1 if a late snapshot has the lowest or highest equity of the hour, else 0. */
  'hourHasLateExtremes',
  /** Of the minute of the newest snapshot: see fold-minute.ts. */
  'minuteMinBalance',
  'minuteMaxBalance',
  'minuteMinEquity',
  'minuteMaxEquity',
  /** Receipt of the shown snapshot, or of its newest repetition. */
  'freshUtcMs',
  /** That receipt while the feed is noted as silent since, else NaN. */
  'silentSinceUtcMs',
  /** Its broker time, in UTC, less its receipt: see feed-clock.ts. */
  'clockOffsetMs',
  /** The receipt since which the clock is noted as off, else NaN. */
  'clockOffSinceUtcMs',
  /** The receipt since which the clock may be off, and by how much it was off then. */
  'doubtSinceUtcMs',
  'doubtOffsetMs',
] as const;
/** Recomputed from the trackers: see quiet-band.ts and settle-breaches.ts. */
const DERIVED = [
  'quietUntilUtcMs',
  'quietFromEquity',
  'quietToEquity',
  'quietToBalance',
  /** By time of receipt, when the first waiting breach is due; NaN: none waits. */
  'settleDueUtcMs',
] as const;
const NAMES = [...STORED, ...DERIVED];

/** How many numbers of an account are stored. */
export const ACCOUNT_NUMBERS = STORED.length;

/** Memory for the numbers of many accounts and their trackers. */
export class LiveRows {
  readonly accounts: NumberRows;
  readonly trackers: NumberRows;
  readonly enrolments: NumberRows;

  constructor(rowsPerBlock: number) {
    this.accounts = new NumberRows(NAMES.length, rowsPerBlock);
    this.trackers = new NumberRows(TRACKER_NUMBERS, rowsPerBlock);
    this.enrolments = new NumberRows(ENROLMENT_NUMBERS, rowsPerBlock);
  }
}

export type AccountWindow = FoldWindow<LiveAccount>;

const NO_TRACKERS: readonly LiveTracker[] = [];
const NO_ENROLMENTS: readonly LiveEnrolment[] = [];
export const NO_DEALS: readonly KnownDeal[] = [];
const NO_DEAL_RULES: readonly DealRules[] = [];

/** The live state of one account: all that a fold reads and writes. */
export class LiveAccount extends rowClass(NAMES) {
  readonly id: string;
  clock: BrokerClockView;
  readonly rows: LiveRows;
  /** In the order they were added. Each change makes a new list, which has no spare capacity. */
  trackers: readonly LiveTracker[] = NO_TRACKERS;
  /** The enrolments that have not ended. */
  enrolments: readonly LiveEnrolment[] = NO_ENROLMENTS;
  /** Of those of its enrolments that have rules over deals. Copies do not have them. */
  dealRules: readonly DealRules[] = NO_DEAL_RULES;
  /** Known deals that no snapshot includes yet, in their own order: see deal-placement.ts. */
  waitingDeals: readonly KnownDeal[] = NO_DEALS;
  /** The part that late facts may still change; undefined while everything is explained. */
  window: AccountWindow | undefined = undefined;
  /** Only while a log is folded again: the starts of periods that have no start of their own. */
  knownStarts: ReadonlyMap<string, BrokerTimeMs> | undefined = undefined;
  /** Balance and equity of snapshots of the newest moment, but for the newest. */
  ofMoment: readonly number[] | undefined = undefined;

  constructor(id: string, clock: BrokerClockView, rows = new LiveRows(1)) {
    super(rows.accounts.take());
    this.id = id;
    this.clock = clock;
    this.rows = rows;
    this.hourHasLateExtremes = 0;
  }

  /** An independent copy, without trackers and enrolments; its numbers lie in rows of its own. */
  copy(rows = new LiveRows(1)): LiveAccount {
    const copy = new LiveAccount(this.id, this.clock, rows);
    copyNumbers(this, copy, NAMES.length);
    copy.waitingDeals = this.waitingDeals;
    return copy;
  }

  attach(tracker: LiveTracker): void {
    this.trackers = this.trackers.concat(tracker);
    this.forgetQuietBand();
  }

  /** Returns the tracker, if it was there. */
  detach(trackerId: string): LiveTracker | undefined {
    const detached = this.trackers.find(({ id }) => id === trackerId);
    this.trackers = this.trackers.filter((tracker) => tracker !== detached);
    this.forgetQuietBand();
    return detached;
  }

  /** Running hours and periods keep their bounds; what begins after them follows the new clock. */
  changeClock(clock: BrokerClockView): void {
    this.clock = clock;
    // What was received before is the newest still, whatever the former clock made of it.
    this.lastUtcMs = clock.utcOf(this.lastTimeMs, Number.NaN);
    this.dropWindow();
    this.forgetQuietBand();
  }

  /** From now on late facts change nothing of what was folded. */
  dropWindow(): void {
    this.window?.base.free();
    this.window = undefined;
  }

  /** Gives the rows of its numbers back. It must not be used afterwards. */
  free(): void {
    for (const tracker of this.trackers) this.rows.trackers.giveBack(tracker);
    for (const enrolment of this.enrolments) this.rows.enrolments.giveBack(enrolment);
    this.rows.accounts.giveBack(this);
    this.dropWindow();
  }

  /** Call this when anything but a snapshot changes a tracker: see quiet-band.ts. */
  forgetQuietBand(): void {
    this.quietUntilUtcMs = Number.NaN;
    this.quietFromEquity = Number.NaN;
    this.quietToEquity = Number.NaN;
    this.quietToBalance = Number.NaN;
  }
}
