import type { Database } from '../../src/storage/database.ts';
import { storeManyAccounts } from '../data/copies.ts';
import { DRAWDOWNS, storeManyEvents } from '../data/events.ts';
import { accountId, storeNarrowToken, TOKEN } from '../data/user.ts';
import { growthRow, type Round } from '../growth.ts';
import { HttpClient } from '../http-client.ts';
import { medianMs } from '../measure.ts';
import { serve } from '../servers/plimsoll.ts';

const ACCOUNTS = 1000;
const ASKED = 20;
/** As design and users wish it. */
const MOST_MS = 5;
/**
 * The first account has a hundred events, spread over all; the second none; the others the rest.
 */
const FEW_EVENTS = 100;
const FEW = accountId(0);
const NONE = accountId(1);
const NARROW = 'plm_narrow';
const EVENTS = '/users/current/tracker-events';
const DRAWDOWN_STREAM = '/users/current/drawdown-events/stream?wait=0';

type Figure = 'few' | 'none' | 'page' | 'own' | 'narrow' | 'kind' | 'open';

/** What reading events costs a user who has many. */
export const growthEvents = growthRow<Figure>({
  name: 'growth-events',
  what: 'events of one account, and pages of the feed, among 10⁴ to 10⁶',
  ...{ largest: 1_000_000, of: 'events' },
  laws: {
    few: { what: '100 events of an account, by time', unit: 'ms', most: MOST_MS },
    none: { what: 'an account without events, by time', unit: 'ms', most: MOST_MS },
    page: { what: 'the next 100 of the feed', unit: 'ms', most: MOST_MS },
    own: { what: 'the next of one account', unit: 'ms', most: MOST_MS },
    narrow: { what: 'the next for a token of two accounts', unit: 'ms', most: MOST_MS },
    kind: { what: 'the next drawdown, where there is none', unit: 'ms', most: MOST_MS },
    open: { what: 'open incidents', unit: 'ms' },
  },
  open,
});

async function open(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  size: number,
): Promise<Round<Figure>> {
  const { address } = await serve(stack, kind, (database) => fill(database, size));
  const adopt = (client: HttpClient) => stack.adopt(client, () => client.close());
  const wide = adopt(new HttpClient(TOKEN));
  const narrow = adopt(new HttpClient(NARROW));
  const stream = (after: number) =>
    `${EVENTS}/stream?wait=0&limit=100&previousSequenceNumber=${after}`;
  const ask = (pathOf: (turn: number) => string, client = wide) =>
    medianMs(ASKED, (turn) => client.get(address + pathOf(turn)));
  /** Spread over all events. */
  const place = (turn: number): number => Math.floor((size * turn) / ASKED);
  return async () => ({
    few: await ask(() => `${EVENTS}/by-broker-time?accountId=${FEW}&limit=100`),
    none: await ask(() => `${EVENTS}/by-broker-time?accountId=${NONE}&limit=100`),
    page: await ask((turn) => stream(place(turn))),
    own: await ask((turn) => `${stream(place(turn))}&accountId=${turn % 2 ? FEW : NONE}`),
    narrow: await ask((turn) => stream(place(turn)), narrow),
    kind: await ask(() => `${DRAWDOWN_STREAM}&previousSequenceNumber=${DRAWDOWNS}`),
    open: await ask(() => '/users/current/incidents?limit=50'),
  });
}

async function fill(database: Database, size: number): Promise<void> {
  const first = await storeManyAccounts(database, ACCOUNTS, 0);
  const every = Math.ceil(size / FEW_EVENTS);
  const others = `${first.number + 2} + i % ${ACCOUNTS - 2}`;
  const account = `case when i % ${every} = 0 then ${first.number} else ${others} end`;
  await storeManyEvents(database, first, size, account);
  await storeNarrowToken(database, NARROW, [FEW, NONE]);
}
