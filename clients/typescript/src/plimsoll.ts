import createClient, { type Client } from 'openapi-fetch';
import { dataOf } from './error.ts';
import { type EventFilter, type FollowedEvents, followEvents, followLive } from './events.ts';
import { type RetryOptions, retryingFetch } from './retry.ts';
import type { Account, HistoricalTrade, LiveMessage, paths } from './schema.ts';
import { followStanding, type StandingFilter } from './standing.ts';

export type ConnectOptions = RetryOptions & {
  /** The server's address: https://plimsoll.example.com */
  baseUrl: string;
  token: string;
};

const PAGE = 1000;

/** Connects to a server; sends nothing before the first call. */
export function connect({ baseUrl, token, ...retries }: ConnectOptions): Plimsoll {
  const fetch = retryingFetch(retries);
  const api = createClient<paths>({
    baseUrl,
    headers: { 'auth-token': token, 'plimsoll-compatibility': 'none' },
    fetch,
  });
  return new Plimsoll(api);
}

/**
 * Calls that need several requests. Every single operation is `api.GET(path, …)` and so on, typed.
 */
export class Plimsoll {
  readonly api: Client<paths>;

  constructor(api: Client<paths>) {
    this.api = api;
  }

  /** All closed trades of a range of broker time, page by page. Waits while they are computed. */
  async *historicalTrades(
    accountId: string,
    startTime: string,
    endTime: string,
    signal?: AbortSignal,
  ): AsyncGenerator<HistoricalTrade, void, undefined> {
    const path =
      '/users/current/accounts/{accountId}/historical-trades/{startTime}/{endTime}' as const;
    for (let offset = 0; ; offset += PAGE) {
      const params = { path: { accountId, startTime, endTime }, query: { limit: PAGE, offset } };
      const page = await dataOf(this.api.GET(path, { params, ...(signal ? { signal } : {}) }));
      if (!('trades' in page)) throw new Error('The trades are still being computed; ask later');
      yield* page.trades;
      if (page.trades.length < PAGE) return;
    }
  }

  /** All accounts that the token may see, page by page. */
  async *accounts(signal?: AbortSignal): AsyncGenerator<Account, void, undefined> {
    for (let offset = 0; ; ) {
      const params = { query: { limit: PAGE, offset } };
      const options = { params, ...(signal ? { signal } : {}) };
      const answer = this.api.GET('/users/current/accounts', options);
      const page = await dataOf(answer);
      yield* page;
      // A page of long records ends before its limit: the header says whether it was the last.
      if (!(await answer).response.headers.get('link')?.includes('rel="next"')) return;
      offset += page.length;
    }
  }

  /** Events after a number, for ever, by long polls: none is missed, none comes twice. */
  followEvents<Feed extends keyof FollowedEvents>(
    feed: Feed,
    filter: EventFilter = {},
  ): AsyncGenerator<FollowedEvents[Feed], void, undefined> {
    return followEvents(this.api, feed, filter);
  }

  /** Events by server-sent events: one connection, reopened after the last event. */
  followLive<Feed extends keyof FollowedEvents>(
    feed: Feed,
    filter: EventFilter = {},
  ): AsyncGenerator<FollowedEvents[Feed], void, undefined> {
    return followLive(this.api, feed, filter);
  }

  /** What accounts stand at, as it changes: first the whole state, then changes, for ever. */
  followStanding(filter: StandingFilter = {}): AsyncGenerator<LiveMessage, void, undefined> {
    return followStanding(this.api, filter);
  }
}
