import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { P5_MANAGER, type P5ServerProcess } from '../../test/servers/p5-server-process.ts';
import type { PlimsollProcess } from '../../test/servers/plimsoll-process.ts';
import { foldedBy } from '../../test/servers/server-metrics.ts';
import { storeManyAccounts } from '../data/copies.ts';
import { GOALS } from '../goals.ts';
import { HttpClient } from '../http-client.ts';
import { FallingPrice, FIRST_LOGIN, startPlatform } from '../load/platform.ts';
import { brief, judge, median, percentile } from '../measure.ts';
import { labelOf } from '../on-databases.ts';
import { cpuMsOf } from '../process-use.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { type Stored, start, store, UNBOUNDED } from '../servers/plimsoll.ts';

/** Accounts of one platform, and how soon a breach of one of them must be told. */
const SIZES = [
  { accounts: 10_000, mostMs: 2000 },
  { accounts: 40_000, mostMs: 5000 },
] as const;
const BREACHES = 20;
const QUICK_BREACHES = 3;
const TRACKERS = 3;
/** The platform's clock is so far ahead of UTC. */
const SHIFT_MS = 2 * HOUR_MS;
const PROVEN_EVERY_MS = 6 * HOUR_MS;
const LOOK_EVERY_MS = 50;

type Shape = { kind: Database['kind']; jobs: number };

/** Accounts of one p5 server that all move each second, and how soon a breach of one is told. */
export const growthPlatform: BenchRow = {
  name: 'growth-platform',
  what: 'a breach on a p5 server of 10 000 and 40 000 accounts, 20 ms away',
  async run(bench) {
    const shapes: Shape[] = bench.databases.map((kind) => ({ kind, jobs: 0 }));
    if (bench.databases.includes('postgres')) shapes.push({ kind: 'postgres', jobs: 2 });
    const results: Result[] = [];
    for (const shape of shapes)
      for (const size of SIZES) results.push(...(await runOn(bench, shape, size)));
    return results;
  },
};

async function runOn(
  bench: Bench,
  shape: Shape,
  { mostMs, ...size }: (typeof SIZES)[number],
): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const accounts = Math.ceil(size.accounts * bench.share);
  const breaches = bench.quick ? QUICK_BREACHES : BREACHES;
  const of = `${accounts.toLocaleString('en-US')} accounts on ${labelOf(shape.kind)}`;
  const label = shape.jobs > 0 ? `${of}, read by ${shape.jobs} processes` : of;
  bench.progress(`  filling ${label}`);
  const platform = await startPlatform(stack, accounts);
  const price = await FallingPrice.open(platform, accounts, breaches);
  const stored = await store(stack, shape.kind, (database) =>
    storeManyAccounts(database, accounts, TRACKERS),
  );
  const servers = await startAll(stack, stored, shape.jobs);
  const [{ address = '' } = {}] = servers;
  const beganMs = performance.now();
  await bind(stored.database, await addProfiles(stack, address, platform, shape.jobs || 1));
  await price.watch(stack, address);
  await allRead(address, accounts);
  const readMs = performance.now() - beganMs;
  const use = await Use.begin(platform, servers);
  const waits = await price.breaches();
  const figures = `p50 ${brief(median(waits))}, p99 ${brief(percentile(waits, 0.99))}`;
  bench.progress(
    `  ${label}: ${figures} ms; all read after ${brief(readMs)} ms; ${await use.tell()}`,
  );
  const bound = { name: 'at most', samples: [mostMs] };
  const row = (what: string, ms: number): Result =>
    judge(`breach told, ${what}, ${label}`, 'ms', [ms], bound, GOALS.withinBound);
  return [row('p50', median(waits)), row(`worst of ${breaches}`, Math.max(...waits))];
}

/** One process that does all, or one that answers and folds, and others that read the platform. */
async function startAll(
  stack: AsyncDisposableStack,
  stored: Stored,
  jobs: number,
): Promise<PlimsollProcess[]> {
  const settings = {
    PLIMSOLL_QUOTAS: UNBOUNDED,
    PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const roles = jobs > 0 ? ['api,engine', ...Array.from({ length: jobs }, () => 'jobs')] : ['all'];
  const servers: PlimsollProcess[] = [];
  for (const PLIMSOLL_ROLES of roles)
    servers.push(await start(stack, stored, { ...settings, PLIMSOLL_ROLES }));
  return servers;
}

/** A profile is read by one process: several share profiles of the same platform. */
async function addProfiles(
  stack: AsyncDisposableStack,
  address: string,
  platform: P5ServerProcess,
  count: number,
): Promise<string[]> {
  const http = new HttpClient();
  stack.defer(() => http.close());
  const ids: string[] = [];
  while (ids.length < count) {
    const profile = await http.postJson(`${address}/users/current/provisioning-profiles`, {
      ...{ name: `Harbour ${ids.length}`, platform: 'p5', kind: 'p5-web-api' },
      ...{ server: platform.url, ...P5_MANAGER, tlsFingerprint: platform.fingerprint },
    });
    ids.push((JSON.parse(profile) as { id: string }).id);
  }
  return ids;
}

/** Binds all accounts, as if they had been read up to a moment ago and proven within hours. */
async function bind(database: Database, profiles: readonly string[]): Promise<void> {
  const nowMs = Date.now();
  await database.transaction(async (tx) => {
    for (const [place, id] of profiles.entries())
      await tx.run(
        `update account set profile_id = $1,
           login = cast(${FIRST_LOGIN} + number - (select min(number) from account) as text)
         where number % ${profiles.length} = ${place}`,
        [id],
      );
    await tx.run(
      `insert into account_sync (account_number, profile_id, version, cursor_ms, proven_at_ms, failures)
       select number, profile_id, 1, cast($1 as bigint),
         cast($2 as bigint) - (number * 7919) % ${PROVEN_EVERY_MS}, 0 from account`,
      [nowMs + SHIFT_MS, nowMs],
    );
  });
}

/** Until a state of each account is folded. */
async function allRead(address: string, accounts: number): Promise<void> {
  while ((await foldedBy(address)) < accounts) await sleep(LOOK_EVERY_MS);
}

/** States that were folded, and shares of a core: the platform must not be what is measured. */
class Use {
  readonly #address: string;
  readonly #pids: Map<string, number>;
  readonly #beganMs = performance.now();
  readonly #cpuMs: Map<string, number>;
  readonly #folded: number;

  private constructor(address: string, pids: Map<string, number>, folded: number) {
    this.#address = address;
    this.#pids = pids;
    this.#cpuMs = new Map([...pids].map(([name, pid]) => [name, cpuMsOf(pid)]));
    this.#folded = folded;
  }

  static async begin(platform: P5ServerProcess, servers: readonly PlimsollProcess[]): Promise<Use> {
    const pids = new Map([['platform', platform.pid]]);
    for (const [place, { process }] of servers.entries())
      pids.set(`server ${place + 1}`, process.pid ?? 0);
    const [{ address = '' } = {}] = servers;
    return new Use(address, pids, await foldedBy(address));
  }

  async tell(): Promise<string> {
    const tookMs = performance.now() - this.#beganMs;
    const states = (((await foldedBy(this.#address)) - this.#folded) / tookMs) * 1000;
    const shares = [...this.#pids].map(([name, pid]) => {
      const share = (cpuMsOf(pid) - (this.#cpuMs.get(name) ?? 0)) / tookMs;
      return `${name} ${share.toFixed(2)}`;
    });
    return `${brief(states)} states/s, of a core: ${shares.join(', ')}`;
  }
}
