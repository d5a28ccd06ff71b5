import { findNatsServer } from '../../scripts/install-nats-server.ts';
import type { Database } from '../../src/storage/database.ts';
import { writeHours } from '../../src/storage/hour-store.ts';
import { hoursOf } from '../data/hours.ts';
import { storeLiveAccounts } from '../data/live.ts';
import { storeTrades } from '../data/trades.ts';
import { accountId } from '../data/user.ts';
import { forkTask } from '../forked.ts';
import { GOALS } from '../goals.ts';
import type { Asked, AskSettings } from '../load/ask-paths.ts';
import { SpreadBreaches } from '../load/spread-breaches.ts';
import { MachineUse } from '../machine-use.ts';
import { interleave, judge, median } from '../measure.ts';
import { giveShare, whyNoShares } from '../processor-share.ts';
import type { Bench, BenchRow, Goal, Result } from '../row.ts';
import { Cluster, type Shape } from '../servers/cluster.ts';

const SIZES = [1, 2, 4] as const;
/** Of a core, for each process: four leave more than half of two cores to all that they share. */
const SHARE = 0.2;
const ACCOUNTS = 16_000;
const TRACKERS = 3;
/**
 * One request on the way for each account of a batch; singles come over what four processes can
 * use.
 */
const BATCHES: Shape = { accounts: ACCOUNTS, connections: 16, rowsPerRequest: 1000 };
const SINGLES: Shape = { accounts: ACCOUNTS, connections: 256, rowsPerRequest: 1 };
/** Beside breaches, so that no process is idle: snapshots a second. */
const BESIDE_BREACHES = 10_000;
const BREACHING = 3000;
/** Accounts with 30 days of hours and some trades, which are asked for. */
const READ_ACCOUNTS = 100;
const READ_TRADES = 250;
const READ_CONNECTIONS = 32;
const SECONDS_FACTOR = 2;

/** Each process has as much of a processor as the others, however many there are. */
export const processesApart: BenchRow[] = [
  {
    name: 'processes-apart',
    what: `1, 2 and 4 processes with ${SHARE} of a core each, on one PostgreSQL`,
    run: (bench) => runOn(bench, 'PostgreSQL'),
  },
  {
    name: 'processes-apart-nats',
    what: 'the same with the journal on NATS JetStream',
    async run(bench) {
      const server = await findNatsServer();
      return 'path' in server ? runOn(bench, 'JetStream', server.path) : [];
    },
  },
];

async function runOn(short: Bench, journal: string, nats?: string): Promise<Result[]> {
  if (!short.databases.includes('postgres')) return [];
  const missing = whyNoShares();
  if (missing) {
    short.progress(`  left out: processes cannot be given shares of a processor here (${missing})`);
    return [];
  }
  const bench = { ...short, seconds: short.seconds * SECONDS_FACTOR };
  await using stack = new AsyncDisposableStack();
  const clusters: Cluster[] = [];
  for (const size of SIZES) clusters.push(await Cluster.start(stack, size, seed, nats));
  for (const each of clusters) await prepare(stack, each, bench.seconds);
  const results: Result[] = [];
  const compareIn = async (what: string, unit: string, goal: Goal, measure: Measure) => {
    results.push(
      ...(await compare(bench, clusters, `${what}, journal on ${journal}`, unit, goal, measure)),
    );
  };
  await compareIn('snapshots, batches', 'snapshots/s', GOALS.processesToOne, loadOf(BATCHES));
  await compareIn('snapshots, singles', 'snapshots/s', GOALS.processesToOne, loadOf(SINGLES));
  await compareIn('charts, pages and trackers', 'answers/s', GOALS.processesToOne, ask);
  const breaches = new Map(clusters.map((each) => [each, new SpreadBreaches(each.addresses)]));
  for (const each of breaches.values()) await each.prepare(ACCOUNTS, BREACHING);
  await compareIn(
    'breach told, p99',
    'ms',
    GOALS.breachOfProcessesToOne,
    async (cluster, seconds) => {
      const beside = cluster.post(BATCHES, seconds, { pace: BESIDE_BREACHES });
      const p99Ms = await breaches.get(cluster)?.p99Ms(beside);
      return { value: p99Ms ?? Number.NaN, loadCpuMs: (await beside).cpuMs };
    },
  );
  for (const each of breaches.values()) each.close();
  return results;
}

async function seed(database: Database): Promise<void> {
  const accounts = await storeLiveAccounts(database, ACCOUNTS + BREACHING, TRACKERS);
  const read = accounts.slice(0, READ_ACCOUNTS);
  for (const { number } of read)
    await database.transaction((tx) => writeHours(tx, hoursOf(number)));
  await storeTrades(database, read, READ_TRADES);
}

/** Its code has run, and all accounts are known, before it gets its share of the processor. */
async function prepare(stack: AsyncDisposableStack, cluster: Cluster, seconds: number) {
  await cluster.meetAccounts(BATCHES, seconds);
  await cluster.warmUp(SINGLES, seconds / 2);
  await ask(cluster, seconds / 2);
  for (const pid of cluster.pids) giveShare(stack, pid, SHARE);
}

/** What is compared, and the processor that those used who asked. */
type Measured = { value: number; loadCpuMs: number };
type Measure = (cluster: Cluster, seconds: number) => Promise<Measured>;

const loadOf =
  (shape: Shape): Measure =>
  async (cluster, seconds) => {
    let loadCpuMs = 0;
    const value = await cluster.load(shape, seconds, {
      posted: ({ cpuMs }) => {
        loadCpuMs = cpuMs;
      },
    });
    return { value, loadCpuMs };
  };

/**
 * As a dashboard of an account asks, each kind as often: its month, its last trades, a tracker as
 * of now.
 */
const PATHS = Array.from({ length: READ_ACCOUNTS }, (_, index) => accountId(index)).flatMap(
  (id) => {
    const account = `/users/current/accounts/${id}`;
    const allTime = '2000-01-01%2000:00:00/9000-01-01%2000:00:00';
    return [
      `${account}/equity-chart`,
      `${account}/historical-trades/${allTime}?limit=100`,
      `${account}/trackers/${id}-0/statistics?realTime=true`,
    ];
  },
);

async function ask(cluster: Cluster, seconds: number): Promise<Measured> {
  const { addresses } = cluster;
  const settings: AskSettings = {
    ...{ addresses, paths: PATHS, connections: READ_CONNECTIONS, seconds },
  };
  const asked = await forkTask<Asked>('load/ask-paths.ts', settings);
  cluster.refused += asked.refused;
  return { value: asked.answers / asked.seconds, loadCpuMs: asked.cpuMs };
}

/** The clusters in turns, and how much of the machine was left meanwhile. */
async function compare(
  bench: Bench,
  clusters: readonly Cluster[],
  what: string,
  unit: string,
  goal: Goal,
  measure: Measure,
): Promise<Result[]> {
  const [one, two, four] = clusters;
  if (!one || !two || !four) throw new Error('Invariant: there is a cluster of each size');
  const uses = new Map(clusters.map((each) => [each, new MachineUse()]));
  for (const each of clusters) Object.assign(each, { cpuMicros: [], refused: 0 });
  const measured = (cluster: Cluster) => async (): Promise<number> => {
    const { value } = (await uses.get(cluster)?.during(
      () => cluster.cpuMs,
      () => measure(cluster, bench.seconds),
    )) ?? { value: Number.NaN };
    return value;
  };
  const samples = await interleave(bench, {
    one: measured(one),
    two: measured(two),
    four: measured(four),
  });
  for (const each of clusters) {
    const micros =
      each.cpuMicros.length > 0 ? `, ${median(each.cpuMicros).toFixed(2)} µs each` : '';
    const refused = each.refused > 0 ? `, ${each.refused} answers of 503` : '';
    bench.progress(`  ${what}: ${each.size}: ${uses.get(each)?.describe()}${micros}${refused}`);
  }
  const peer = { name: 'one process', samples: samples.one };
  return [
    judge(`${what}, 2 processes`, unit, samples.two, peer, goal),
    judge(`${what}, 4 processes`, unit, samples.four, peer, goal),
  ];
}
