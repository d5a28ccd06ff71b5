import { DAY_MS } from '../broker-time.ts';
import type { LiveTracker } from '../live/live-tracker.ts';
import { type NumberRow, rowClass } from '../live/number-rows.ts';
import { type PhaseTerms, termsOf } from './phase-terms.ts';
import type { EnrolmentDefinition } from './program-definition.ts';

/** As many daily results as an integer has bits: see `tradedDays`. */
export const DAYS_KEPT = 32;

/** Numbers of an enrolment that has not ended, stored in this order. */
const NAMES = [
  /** One of the constants below. */
  'state',
  /** NaN until it has begun. */
  'startUtcMs',
  'startTimeMs',
  /** The running day in days since 1970, and the moment of its end. */
  'today',
  'dayEndUtcMs',
  /** When the phase is over, and when it is over unless there is a trade. */
  'deadlineUtcMs',
  'idleUntilUtcMs',
  /** The newest day with a trade, at least the first day and that of the last resumption. */
  'lastActiveDay',
  /** The latest pause, whose deals count for no day. */
  'pausedFromUtcMs',
  'pausedUntilUtcMs',
  /** The result of all days, and the settled figures of those that are no longer kept. */
  'total',
  'settledWinning',
  'settledBest',
  'settledProfitable',
  'settledTraded',
  /** The newest day that is kept, and which of the kept were trading days, its own in bit 0. */
  'lastDay',
  'tradedDays',
  /**
   * Payouts so far and their sum, and the day of the latest, which ended the days that count; NaN
   * before the first.
   */
  'payouts',
  'paidOut',
  'lastPayoutDay',
  /** How often its state has changed. */
  'transitionCount',
  /** One of the constants below if it has ended, but would not have by the facts known now. */
  'dispute',
] as const;

const DAYS_AT = NAMES.length;
export const ENROLMENT_NUMBERS = NAMES.length + DAYS_KEPT;

export const RUNNING = 0;
export const PAUSED = 1;

export const NO_DISPUTE = 0;
/** It passes only once a person has reinstated it. */
export const FAILED_IN_DISPUTE = 1;
export const PASSED_IN_DISPUTE = 2;
/** By a rule over deals, and kept, paused, for DISPUTABLE_MS: later deals may remove the ground. */
export const FAILED_BY_DEALS = 3;
/** As long as a deal may come late: see docs/programs.md. */
export const DISPUTABLE_MS = 31 * DAY_MS;

/** The tracker of a loss limit, and the rule that it measures. */
export type LimitTracker = {
  tracker: LiveTracker;
  ruleIndex: number;
  /** As many breaches fail the phase; Infinity if none does. */
  failsAt: number;
};

/** An account's run through a phase, until it ends. */
export class LiveEnrolment extends rowClass(NAMES) {
  readonly definition: EnrolmentDefinition;
  readonly terms: PhaseTerms;
  /** Measures the whole phase. */
  readonly progress: LiveTracker;
  readonly limits: readonly LimitTracker[];

  constructor(
    row: NumberRow,
    definition: EnrolmentDefinition,
    progress: LiveTracker,
    limits: readonly LimitTracker[],
    terms = termsOf(definition),
  ) {
    super(row);
    this.definition = definition;
    this.terms = terms;
    this.progress = progress;
    this.limits = limits;
  }

  get id(): string {
    return this.definition.id;
  }

  get isDisputed(): boolean {
    return this.dispute === FAILED_IN_DISPUTE || this.dispute === PASSED_IN_DISPUTE;
  }

  /** It has failed by a rule over deals, disputed or not, and is not judged. */
  get isHeld(): boolean {
    return this.state === PAUSED && this.dispute !== NO_DISPUTE;
  }

  get hasBegun(): boolean {
    return !Number.isNaN(this.startUtcMs);
  }

  /** All the trackers that it owns. */
  get trackers(): LiveTracker[] {
    return [this.progress, ...this.limits.map(({ tracker }) => tracker)];
  }

  /** The result of one of the days that are kept. */
  resultOf(day: number): number {
    return this.block[this.at + DAYS_AT + placeOf(day)] ?? 0;
  }

  setResult(day: number, result: number): void {
    this.block[this.at + DAYS_AT + placeOf(day)] = result;
  }
}

/** Days before 1970 have negative numbers. */
const placeOf = (day: number): number => ((day % DAYS_KEPT) + DAYS_KEPT) % DAYS_KEPT;
