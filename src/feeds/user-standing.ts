import { MAX_KEPT_INCIDENTS } from '../contract/operations/live-standing.ts';
import { StandingLog } from './standing-log.ts';
import type { ToldIncident } from './standing-source.ts';

/** An account that is followed, and when it becomes stale. */
type Followed = { id: string; isFolded: boolean; staleAtMs: number };

/** What is known of a user's accounts, for all who follow some of them. */
export class UserStanding {
  readonly userId: string;
  readonly log: StandingLog;
  readonly accounts = new Map<number, Followed>();
  /** All of the user's accounts are followed, and new ones as they come. */
  isWhole = false;
  /** It is no longer kept up to date: ask the feed for another one. */
  isOver = false;
  readers = 0;
  idleSinceMs = 0;
  /** Accounts are added one request after another. */
  adding: Promise<void> = Promise.resolve();
  readonly waiters = new Set<() => void>();

  constructor(userId: string, nextVersion: () => number) {
    this.userId = userId;
    this.log = new StandingLog(nextVersion);
  }

  wake(): void {
    for (const waiter of this.waiters) waiter();
  }

  /** Keeps what is to be told of incidents. */
  tell(incidents: readonly ToldIncident[]): void {
    const { log, accounts } = this;
    for (const { accountNumber, part, name, text } of incidents) {
      if (accounts.has(accountNumber)) log.set(accountNumber, part, name, text);
    }
    for (const number of new Set(incidents.map(({ accountNumber }) => accountNumber))) {
      if (!log.keepIncidents(number, MAX_KEPT_INCIDENTS)) continue;
      // Told again to those who have heard it before.
      log.drop(number, 'incidents', 'more');
      log.set(number, 'incidents', 'more', '"moreIncidents":true');
    }
  }
}
