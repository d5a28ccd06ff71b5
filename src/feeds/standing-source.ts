import type { StoredEvent } from '../storage/event-feed-store.ts';
import type { LivePart } from '../words/events.ts';

/** An incident that has changed, by its moment; or an event, which may be one's. */
export type IncidentNews = { accountNumber: number } & (
  | { timeMs: number }
  | { event: Omit<StoredEvent, 'accountNumber'> }
);

/** An incident, or what is told of all incidents of an account. */
export type ToldIncident = {
  accountNumber: number;
  part: 'incident' | 'incidents';
  name: string;
  text: string;
};

/** What an account stands at, as parts of JSON, and when it becomes stale. */
export type LiveState = { texts: readonly (readonly [LivePart, string])[]; staleAtMs: number };

/** Where StandingFeed reads what has changed. */
export type StandingSource = {
  /** Has `heard` called for each account that is folded in this process and has changed. */
  onFolded(heard: (accountNumber: number) => void): void;
  isFolded(accountNumber: number): boolean;
  /** Those of the accounts that other processes have stored since the last question. */
  storedAnew(accountNumbers: readonly number[]): Promise<readonly number[]>;
  /** Ids by number: of these accounts of a user, or of all, up to a bit more than `most`. */
  accountsOf(
    userId: string,
    numbers: readonly number[] | undefined,
    most: number,
  ): Promise<ReadonlyMap<number, string>>;
  findAccounts(
    numbers: readonly number[],
  ): Promise<readonly { number: number; id: string; userId: string }[]>;
  readStates(
    accountNumbers: readonly number[],
    answer: (accountNumber: number, state: LiveState) => void,
  ): Promise<void>;
  /** The newest open incidents of accounts of a user, and how many each account has. */
  openIncidents(
    userId: string,
    accountNumbers: readonly number[],
    areAll: boolean,
  ): Promise<readonly ToldIncident[]>;
  /** What to tell of incidents: each thing's name, and its JSON. */
  readIncidents(userId: string, news: readonly IncidentNews[]): Promise<readonly ToldIncident[]>;
};
