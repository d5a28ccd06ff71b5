import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { EnrolmentTransition } from '../programs/enrolment-transition.ts';
import type { RuleWarning } from '../programs/rule-warning.ts';
import type { LiveAccount } from './live-account.ts';
import type {
  EquityBucket,
  EquityMinute,
  FeedChange,
  LateBucketCorrection,
  PeriodStatistics,
  Revision,
  TrackerEvent,
} from './live-records.ts';
import type { LiveTracker } from './live-tracker.ts';

/**
 * A state of the account to be measured. The adjustment of a snapshot is known; that of an hour may
 * be known only to lie between two amounts: then drawdown, profit and peak are the least that they
 * can be. `mostBooked` is the most of it that the balance may include, so without credit.
 */
export type Seen = {
  timeMs: BrokerTimeMs;
  /** NaN if nothing is waited for: see waitsForExplanation. */
  receivedUtcMs: number;
  balance: Money;
  equity: Money;
  leastAdjustment: Money;
  mostAdjustment: Money;
  mostBooked: Money;
};

/**
 * Records that a fold leaves to be stored. Reused: the caller takes them, then calls `clear`. The
 * running minute, hour and periods are not among them: they are read from the account.
 */
export class FoldEffects {
  readonly closedBuckets: EquityBucket[] = [];
  readonly lateBucketCorrections: LateBucketCorrection[] = [];
  /** Minutes, or parts of them, in any order. */
  readonly minutes: EquityMinute[] = [];
  readonly completedPeriods: PeriodStatistics[] = [];
  readonly events: TrackerEvent[] = [];
  readonly revisions: Revision[] = [];
  readonly transitions: EnrolmentTransition[] = [];
  readonly warnings: RuleWarning[] = [];
  readonly feedChanges: FeedChange[] = [];
  /** Called with every measured state, if set. */
  measured: ((account: LiveAccount, tracker: LiveTracker, seen: Seen) => void) | undefined;

  clear(): void {
    this.closedBuckets.length = 0;
    this.lateBucketCorrections.length = 0;
    this.minutes.length = 0;
    this.completedPeriods.length = 0;
    this.events.length = 0;
    this.revisions.length = 0;
    this.transitions.length = 0;
    this.warnings.length = 0;
    this.feedChanges.length = 0;
  }
}
