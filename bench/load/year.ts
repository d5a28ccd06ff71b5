import { DAY_MS, formatBrokerTime, HOUR_MS } from '../../src/domain/broker-time.ts';
import type { Client } from '../../test/servers/plimsoll-process.ts';
import { accountId } from '../data/user.ts';
import { forkTask } from '../forked.ts';
import type { Posted, PostSettings } from './post-snapshots.ts';
import { sendSnapshots } from './send-snapshots.ts';

/** When accounts are open, in hours of the day: a row of the chart for each. */
export const ACTIVE_HOURS = [9, 10] as const;
const DAYS = 365;
/** One account in so many breaks its limit each day, each of them in its turn. */
const BREACHING = 40;
/** Of each a day: changes that are audited, requests with a key, charts that somebody looks at. */
const CHANGES = 5;
const CONNECTIONS = 4;
const ROWS_PER_REQUEST = 500;
const SECOND_MS = 1000;
const BALANCE = 100_000;
const BROKEN = 90_000;
/** A year that ends today: nothing of it is yet to come. */
const FIRST_MS = (Math.floor(Date.now() / DAY_MS) - DAYS) * DAY_MS;

export type Month = { number: number; days: readonly number[]; startMs: number; endMs: number };

/** The year in so many parts, of which one day in `everyDays` is lived through, and the last. */
export function monthsOf({ parts, everyDays }: { parts: number; everyDays: number }): Month[] {
  const beginning = (month: number) => Math.round((month * DAYS) / parts);
  return Array.from({ length: parts }, (_, index) => {
    const [from, until] = [beginning(index), beginning(index + 1)];
    const all = Array.from({ length: until - from }, (_, day) => from + day);
    const days = all.filter((day) => (until - 1 - day) % everyDays === 0);
    const [startMs, endMs] = [FIRST_MS + from * DAY_MS, FIRST_MS + until * DAY_MS];
    return { number: index + 1, days, startMs, endMs };
  });
}

/** When the last hour of a month begins that is over within it. */
export const lastHourMs = ({ endMs }: Month): number => endMs - DAY_MS + ACTIVE_HOURS[0] * HOUR_MS;

/**
 * All accounts send once a second for a while, in the hour before they open on a month's first day.
 */
export async function sendLive(
  address: string,
  accounts: number,
  { startMs }: Month,
  seconds: number,
): Promise<void> {
  const settings: PostSettings = {
    ...{ ports: [Number(new URL(address).port)], path: '/users/current/snapshots' },
    ...{ format: 'ndjson', connections: CONNECTIONS, seconds, accounts, pace: accounts },
    ...{ rowsPerRequest: Math.min(ROWS_PER_REQUEST, accounts), stepMs: SECOND_MS },
    startMs: startMs + (ACTIVE_HOURS[0] - 1) * HOUR_MS,
  };
  await forkTask<Posted>('load/post-snapshots.ts', settings);
}

/** Lives through the days of a month, as fast as the server takes them. */
export async function liveThrough(firm: Client, accounts: number, { days }: Month): Promise<void> {
  for (const day of days)
    await Promise.all([liveDay(firm, accounts, day), changeSome(firm, accounts, day)]);
}

async function liveDay({ address }: Client, accounts: number, day: number): Promise<void> {
  for (const [place, hour] of ACTIVE_HOURS.entries()) {
    const breaks = (index: number) => place > 0 && (index + day) % BREACHING === 0;
    const equityOf = (index: number) =>
      breaks(index) ? BROKEN : BALANCE + ((index * 31 + day * 17 + hour) % 1000);
    await sendSnapshots(address, accounts, FIRST_MS + day * DAY_MS + hour * HOUR_MS, equityOf);
  }
}

async function changeSome(firm: Client, accounts: number, day: number): Promise<void> {
  for (let change = 0; change < CHANGES; change += 1) {
    const id = accountId((day * CHANGES + change) % accounts);
    const account = `/users/current/accounts/${id}`;
    good(await firm.call('PATCH', account, { name: `Account on day ${day}` }));
    const brokerTime = formatBrokerTime(FIRST_MS + day * DAY_MS + change * 1000);
    const row = { accountId: id, brokerTime, balance: BALANCE, equity: BALANCE };
    const key = { 'idempotency-key': `${day} ${change}` };
    good(await firm.post('/users/current/snapshots', [row], key));
    good(await firm.get(`${account}/equity-chart`));
  }
}

/** A server that is busy asks to come again; a change that is left out changes no size. */
function good({ status, body }: { status: number; body: unknown }): void {
  if (status >= 300 && status !== 503) throw new Error(`${status}: ${JSON.stringify(body)}`);
}
