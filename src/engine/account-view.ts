import type { BrokerTimeMs } from '../domain/broker-time.ts';
import { runningBucket } from '../domain/live/equity-bucket.ts';
import { type LimitRoom, limitRoom } from '../domain/live/limit-room.ts';
import type { LiveAccount } from '../domain/live/live-account.ts';
import type { FreshHours, PeriodStatistics, RunningBucket } from '../domain/live/live-records.ts';
import { known } from '../domain/live/number-rows.ts';
import { runningPeriod } from '../domain/live/tracker-records.ts';
import type { Money } from '../domain/money.ts';
import { pendingHours, type TrackedAccount } from './tracked-account.ts';

/**
 * An account as it stands at this moment. It is good while the call lasts that it was handed to: the
 * account goes on changing afterwards.
 */
export class AccountView {
  readonly #account: TrackedAccount;
  /** Entries of the journal up to here are in it. */
  readonly position: number;
  /** Undefined where nothing tells when the account's closed hours change. */
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
  get balance(): Money | undefined {
    return known(this.#account.balance);
  }
  get equity(): Money | undefined {
    return known(this.#account.equity);
  }

  runningHour(): RunningBucket | undefined {
    return runningBucket(this.#account);
  }

  /** Closed hours that the database may not have yet, and late snapshots of those that it has. */
  pendingHours(): FreshHours {
    return pendingHours(this.#account);
  }

  /** Completed periods of a tracker that the database may not have yet, and the running one. */
  newestPeriods(trackerId: string): PeriodStatistics[] {
    const { pending, writing, trackers } = this.#account;
    const tracker = trackers.find(({ id }) => id === trackerId);
    const running = tracker && runningPeriod(this.#account, tracker);
    const completed = [...(writing?.periods.values() ?? []), ...(pending?.periods.values() ?? [])];
    return [
      ...completed.filter((period) => period.trackerId === trackerId),
      ...(running ? [running] : []),
    ];
  }

  /** The room that each tracker leaves whose period runs. */
  limitRooms(): LimitRoom[] {
    return this.#account.trackers.flatMap((tracker) => limitRoom(this.#account, tracker) ?? []);
  }

  /** A copy of its own, without trackers, to calculate with. */
  copy(): LiveAccount {
    return this.#account.copy();
  }
}
