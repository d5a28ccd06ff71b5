import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { P5_MANAGER, type P5ServerProcess } from '../../test/servers/p5-server-process.ts';
import { type Answer, type Client, newAccount } from '../../test/servers/plimsoll-process.ts';
import { FIRST_LOGIN, keepQuoting, openBulk } from './platform.ts';

/** What the hours of a day have at hand. */
export type Day = {
  /** The firm whose accounts send snapshots. */
  firm: Client;
  /** Others with accounts of their own. */
  broker: Client;
  importers: readonly Client[];
  platform: P5ServerProcess;
  logins: number;
  statements: readonly Uint8Array[];
  /** Accounts of the firm with a long history. */
  long: readonly string[];
  /** Accounts of the firm that nobody needs. */
  toDelete: string[];
  deletionsPerSecond: number;
  openDashboards(): Promise<void>;
  /** What is undone when the day is over. */
  stack: AsyncDisposableStack;
};

/** The hour of the clock, and what happens then beside the snapshots of all accounts. */
export type Hour = { hour: number; what: string; work?: (day: Day) => Promise<unknown> };

const AT_ONCE = 16;
/** The share of one token. */
const ASKED_AT_ONCE = 16;
const POLL_MS = 100;
const TRY_AGAIN = [429, 503];
const PAGE = '/historical-trades/2000-01-01%2000:00:00/9000-01-01%2000:00:00?limit=1000';
const NO_DEAL = { type: 'DEAL_TYPE_INTEREST', profit: 1 };

/** From noon to noon; the day of all accounts turns at midnight. */
export const HOURS: readonly Hour[] = [
  { hour: 12, what: 'nothing else' },
  { hour: 13, what: '40 dashboards are opened, and stay', work: (day) => day.openDashboards() },
  { hour: 14, what: '' },
  {
    hour: 15,
    what: 'statements of more than 100 000 deals are imported, four at once',
    work: importAll,
  },
  { hour: 16, what: '' },
  { hour: 17, what: 'histories of 10⁶ deals: pages, metrics, a late deal', work: openLong },
  { hour: 18, what: '' },
  { hour: 19, what: 'ten accounts a second are deleted, one with 10⁵ deals', work: deleteSome },
  { hour: 20, what: 'a platform with 10 000 logins is connected, and moves on', work: connect },
  ...[21, 22, 23].map((hour) => ({ hour, what: '' })),
  { hour: 0, what: 'the day of all accounts turns' },
  ...[1, 2].map((hour) => ({ hour, what: '' })),
  {
    hour: 3,
    what: 'imports, long histories and deletions at once',
    work: (day) => Promise.all([importAll(day), openLong(day), deleteSome(day)]),
  },
  ...[4, 5, 6, 7, 8, 9, 10, 11].map((hour) => ({ hour, what: '' })),
];

async function importAll({ importers, statements }: Day): Promise<void> {
  await Promise.all(
    importers.map(async (importer, place) => {
      const accountId = await newAccount(importer);
      const statement = statements[place % statements.length];
      const path = `/users/current/accounts/${accountId}/statements`;
      await well(() => importer.post(path, statement));
    }),
  );
}

async function openLong({ firm, long }: Day): Promise<void> {
  const ask = (id: string, path: string) => settled(firm, `/users/current/accounts/${id}${path}`);
  for (const id of long) {
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, () => ask(id, '/metrics')));
    await ask(id, PAGE);
    for (const brokerTime of ['2024-01-01 00:00:00.000', '2017-01-01 00:00:00.000']) {
      const deal = { ...NO_DEAL, id: randomUUID(), brokerTime };
      await well(() => firm.post(`/users/current/accounts/${id}/deals`, [deal]));
      await Promise.all(Array.from({ length: ASKED_AT_ONCE }, () => ask(id, '/metrics')));
    }
  }
}

async function deleteSome({ firm, toDelete, deletionsPerSecond }: Day): Promise<void> {
  const some = toDelete.splice(0, toDelete.length / 2);
  for (const id of some) {
    await well(() => firm.call('DELETE', `/users/current/accounts/${id}`));
    await sleep(1000 / deletionsPerSecond);
  }
}

async function connect({ broker, platform, logins, stack }: Day): Promise<void> {
  await openBulk(platform, logins);
  const profile = await broker.post<{ id: string }>('/users/current/provisioning-profiles', {
    ...{ name: 'Harbour', platform: 'p5', kind: 'p5-web-api', server: platform.url },
    ...{ ...P5_MANAGER, tlsFingerprint: platform.fingerprint },
  });
  const queue = Array.from({ length: logins }, (_, index) => FIRST_LOGIN + index).values();
  const worker = async (): Promise<void> => {
    for (const login of queue) {
      await newAccount(broker, { login: String(login), profileId: profile.body.id });
    }
  };
  stack.defer(keepQuoting(platform));
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Asks until it is there. */
async function settled(client: Client, path: string): Promise<void> {
  for (;;) {
    const { status } = await well(() => client.get(path));
    if (status === 200) return;
    await sleep(POLL_MS);
  }
}

/** As clients do it: again a moment after 503, or when their share is in use. */
async function well(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status < 300) return answer;
    if (!TRY_AGAIN.includes(answer.status))
      throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    await sleep(POLL_MS);
  }
}
