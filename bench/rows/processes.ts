import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { NatsCluster } from '../../test/servers/nats-cluster.ts';
import { type PlimsollProcess, startPlimsoll } from '../../test/servers/plimsoll-process.ts';
import { until } from '../../test/servers/until.ts';
import { storeLiveAccounts } from '../data/live.ts';
import { forkTask } from '../forked.ts';
import type { Posted, PostSettings } from '../load/post-snapshots.ts';
import { interleave, judge, median } from '../measure.ts';
import { cpuMsOf } from '../process-use.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

const SIZES = [1, 2, 4] as const;
/** How snapshots come. A batch for each connection: those that share a process share commits as well. */
const SHAPES = {
  batches: { connections: 16, rowsPerRequest: 1000 },
  singles: { connections: 64, rowsPerRequest: 1 },
} as const;
type Shape = keyof typeof SHAPES;
const ACCOUNTS = SHAPES.batches.connections * SHAPES.batches.rowsPerRequest;
const TRACKERS = 3;
const PARTITIONS = 16;
/** In the seconds of other rows, four processes answer some dozen requests each, in code that is still cold. */
const SECONDS_FACTOR = 5;
const FIRST_MS = Date.now() - 3 * 86_400_000;

/** The same load on 1, 2 and 4 processes that share a database, on each journal. */
export const processes: BenchRow = {
  name: 'processes',
  what: 'snapshots, 1 000 and one a request, to 1, 2 and 4 processes on one PostgreSQL',
  async run(bench) {
    if (!bench.databases.includes('postgres')) return [];
    const server = await findNatsServer();
    const onNats = 'path' in server ? await runOn(bench, 'JetStream', server.path) : [];
    return [...(await runOn(bench, 'PostgreSQL')), ...onNats];
  },
};

async function runOn(short: Bench, journal: string, nats?: string): Promise<Result[]> {
  const bench = { ...short, seconds: short.seconds * SECONDS_FACTOR };
  await using stack = new AsyncDisposableStack();
  const clusters: Cluster[] = [];
  for (const size of SIZES) clusters.push(await Cluster.start(stack, size, nats));
  for (const each of clusters) await each.meetAccounts(bench.seconds);
  const results: Result[] = [];
  for (const shape of Object.keys(SHAPES) as Shape[]) {
    results.push(...(await compare(bench, clusters, journal, shape)));
  }
  return results;
}

/** The clusters in turns, all asked in the same way. */
async function compare(
  bench: Bench,
  clusters: readonly Cluster[],
  journal: string,
  shape: Shape,
): Promise<Result[]> {
  const [one, two, four] = clusters;
  if (!one || !two || !four) throw new Error('Invariant: there is a cluster of each size');
  for (const each of clusters) await each.warmUp(shape, bench.seconds);
  const samples = await interleave(bench, {
    one: () => one.load(shape, bench.seconds),
    two: () => two.load(shape, bench.seconds),
    four: () => four.load(shape, bench.seconds),
  });
  for (const each of clusters) {
    const micros = median(each.cpuMicros).toFixed(2);
    const refused = each.refused === 0 ? '' : `, ${each.refused} requests sent again after a 503`;
    bench.progress(`  ${each.size} on ${journal}, ${shape}: ${micros} µs of CPU each${refused}`);
  }
  const peer = { name: 'one process', samples: samples.one };
  const name = (size: number) => `snapshots, ${shape}, ${size} processes, journal on ${journal}`;
  return [
    judge(name(2), 'snapshots/s', samples.two, peer, { atLeast: 1 }),
    judge(name(4), 'snapshots/s', samples.four, peer, { atLeast: 1 }),
  ];
}

/** So many processes on a database, and a stream, of their own. */
class Cluster {
  readonly size: number;
  readonly #servers: readonly PlimsollProcess[];
  cpuMicros: number[] = [];
  refused = 0;
  #startMs = FIRST_MS;

  private constructor(servers: readonly PlimsollProcess[]) {
    this.size = servers.length;
    this.#servers = servers;
  }

  static async start(
    stack: AsyncDisposableStack,
    size: number,
    nats: string | undefined,
  ): Promise<Cluster> {
    const stream = nats ? await NatsCluster.start(nats) : undefined;
    if (stream) stack.defer(() => stream.stop());
    const settings: Record<string, string> = stream
      ? { NATS_URL: stream.url, NATS_MONITOR_URL: stream.monitors }
      : {};
    const seed = (database: Parameters<typeof storeLiveAccounts>[0]) =>
      storeLiveAccounts(database, ACCOUNTS, TRACKERS);
    const first = await serve(stack, 'postgres', seed, settings);
    const servers = [first.server];
    for (let place = 1; place < size; place += 1) {
      const environment = { ...first.environment, ...settings, LOG_LEVEL: 'warn' };
      const server = await startPlimsoll(environment);
      stack.defer(async () => {
        await server.stop();
      });
      servers.push(server);
    }
    const cluster = new Cluster(servers);
    await until(() => cluster.#hasFairShares(), 'fair shares of the partitions');
    return cluster;
  }

  /** Each process has all accounts looked up. */
  async meetAccounts(seconds: number): Promise<void> {
    for (const server of this.#servers) await this.load('batches', seconds / this.size, [server]);
  }

  /** The code has run. */
  async warmUp(shape: Shape, seconds: number): Promise<void> {
    await this.load(shape, seconds);
    this.cpuMicros = [];
    this.refused = 0;
  }

  /** Snapshots a second that were answered and folded. */
  async load(shape: Shape, seconds: number, to = this.#servers): Promise<number> {
    const settings: PostSettings = {
      ports: to.map(({ address }) => Number(new URL(address).port)),
      ...{ path: '/users/current/snapshots', format: 'ndjson', startMs: this.#startMs },
      ...{ seconds, accounts: ACCOUNTS, ...SHAPES[shape] },
    };
    const [folded, cpuMs] = [await this.#folded(), this.#cpuMs()];
    const posted = await forkTask<Posted>('load/post-snapshots.ts', settings);
    this.#startMs = posted.nextMs;
    this.refused += posted.refused;
    const ended = performance.now();
    const wanted = folded + posted.snapshots;
    await until(async () => (await this.#folded()) >= wanted, 'the fold of all snapshots');
    this.cpuMicros.push(((this.#cpuMs() - cpuMs) * 1000) / posted.snapshots);
    return posted.snapshots / (posted.seconds + (performance.now() - ended) / 1000);
  }

  #cpuMs(): number {
    return this.#servers.reduce((sum, { process: { pid = 0 } }) => sum + cpuMsOf(pid), 0);
  }

  async #hasFairShares(): Promise<boolean> {
    const owned = await this.#metric('plimsoll_owned_partitions');
    return owned.every((partitions) => partitions === PARTITIONS / this.size);
  }

  async #folded(): Promise<number> {
    const all = await this.#metric('plimsoll_folded_snapshots_total');
    return all.reduce((sum, snapshots) => sum + snapshots, 0);
  }

  /** A figure of each process. */
  async #metric(name: string): Promise<number[]> {
    return Promise.all(
      this.#servers.map(async ({ address }) => {
        const text = await (await fetch(`${address}/metrics`)).text();
        return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
      }),
    );
  }
}
