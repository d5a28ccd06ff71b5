import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/storage/database.ts';
import { ADMIN_TOKEN, Client } from '../../test/servers/plimsoll-process.ts';
import { storeManyAccounts } from '../data/copies.ts';
import { accountId, storeNarrowToken, TOKEN, USER_ID } from '../data/user.ts';
import { growthRow, type Round } from '../growth.ts';
import { HttpClient } from '../http-client.ts';
import { openDashboards } from '../load/open-dashboards.ts';
import { sendSnapshots } from '../load/send-snapshots.ts';
import { medianMs } from '../measure.ts';
import { cpuMsOf, residentBytesOf } from '../process-use.ts';
import type { Bench } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

const TRACKERS = 3;
const DASHBOARDS = 40;
const ASKED = 20;
const SNAPSHOT_MS = Date.UTC(2026, 10, 2, 9);
const NARROW = 'plm_narrow';
const OWN = Array.from({ length: 10 }, (_, index) => accountId(index));
const OVERVIEW = '/users/current/accounts-overview';
const MEGABYTE = 2 ** 20;
/** As docs/security.md states it. */
const MOST_MEGABYTES = 1000;
const POLL_MS = 100;

type Figure = 'page' | 'narrow' | 'cores' | 'memory';

/** What a user who has many accounts pays to see some of them. */
export const growthOverview = growthRow<Figure>({
  name: 'growth-overview',
  what: 'the overview page, 40 dashboards and memory at 10³ to 10⁵ accounts',
  ...{ largest: 100_000, of: 'accounts' },
  laws: {
    page: { what: '100 rows of the overview, sorted by equity', unit: 'ms' },
    narrow: { what: 'the overview of a token of ten accounts', unit: 'ms' },
    cores: { what: `${DASHBOARDS} open dashboards`, unit: 'cores', most: 0.1 },
    memory: { what: 'resident memory', unit: 'MB', ratio: 10, most: MOST_MEGABYTES },
  },
  open,
});

async function open(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  size: number,
  { seconds }: Bench,
): Promise<Round<Figure>> {
  const { address, server } = await serve(stack, kind, (database) => fill(database, size));
  const pid = server.process.pid ?? 0;
  const adopt = (client: HttpClient) => stack.adopt(client, () => client.close());
  const wide = adopt(new HttpClient(TOKEN));
  const narrow = adopt(new HttpClient(NARROW));
  await sendSnapshots(address, size, SNAPSHOT_MS, (index) => 100_000 + ((index * 7919) % 1000));
  await untilShown(wide, address, accountId(size - 1));
  const page = (turn: number): string =>
    `${address}${OVERVIEW}?sort=equity&order=descending&limit=100&offset=${Math.floor((turn * size) / ASKED)}`;
  return async () => ({
    page: await medianMs(ASKED, (turn) => wide.get(page(turn))),
    narrow: await medianMs(ASKED, () => narrow.get(`${address}${OVERVIEW}?sort=equity`)),
    cores: await coresOfDashboards(address, pid, seconds),
    memory: residentBytesOf(pid) / MEGABYTE,
  });
}

async function fill(database: Database, size: number): Promise<void> {
  await storeManyAccounts(database, size, TRACKERS);
  await storeNarrowToken(database, NARROW, OWN);
}

/** Until a checkpoint has stored the snapshot of the last account. */
async function untilShown(http: HttpClient, address: string, id: string): Promise<void> {
  for (;;) {
    const answer = await http.get(`${address}${OVERVIEW}?search=${id}`);
    if (answer.includes('"equity"')) return;
    await sleep(POLL_MS);
  }
}

async function coresOfDashboards(address: string, pid: number, seconds: number): Promise<number> {
  await using dashboards = new AsyncDisposableStack();
  await openDashboards(dashboards, new Client(address, ADMIN_TOKEN), USER_ID, DASHBOARDS);
  // With two seconds all have asked once by then, and ask once again.
  await sleep(2000 * seconds);
  const [cpuMs, beganMs] = [cpuMsOf(pid), performance.now()];
  await sleep(2000 * seconds);
  return (cpuMsOf(pid) - cpuMs) / (performance.now() - beganMs);
}
