import type { Database } from '../../src/storage/database.ts';
import { storeLiveAccounts } from '../data/live.ts';
import { forkServer } from '../forked.ts';
import { GOALS } from '../goals.ts';
import { Breaches } from '../load/breaches.ts';
import { type Polled, Pollers } from '../load/pollers.ts';
import { interleave, judge, median } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import { openFilesLimit } from '../process-use.ts';
import type { Bench, BenchRow, Growth, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';
import { memoryOf, queriesOf, waitingCost } from './waiting-cost.ts';

const SIZES = [1, 100, 1000, 10_000];
/** Files that a process needs beside its connections. */
const SPARE_FILES = 500;
const EVENTS = '/users/current/drawdown-events/stream';
const SNAPSHOTS = '/users/current/snapshots';
/** About what an event of one account has on the wire. */
const EVENT_BYTES = 300;

/** Many requests that wait for the same event: one wake-up, not a query each. */
export const pollers: BenchRow = {
  name: 'pollers',
  what: '1 to 10 000 requests that wait for a breach, in one server',
  run: onDatabases(runOn),
};

function sizesOf(bench: Bench): number[] {
  const possible = openFilesLimit() - SPARE_FILES;
  const wanted = SIZES.filter((size) => !bench.quick || size <= 1000);
  const sizes = wanted.filter((size) => size <= possible);
  if (sizes.length < wanted.length) {
    bench.progress(`  only ${possible} files may be open: raise it with ulimit -n`);
  }
  return sizes;
}

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const label = labelOf(kind);
  const sizes = sizesOf(bench);
  const breaches = (bench.rounds + 1) * sizes.length + 2;
  const served = await serve(stack, kind, (database) => storeLiveAccounts(database, breaches, 1));
  const bare = await forkServer('servers/holding-http.ts', { bytes: EVENT_BYTES });
  stack.defer(() => bare.stop());
  const clients = await Pollers.start(stack);
  const own = new Breaches(clients, {
    ...{ address: served.address, pid: served.server.process.pid ?? 0 },
    ...{ eventsPath: EVENTS, postPath: SNAPSHOTS },
  });
  const ceiling: Polled = {
    ...{ address: bare.address, pid: bare.process.pid ?? 0, eventsPath: '/', postPath: '/' },
  };
  await own.prepare(breaches);
  const results = [
    await memoryOf(clients, own.polled, ceiling, sizes.at(-1) ?? 0, label),
    await waitingCost(bench, own, sizes, label),
    ...(await queriesOf(bench, own, sizes.at(-1) ?? 0, served.environment.DATABASE_URL)),
  ];
  return [...(await toldIn(bench, own, ceiling, sizes, label)), ...results];
}

/** From the POST to the last one's answer, in turns with a server that does nothing else. */
async function toldIn(
  bench: Bench,
  own: Breaches,
  bare: Polled,
  sizes: readonly number[],
  label: string,
): Promise<Result[]> {
  const { clients, polled } = own;
  const contestants = sizes.flatMap((size) => [
    [
      `${size} told`,
      async () => {
        await clients.wait(polled, size, own.sequenceNumber);
        const ms = await own.tell();
        await clients.leave(polled);
        return ms;
      },
    ],
    [
      `bare ${size}`,
      async () => {
        await clients.wait(bare, size, 0);
        const { lastMs } = await clients.post(bare, '');
        await clients.leave(bare);
        return lastMs;
      },
    ],
  ]);
  const samples: Record<string, number[]> = await interleave(
    bench,
    Object.fromEntries(contestants),
  );
  const of = (key: string): number[] => samples[key] ?? [];
  const [before = 0, most = 0] = sizes.slice(-2);
  const each = (size: number): number[] => of(`${size} told`).map((ms) => (ms * 1000) / size);
  const words = (size: number): string => `${size.toLocaleString('en-US')} pollers`;
  const ceiling = { name: `bare node:http, ${words(most)}`, samples: of(`bare ${most}`) };
  const itself = { name: `itself at ${words(before)}`, samples: each(before) };
  const growth: Growth = {
    of: `until the last poller is told, ${label}`,
    unit: 'ms',
    points: sizes.map((size) => [size, median(of(`${size} told`))]),
  };
  const told = `last of ${words(most)} told of a breach, ${label}`;
  return [
    {
      ...judge(told, 'ms', of(`${most} told`), ceiling, GOALS.pollersToldToBareHttp),
      growth: [growth],
    },
    judge(`the same for each poller, ${label}`, 'µs', each(most), itself, GOALS.manyPollersToFew),
  ];
}
