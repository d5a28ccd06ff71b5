import type { DealType } from '../../words/deals.ts';
import type { EventKind, FeedChangeKind } from '../../words/events.ts';
import type { PeriodWord } from '../../words/periods.ts';
import type { PeriodStatus, ThresholdType } from '../../words/trackers.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import type { DealTrade } from '../deal.ts';
import type { Money } from '../money.ts';
import type { EnrolmentTransition } from '../programs/enrolment-transition.ts';
import type { RuleWarning } from '../programs/rule-warning.ts';

/** The fields of a deal that the live fold needs. */
export type LiveDeal = {
  id: string;
  type: DealType;
  timeMs: BrokerTimeMs;
  /** Net effect of the deal: profit and all its costs. */
  money: Money;
  /** The deal is known to open nothing: it only closed a position. */
  closes?: boolean;
  /** Only of purchases and sales. */
  trade?: DealTrade;
};

/**
 * One hour of an account by the broker's clock, `startTimeMs` to `startTimeMs` + 59:59.999, with at
 * least one snapshot. Averages are weighted by UTC time, rounded to units of Money.
 */
export type EquityBucket = {
  accountId: string;
  startTimeMs: BrokerTimeMs;
  averageBalance: Money;
  minBalance: Money;
  maxBalance: Money;
  averageEquity: Money;
  minEquity: Money;
  maxEquity: Money;
  startBalance: Money;
  startEquity: Money;
  lastBalance: Money;
  lastEquity: Money;
  /** The lowest or highest equity came late, so its moment within the hour is unknown. */
  hasLateExtremes: boolean;
};

/** An hour without its account. */
export type EquityHour = Omit<EquityBucket, 'accountId'>;

/** The running hour, with additions for a real-time chart. Sums are value × milliseconds. */
export type RunningBucket = EquityBucket & {
  timeMs: BrokerTimeMs;
  durationMs: number;
  balanceSum: number;
  equitySum: number;
};

/** A snapshot that came after its hour was closed; see `correctBucket`. */
export type LateBucketCorrection = {
  accountId: string;
  startTimeMs: BrokerTimeMs;
  balance: Money;
  equity: Money;
};

/**
 * What snapshots of one minute by the broker's clock, or some of them, showed. `lastTimeMs` is the
 * moment of the last of them and tells which minute it is.
 */
export type EquityMinute = {
  lastTimeMs: BrokerTimeMs;
  lastBalance: Money;
  lastEquity: Money;
  minBalance: Money;
  maxBalance: Money;
  minEquity: Money;
  maxEquity: Money;
};

/** Closed hours newer than the stored ones, and late snapshots of hours that may be stored. */
export type FreshHours = {
  readonly hours: readonly EquityBucket[];
  readonly corrections: readonly LateBucketCorrection[];
};

/**
 * One period of a tracker. Maxima freeze when a threshold is exceeded. Relative values are
 * fractions of 1, and 0 if their base is not positive.
 */
export type PeriodStatistics = {
  accountId: string;
  trackerId: string;
  period: PeriodWord;
  startTimeMs: BrokerTimeMs;
  /** The last moment that belongs to the period; absent when it has no end. */
  endTimeMs?: BrokerTimeMs | undefined;
  periodStatus: PeriodStatus;
  /** Balance at the start; absent while not known. */
  initialBalance?: Money | undefined;
  /** The newest baseline of drawdown: peaks rise. Absent while not known. */
  baseline?: Money | undefined;
  /** The baseline of profit. Absent while not known. */
  profitBaseline?: Money | undefined;
  /** The tighter of the two thresholds as Money; absent without one. */
  drawdownLimit?: Money | undefined;
  profitLimit?: Money | undefined;
  /** Money of deals that is taken out of the equity, at its newest. */
  adjustment: Money;
  maxAbsoluteDrawdown: Money;
  maxRelativeDrawdown: number;
  /** When the absolute maximum was reached; absent while it is 0. */
  maxDrawdownTimeMs?: BrokerTimeMs | undefined;
  maxAbsoluteProfit: Money;
  maxRelativeProfit: number;
  maxProfitTimeMs?: BrokerTimeMs | undefined;
  thresholdExceeded: boolean;
  exceededThresholdType?: ThresholdType | undefined;
  tradeDayCount: number;
};

/** A snapshot measured by a tracker in a period, with the evidence to check it by. */
type Measured = {
  accountId: string;
  trackerId: string;
  period: PeriodWord;
  startTimeMs: BrokerTimeMs;
  endTimeMs?: BrokerTimeMs | undefined;
  /** Broker time of the snapshot. */
  timeMs: BrokerTimeMs;
  absoluteDrawdown: Money;
  relativeDrawdown: number;
  absoluteProfit: Money;
  relativeProfit: number;
  /**
   * The tighter of the two thresholds as Money: the largest amount that was still allowed or, if
   * the thresholds are `inclusive`, the least that was not.
   */
  allowed: Money;
  inclusive: boolean;
  /** The baseline, and the snapshot's figures; adjusted equity is equity − adjustment. */
  baseline: Money;
  initialBalance: Money;
  balance: Money;
  equity: Money;
  adjustment: Money;
};

/** A threshold was exceeded, or is near, at a snapshot. */
export type TrackerEvent = Measured & {
  exceededThresholdType: ThresholdType;
  /** Only in a warning: at least this part of the drawdown limit, a fraction of 1, is used up. */
  warnAt?: number;
  /** Counts the period's events of this kind, from 0: after a revised one another may follow. */
  round: number;
};

/**
 * A correction by later facts, which move or remove the ground of an event; the event itself stays.
 * It measures the snapshot that exceeds now or, if none does, that of the event.
 */
export type Revision = Measured & {
  /** The event of the same period that it revises. */
  revises: { kind: 'drawdown' | 'profit' | 'warning'; round: number };
  stillExceeded: boolean;
  /** Counts the period's revisions, from 0. */
  round: number;
};

/** An event for users: each is stored at once and numbered. */
export type LiveEvent = TrackerEvent | Revision | EnrolmentTransition | RuleWarning | FeedChange;

/** An account's feed, its clock or its limits got worse, so that less is watched, or recovered. */
export type FeedChange = {
  accountId: string;
  feed: FeedChangeKind;
  /**
   * Receipt of the last snapshot before the silence, or of the first one with a wrong clock; or
   * when the last loss limit was lost.
   */
  sinceUtcMs: number;
  /** Time of the snapshot that showed it; in a silence, of the last one before. */
  timeMs: BrokerTimeMs;
  /** Only in a return: how long nothing came in before. */
  silentMs?: number;
  /** Only in a silence of an account that is read from a platform: the last error. */
  reason?: string;
  /** Only for clocks: the broker time of that snapshot, in UTC, less its receipt. */
  offsetMs?: number;
};

export const isTransition = (event: LiveEvent): event is EnrolmentTransition => 'to' in event;

export const isRuleWarning = (event: LiveEvent): event is RuleWarning => 'near' in event;

export const isFeedChange = (event: LiveEvent): event is FeedChange => 'feed' in event;

export const isRevision = (event: LiveEvent): event is Revision => 'revises' in event;

/** Whether a tracker found it: a threshold is exceeded, or near. */
export const isOfTracker = (event: LiveEvent): event is TrackerEvent =>
  'exceededThresholdType' in event;

/** Whether it measures a snapshot: such an event, or its revision. */
export const isMeasured = (event: LiveEvent): event is TrackerEvent | Revision =>
  'trackerId' in event;

/** Whether a threshold was exceeded; then later snapshots are evidence too. */
export const isBreach = (event: LiveEvent): event is TrackerEvent =>
  isOfTracker(event) && event.warnAt === undefined;

export function kindOf(event: LiveEvent): EventKind {
  if (isTransition(event)) return 'enrolment';
  if (isFeedChange(event)) return event.feed;
  if (isRevision(event)) return 'revision';
  if (isRuleWarning(event)) return 'warning';
  return event.warnAt === undefined ? event.exceededThresholdType : 'warning';
}

/**
 * `late`: older than the newest snapshot, so only extremes may have changed. `duplicate`: the same
 * moment and values as the newest. `too-far-ahead`: ignored, because its clock must be wrong.
 */
export type FoldOutcome = 'accepted' | 'late' | 'duplicate' | 'too-far-ahead';
