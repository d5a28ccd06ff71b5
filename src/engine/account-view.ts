import type { BrokerTimeMs } from '../domain/broker-time.ts';
import { runningBucket } from '../domain/live/equity-bucket.ts';
import { isClockOff } from '../domain/live/feed-clock.ts';
import { FoldEffects } from '../domain/live/fold-effects.ts';
import { type LimitRoom, limitRoom } from '../domain/live/limit-room.ts';
import type { LiveAccount } from '../domain/live/live-account.ts';
import type {
  EquityMinute,
  FreshHours,
  PeriodStatistics,
  RunningBucket,
} from '../domain/live/live-records.ts';
import type { LiveTracker } from '../domain/live/live-tracker.ts';
import { known } from '../domain/live/number-rows.ts';
import { runningPeriod } from '../domain/live/tracker-records.ts';
import { withWaitingDeals } from '../domain/live/with-waiting-deals.ts';
import type { Money } from '../domain/money.ts';
import { type EnrolmentProgress, enrolmentProgress } from '../domain/programs/enrolment-records.ts';
import { pendingHours, type TrackedAccount } from './tracked-account.ts';

/** Their number; the newest lies between two snapshots. */
export type UnexplainedMovements = {
  count: number;
  newest: { fromMs: BrokerTimeMs; toMs: BrokerTimeMs; money: Money };
};

/**
 * An account as it stands now. Use it only within the call that received it: the account changes
 * afterwards.
 */
export class AccountView {
  readonly #account: TrackedAccount;
  /** It includes the entries of the journal up to here. */
  readonly position: number;
  /**
   * Undefined if this process does not fold the account, and so cannot know when its hours change.
   */
  readonly hoursVersion: number | undefined;

  constructor(account: TrackedAccount, position: number, isFolded: boolean) {
    this.#account = account;
    this.position = account.hold ? account.hold.position - 1 : position;
    this.hoursVersion = isFolded ? account.hoursVersion : undefined;
  }

  /** Broker time and UTC of the newest snapshot; undefined before the first. */
  get lastTimeMs(): BrokerTimeMs | undefined {
    return known(this.#account.lastTimeMs);
  }
  get lastUtcMs(): number | undefined {
    return known(this.#account.lastUtcMs);
  }
  /** Its receipt, or that of its newest repetition. */
  get freshUtcMs(): number | undefined {
    return known(this.#account.freshUtcMs);
  }
  /** Its broker time, in UTC, less its receipt; and whether it is noted as off. */
  get clockOffsetMs(): number | undefined {
    return known(this.#account.clockOffsetMs);
  }
  get isClockOff(): boolean {
    return isClockOff(this.#account);
  }
  get balance(): Money | undefined {
    return known(this.#account.balance);
  }
  get equity(): Money | undefined {
    return known(this.#account.equity);
  }

  /** The balance with the known deals that no snapshot includes yet. */
  get ledgerBalance(): Money | undefined {
    return known(withWaitingDeals(this.#account).balance);
  }

  /** Whether a snapshot has ever shown money. */
  get wasFunded(): boolean {
    return known(this.#account.fundedTimeMs) !== undefined;
  }

  /** The movement of the balance that deals may still explain; undefined if there is none. */
  unexplainedMovements(): UnexplainedMovements | undefined {
    const { window, clock } = this.#account;
    const movements = window?.movements ?? [];
    const newest = movements.at(-1);
    if (!newest) return undefined;
    const { afterUtcMs, utcMs, money } = newest;
    return {
      count: movements.length,
      newest: { fromMs: clock.brokerTimeOf(afterUtcMs), toMs: clock.brokerTimeOf(utcMs), money },
    };
  }

  runningHour(): RunningBucket | undefined {
    return runningBucket(this.#account);
  }

  /** Closed hours that the database may not have yet, and late snapshots for hours that it has. */
  pendingHours(): FreshHours {
    return pendingHours(this.#account);
  }

  /** Minutes that the database may not have, or only in part, in any order. */
  newestMinutes(): EquityMinute[] {
    return this.#account.newestMinutes();
  }

  /** Completed periods of a tracker that the database may lack yet, and the running one. */
  newestPeriods(trackerId: string): PeriodStatistics[] {
    const { pending, writing } = this.#account;
    const effects = new FoldEffects();
    const shown = withWaitingDeals(this.#account, effects);
    const tracker = shown.trackers.find(({ id }) => id === trackerId);
    const running = tracker && runningPeriod(shown, tracker);
    const completed = [
      ...(writing?.periods.values() ?? []),
      ...(pending?.periods.values() ?? []),
      ...effects.completedPeriods,
    ];
    return [
      ...completed.filter((period) => period.trackerId === trackerId),
      ...(running ? [running] : []),
    ];
  }

  /** The running period of each tracker that has one. */
  runningPeriods(): PeriodStatistics[] {
    const shown = withWaitingDeals(this.#account);
    return shownTrackers(shown).flatMap((tracker) => runningPeriod(shown, tracker) ?? []);
  }

  /** The remaining room of each tracker with a running period. */
  limitRooms(): LimitRoom[] {
    const shown = withWaitingDeals(this.#account);
    return shownTrackers(shown).flatMap((tracker) => limitRoom(shown, tracker) ?? []);
  }

  /** The progress of an enrolment; undefined if it has ended. */
  enrolmentProgress(enrolmentId: string): EnrolmentProgress | undefined {
    const shown = withWaitingDeals(this.#account);
    const enrolment = shown.enrolments.find(({ id }) => id === enrolmentId);
    if (!enrolment || (enrolment.isHeld && !enrolment.isDisputed)) return undefined;
    return enrolmentProgress(shown, enrolment);
  }

  /** An independent copy without trackers, for calculations. */
  copy(): LiveAccount {
    return this.#account.copy();
  }
}

/** Without those of enrolments that have failed by a rule over deals, and are kept for a while. */
function shownTrackers({ trackers, enrolments }: LiveAccount): readonly LiveTracker[] {
  const held = enrolments.filter(({ isHeld }) => isHeld).flatMap((one) => one.trackers);
  return held.length === 0 ? trackers : trackers.filter((tracker) => !held.includes(tracker));
}
