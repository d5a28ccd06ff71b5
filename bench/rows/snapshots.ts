import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/storage/database.ts';
import { foldedBy } from '../../test/servers/server-metrics.ts';
import { storeLiveAccounts } from '../data/live.ts';
import { type Forked, forkServer, forkTask } from '../forked.ts';
import { GOALS } from '../goals.ts';
import type { Posted, PostSettings } from '../load/post-snapshots.ts';
import type { SqlIngestSettings } from '../load/sql-ingest.ts';
import { interleave, judge, type Samples } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Goal, Result } from '../row.ts';
import { type Served, serve } from '../servers/plimsoll.ts';
import { startVictoriaMetrics } from '../servers/victoria-metrics.ts';

const ACCOUNTS = 10_000;
const TRACKERS = 3;
const FIRST_MS = Date.now() - 3 * 86_400_000;
const WARM_UP_MS = 86_400_000;
const PATH = '/users/current/snapshots';
const ANSWER_BYTES = 30;
/** Of batches: nearly as many as there are batches of all accounts. */
const CONNECTIONS = 8;
/** A checkpoint is followed by a pause many times longer; a load must hold more than the one. */
const CHECKPOINT_FACTOR = 3;

/** 1 000 snapshots a request, durable before the answer, and folded. */
export const snapshotBatches: BenchRow = {
  name: 'snapshot-batches',
  what: 'NDJSON of 1 000 snapshots, 10 000 accounts with 3 trackers each',
  run: onDatabases(runBatches),
};

/** One snapshot a request. */
export const singleSnapshots: BenchRow = {
  name: 'single-snapshots',
  what: 'snapshots one a request, 64 connections',
  run: onDatabases(runSingles),
};

async function runBatches(short: Bench, kind: Database['kind']): Promise<Result[]> {
  const bench = { ...short, seconds: short.seconds * CHECKPOINT_FACTOR };
  await using stack = new AsyncDisposableStack();
  bench.progress(`  filling ${ACCOUNTS} accounts on ${kind}`);
  const served = await serve(stack, kind, (database) =>
    storeLiveAccounts(database, ACCOUNTS, TRACKERS),
  );
  await warmUp(bench, served);
  const bare = await forkServer('servers/bare-http.ts', { bytes: ANSWER_BYTES, parseLines: true });
  stack.defer(() => bare.stop());
  const shape = { connections: CONNECTIONS, rowsPerRequest: 1000 };
  const victoria = await startVictoriaMetrics(stack, bench);
  const url = served.environment.DATABASE_URL;
  const samples: Record<string, number[]> = await interleave<string>(bench, {
    bare: poster(bench, bare, shape),
    plimsoll: folder(bench, served, shape),
    ...(victoria ? { victoria: poster(bench, victoria, { ...shape, path: '/write' }) } : {}),
    ...(url ? { rollUp: ingester(bench, url, 'roll-up') } : {}),
    ...(url ? { hours: ingester(bench, url, 'hours') } : {}),
    ...(url ? { locks: ingester(bench, url, 'locks') } : {}),
  });
  const name = `snapshots, 1 000 a request, ${labelOf(kind)}`;
  const against = (peer: string, key: string, goal: Goal): Result[] => {
    const own: Samples = samples.plimsoll ?? [];
    const other = samples[key];
    if (!other) return [];
    return [judge(name, 'snapshots/s', own, { name: peer, samples: other }, goal)];
  };
  return [
    ...against('node:http that parses the lines', 'bare', GOALS.batchesToBareHttp[kind]),
    ...against('VictoriaMetrics', 'victoria', GOALS.batchesToVictoriaMetrics),
    ...against('SQL roll-up of hours and trackers', 'rollUp', GOALS.batchesToSqlRollUp),
    ...against('SQL roll-up of hours alone', 'hours', GOALS.batchesToSqlHours),
    ...against('row locks and upserts', 'locks', GOALS.batchesToRowLocks),
  ];
}

async function runSingles(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  bench.progress(`  filling ${ACCOUNTS} accounts on ${kind}`);
  const served = await serve(stack, kind, (database) =>
    storeLiveAccounts(database, ACCOUNTS, TRACKERS),
  );
  await warmUp(bench, served);
  const bare = await forkServer('servers/bare-http.ts', { bytes: ANSWER_BYTES });
  stack.defer(() => bare.stop());
  const shape = { connections: 64, rowsPerRequest: 1 };
  const samples = await interleave(bench, {
    bare: poster(bench, bare, shape),
    plimsoll: folder(bench, served, shape),
  });
  const peer = { name: 'bare node:http', samples: samples.bare };
  const name = `snapshots, one a request, ${labelOf(kind)}`;
  return [judge(name, 'snapshots/s', samples.plimsoll, peer, GOALS.singleSnapshotsToBareHttp)];
}

type Target = Pick<Forked, 'port'>;
type Shape = Pick<PostSettings, 'connections' | 'rowsPerRequest'> & {
  path?: string;
  startMs?: number;
};

const portOf = ({ address }: Served): Target => ({ port: Number(new URL(address).port) });

/** Posts for a while, each time later snapshots. */
function post(bench: Bench, { port }: Target, shape: Shape): () => Promise<Posted> {
  let startMs = shape.startMs ?? FIRST_MS;
  return async () => {
    const settings: PostSettings = {
      ...{ ports: [port], path: PATH, format: shape.path ? 'influx' : 'ndjson', startMs },
      ...{ seconds: bench.seconds, accounts: ACCOUNTS },
      ...shape,
    };
    const posted = await forkTask<Posted>('load/post-snapshots.ts', settings);
    startMs = posted.nextMs;
    return posted;
  };
}

/** Snapshots a second that were answered. */
function poster(bench: Bench, target: Target, shape: Shape): () => Promise<number> {
  const run = post(bench, target, shape);
  return async () => {
    const { snapshots, seconds } = await run();
    return snapshots / seconds;
  };
}

/** Snapshots a second that were answered and folded: what is folded after the load counts too. */
function folder(bench: Bench, served: Served, shape: Shape): () => Promise<number> {
  const run = post(bench, portOf(served), shape);
  return async () => {
    const before = await foldedBy(served.address);
    const { snapshots, seconds } = await run();
    const ended = performance.now();
    let waitedSeconds = 0;
    while ((await foldedBy(served.address)) < before + snapshots) {
      waitedSeconds = (performance.now() - ended) / 1000;
      if (waitedSeconds > 60) throw new Error('snapshots were answered and are not folded');
      await sleep(2);
    }
    return snapshots / (seconds + waitedSeconds);
  };
}

/** The engine has learned the trackers, and has every account in memory. */
async function warmUp(bench: Bench, served: Served): Promise<void> {
  bench.progress('  waiting for the engine to have all accounts in memory');
  const once = { ...bench, seconds: 0.5 };
  await folder(once, served, {
    ...{ connections: 4, rowsPerRequest: 1000, startMs: FIRST_MS - WARM_UP_MS },
  })();
}

function ingester(bench: Bench, url: string, way: SqlIngestSettings['way']): () => Promise<number> {
  let startMs = FIRST_MS;
  return async () => {
    const settings: SqlIngestSettings = {
      ...{ url, way, seconds: bench.seconds, accounts: ACCOUNTS, startMs },
    };
    const posted = await forkTask<Posted>('load/sql-ingest.ts', settings);
    startMs = posted.nextMs;
    return posted.snapshots / posted.seconds;
  };
}
