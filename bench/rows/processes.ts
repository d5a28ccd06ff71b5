import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { storeLiveAccounts } from '../data/live.ts';
import { GOALS } from '../goals.ts';
import { interleave, judge, median } from '../measure.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { Cluster } from '../servers/cluster.ts';

const SIZES = [1, 2, 4] as const;
const ACCOUNTS = 16_000;
const TRACKERS = 3;
/**
 * How snapshots come. A batch for each connection: those that share a process share commits as
 * well.
 */
const SHAPES = {
  batches: { accounts: ACCOUNTS, connections: 16, rowsPerRequest: 1000 },
  singles: { accounts: ACCOUNTS, connections: 64, rowsPerRequest: 1 },
} as const;
type ShapeName = keyof typeof SHAPES;
/**
 * In the seconds of other rows, four processes answer some dozen requests each, in code that is
 * still cold.
 */
const SECONDS_FACTOR = 5;

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
  for (const size of SIZES) {
    const seed = (database: Parameters<typeof storeLiveAccounts>[0]) =>
      storeLiveAccounts(database, ACCOUNTS, TRACKERS);
    clusters.push(await Cluster.start(stack, size, seed, nats));
  }
  for (const each of clusters) await each.meetAccounts(SHAPES.batches, bench.seconds);
  const results: Result[] = [];
  for (const shape of Object.keys(SHAPES) as ShapeName[]) {
    results.push(...(await compare(bench, clusters, journal, shape)));
  }
  return results;
}

/** The clusters in turns, all asked in the same way. */
async function compare(
  bench: Bench,
  clusters: readonly Cluster[],
  journal: string,
  name: ShapeName,
): Promise<Result[]> {
  const [one, two, four] = clusters;
  if (!one || !two || !four) throw new Error('Invariant: there is a cluster of each size');
  const shape = SHAPES[name];
  for (const each of clusters) await each.warmUp(shape, bench.seconds);
  const samples = await interleave(bench, {
    one: () => one.load(shape, bench.seconds),
    two: () => two.load(shape, bench.seconds),
    four: () => four.load(shape, bench.seconds),
  });
  for (const each of clusters) {
    const micros = median(each.cpuMicros).toFixed(2);
    const refused = each.refused === 0 ? '' : `, ${each.refused} requests sent again after a 503`;
    bench.progress(`  ${each.size} on ${journal}, ${name}: ${micros} µs of CPU each${refused}`);
  }
  const peer = { name: 'one process', samples: samples.one };
  const titleOf = (size: number) => `snapshots, ${name}, ${size} processes, journal on ${journal}`;
  return [
    judge(titleOf(2), 'snapshots/s', samples.two, peer, GOALS.processesToOne),
    judge(titleOf(4), 'snapshots/s', samples.four, peer, GOALS.processesToOne),
  ];
}
