import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { newUser } from '../../test/servers/plimsoll-process.ts';
import { storeManyAccounts } from '../data/copies.ts';
import { accountId } from '../data/user.ts';
import { forkTask } from '../forked.ts';
import { growthRow, type Round } from '../growth.ts';
import { HttpClient } from '../http-client.ts';
import { makeNeighbour, Neighbour } from '../load/neighbour.ts';
import type { Posted, PostSettings } from '../load/post-snapshots.ts';
import { sendSnapshots } from '../load/send-snapshots.ts';
import { percentile } from '../measure.ts';
import { cpuMsOf } from '../process-use.ts';
import type { Bench } from '../row.ts';
import { type Served, serve } from '../servers/plimsoll.ts';

const TRACKERS = 3;
const DELETIONS_PER_SECOND = 10;
const SNAPSHOTS_PER_SECOND = 5000;
const ROWS_PER_REQUEST = 100;
const FIRST_MS = Date.UTC(2026, 0, 5, 9);
/** Where the prober's snapshots of each round begin, far enough from each other. */
const PROBE_MS = Date.UTC(2024, 0, 1);
const MOST_P99_MS = 100;
const MOST_WAIT_MS = 500;

type Figure = 'p99' | 'longest' | 'cpu';

/** What others notice when accounts are deleted beside many that live. */
export const growthDelete = growthRow<Figure>({
  name: 'growth-delete',
  what: `${DELETIONS_PER_SECOND} deletions a second beside 10³ to 10⁵ accounts that send snapshots`,
  ...{ largest: 100_000, of: 'accounts' },
  laws: {
    p99: { what: 'p99 of another user beside deletions', unit: 'ms', most: MOST_P99_MS },
    longest: { what: 'longest wait beside deletions', unit: 'ms', ratio: 5, most: MOST_WAIT_MS },
    cpu: { what: "the server's processor, to that without deletions", unit: '×' },
  },
  open,
});

async function open(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  size: number,
  { seconds, rounds }: Bench,
): Promise<Round<Figure>> {
  const perRound = seconds * DELETIONS_PER_SECOND;
  const all = size + (rounds + 1) * perRound;
  const served = await serve(stack, kind, (database) => storeManyAccounts(database, all, TRACKERS));
  const { address, server } = served;
  const http = stack.adopt(new HttpClient(), (client) => client.close());
  const order = await makeNeighbour(await newUser(address));
  await sendSnapshots(address, all, FIRST_MS, () => 100_000);
  const pid = server.process.pid ?? 0;
  let round = 0;
  return async () => {
    const first = size + round * perRound;
    round += 1;
    const dayMs = FIRST_MS + 2 * round * DAY_MS;
    const cpuOf = async (feeding: Promise<unknown>): Promise<number> => {
      const cpuMs = cpuMsOf(pid);
      await feeding;
      return cpuMsOf(pid) - cpuMs;
    };
    const quiet = new Neighbour({ ...order, startMs: PROBE_MS + 2 * round * DAY_MS });
    const without = await cpuOf(quiet.during(feed(served, size, seconds, dayMs)));
    const neighbour = new Neighbour({ ...order, startMs: PROBE_MS + (2 * round + 1) * DAY_MS });
    const remove = async (): Promise<void> => {
      for (let index = first; index < first + perRound; index += 1) {
        await http.delete(`${address}/users/current/accounts/${accountId(index)}`);
        await sleep(1000 / DELETIONS_PER_SECOND);
      }
    };
    const feeding = feed(served, size, seconds, dayMs + DAY_MS);
    const waiting = neighbour.during(Promise.all([remove(), feeding]));
    const cpu = (await cpuOf(waiting)) / without;
    const waits = await waiting;
    return { p99: percentile(waits, 0.99), longest: Math.max(...waits), cpu };
  };
}

/** As many snapshots at every size, of all accounts in turns. */
function feed({ address }: Served, accounts: number, seconds: number, startMs: number) {
  const settings: PostSettings = {
    ...{ ports: [Number(new URL(address).port)], path: '/users/current/snapshots' },
    ...{ format: 'ndjson', connections: 4, seconds, accounts, startMs },
    ...{ rowsPerRequest: Math.min(ROWS_PER_REQUEST, accounts), pace: SNAPSHOTS_PER_SECOND },
  };
  return forkTask<Posted>('load/post-snapshots.ts', settings);
}
