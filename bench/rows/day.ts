import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { HOUR_MS } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { startP5Server } from '../../test/servers/p5-server-process.ts';
import { ADMIN_TOKEN, Client, newUser } from '../../test/servers/plimsoll-process.ts';
import { storeDeals } from '../data/deals.ts';
import { storeLiveAccounts } from '../data/live.ts';
import { writeStatements } from '../data/statements.ts';
import { accountId, TOKEN, USER_ID } from '../data/user.ts';
import { forkTask } from '../forked.ts';
import { type Day, HOURS, type Hour } from '../load/day-hours.ts';
import { heldOver, longestOf } from '../load/holds.ts';
import { makeNeighbour, NEIGHBOUR_ASKS, Neighbour } from '../load/neighbour.ts';
import { openDashboards } from '../load/open-dashboards.ts';
import type { Posted, PostSettings } from '../load/post-snapshots.ts';
import { brief, percentile } from '../measure.ts';
import { residentBytesOf } from '../process-use.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { type Served, serve, UNBOUNDED } from '../servers/plimsoll.ts';

type Size = typeof SIZES & {
  /** Of the clock on the wall, for an hour of the day. */
  seconds: number;
};

/** Of the whole; less with a smaller share. */
const SIZES = { accounts: 50_000, logins: 10_000, deals: 1_000_000, dashboards: 40 };
const SECONDS = { whole: 10, quick: 1 };
const DELETIONS_PER_SECOND = 10;
const IMPORTS = 4;
const TRACKERS = 3;
/** One a second from each account, as they are open by day. */
const SNAPSHOTS_PER_SECOND_EACH = 1;
const ROWS_PER_REQUEST = 1000;
const CONNECTIONS = 8;
/** Noon, two days ago: nothing of the day is yet to come. */
const NOON_MS = Math.floor(Date.now() / (24 * HOUR_MS) - 2) * 24 * HOUR_MS + 12 * HOUR_MS;
/** Where the prober's snapshots of each hour begin, far enough from each other. */
const PROBE_MS = Date.UTC(2024, 0, 1);
const PROBE_STEP_MS = 20 * 24 * HOUR_MS;
const MOST_P99_MS = 100;
const MOST_WAIT_MS = 500;
/** What the units of deploy/ let a server have. */
const MOST_MEGABYTES = 2048;
const MEGABYTE = 2 ** 20;

/** A day of a firm in fast motion, and how long somebody else waits in each of its hours. */
export const day: BenchRow = {
  name: 'day',
  what: 'a day of 50 000 accounts in 4 minutes, and a user beside them',
  async run(bench) {
    const results: Result[] = [];
    for (const kind of bench.databases) results.push(...(await liveThrough(bench, kind)));
    return results;
  },
};

/** What the user beside them waited for in an hour, in milliseconds. */
type Lived = { waits: number[]; megabytes: number };

async function liveThrough(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const size = sizeOf(bench);
  const deletions = size.seconds * DELETIONS_PER_SECOND * 2;
  bench.progress(`  filling ${size.accounts} accounts on ${kind}`);
  const fill = async (database: Database): Promise<void> => {
    const all = await storeLiveAccounts(database, size.accounts + deletions, TRACKERS);
    await storeDeals(database, all[0]?.number ?? 0, Math.ceil(size.deals / 2));
    await storeDeals(database, all[size.accounts]?.number ?? 0, Math.ceil(size.deals / 20));
  };
  const served = await serve(stack, kind, fill, {
    ...{ PLIMSOLL_REQUESTS_PER_MINUTE: '0', PLIMSOLL_QUOTAS: UNBOUNDED },
    PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
  });
  const platform = await startP5Server({ tls: true });
  stack.defer(() => platform.remove());
  const { address } = served;
  const statements = await writeStatements(tmpdir(), bench);
  const toDelete = Array.from({ length: deletions }, (_, n) => accountId(size.accounts + n));
  const parts: Day = {
    ...{ firm: new Client(address, TOKEN), toDelete, platform, logins: size.logins },
    deletionsPerSecond: DELETIONS_PER_SECOND,
    broker: await newUser(address),
    importers: await Promise.all(Array.from({ length: IMPORTS }, () => newUser(address))),
    statements: statements.map(({ bytes }) => bytes),
    ...{ long: [accountId(0)], stack },
    openDashboards: () =>
      openDashboards(stack, new Client(address, ADMIN_TOKEN), USER_ID, size.dashboards),
  };
  const order = await makeNeighbour(await newUser(address));
  const lived: Lived[] = [];
  const underWay: Promise<unknown>[] = [];
  bench.progress(
    '| hour | what happens | snapshots/s | p50 | p99 | longest wait | hold | memory |',
  );
  for (const [place, hour] of HOURS.entries()) {
    if (bench.quick && hour.what === '') continue;
    const before = await heldOver(address);
    const neighbour = new Neighbour({ ...order, startMs: PROBE_MS + place * PROBE_STEP_MS });
    let posted = 0;
    const waits = await neighbour.during(
      (async () => {
        if (hour.work) underWay.push(hour.work(parts));
        posted = await feed(served, size, place);
      })(),
    );
    const megabytes = residentBytesOf(served.server.process.pid ?? 0) / MEGABYTE;
    lived.push({ waits, megabytes });
    const held = longestOf(before, await heldOver(address));
    bench.progress(lineOf(hour, { waits, megabytes, held, pace: posted / size.seconds }));
  }
  await Promise.all(underWay);
  return resultsOf(kind, lived);
}

function sizeOf({ share, quick }: Bench): Size {
  const partOf = (whole: number): number => Math.ceil(whole * share);
  return {
    accounts: partOf(SIZES.accounts),
    logins: partOf(SIZES.logins),
    deals: partOf(SIZES.deals),
    dashboards: partOf(SIZES.dashboards),
    seconds: quick ? SECONDS.quick : SECONDS.whole,
  };
}

/** Snapshots of all accounts for an hour of their day; how many. */
async function feed({ address }: Served, size: Size, place: number): Promise<number> {
  const { accounts, seconds } = size;
  const settings: PostSettings = {
    ...{ ports: [Number(new URL(address).port)], path: '/users/current/snapshots' },
    ...{ format: 'ndjson', connections: CONNECTIONS, seconds, accounts },
    ...{
      rowsPerRequest: Math.min(ROWS_PER_REQUEST, accounts),
      pace: accounts * SNAPSHOTS_PER_SECOND_EACH,
    },
    ...{ startMs: NOON_MS + place * HOUR_MS, stepMs: Math.floor(HOUR_MS / seconds) },
  };
  return (await forkTask<Posted>('load/post-snapshots.ts', settings)).snapshots;
}

type Seen = Lived & { held: number; pace: number };

function lineOf({ hour, what }: Hour, { waits, megabytes, held, pace }: Seen): string {
  const longest = Math.max(...waits);
  const asked = NEIGHBOUR_ASKS[waits.indexOf(longest) % NEIGHBOUR_ASKS.length];
  const [p50, p99] = [0.5, 0.99].map((share) => brief(percentile(waits, share)));
  const cells = [
    ...[String(hour).padStart(2, '0'), what, brief(pace), `${p50} ms`, `${p99} ms`],
    ...[`${brief(longest)} ms (${asked})`, `≤ ${held} ms`, `${Math.round(megabytes)} MB`],
  ];
  return `| ${cells.join(' | ')} |`;
}

function resultsOf(kind: Database['kind'], lived: readonly Lived[]): Result[] {
  const [quiet] = lived;
  const all = lived.flatMap(({ waits }) => waits);
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);
  const label = kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  const row = (name: string, unit: string, value: number, first: number, goal: number): Result => ({
    ...{ name: `${name}, ${label}`, value, unit, against: 'its first hour', againstValue: first },
    ...{ ratio: value / first, spread: [value / first, value / first] },
    ...{ goal: `≤ ${goal} ${unit}`, met: value <= goal },
  });
  const [waits = [], megabytes = 0] = [quiet?.waits, quiet?.megabytes];
  const [p99, firstP99] = [percentile(all, 0.99), percentile(waits, 0.99)];
  const memory = most(lived.map((hour) => hour.megabytes));
  return [
    row('p99 of a user beside a day of a firm', 'ms', p99, firstP99, MOST_P99_MS),
    row('longest wait of that user', 'ms', most(all), most(waits), MOST_WAIT_MS),
    row('memory at the end of an hour', 'MB', memory, megabytes, MOST_MEGABYTES),
  ];
}
