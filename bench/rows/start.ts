import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Database } from '../../src/storage/database.ts';
import { BARE_ENVIRONMENT, STARTER } from '../../test/servers/plimsoll-bin.ts';
import { GOALS } from '../goals.ts';
import { interleave, judge, timed } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { start as startServer, store } from '../servers/plimsoll.ts';

/** Starts of each kind in a round: a single one says little. */
const TIMES = 5;

/** What a process costs before it does anything; all is compiled by the first, uncounted round. */
export const start: BenchRow = {
  name: 'start',
  what: 'serve on a database that is there until it is ready, and --version, beside node -e 0',
  run: onDatabases(runOn),
};

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const stored = await store(stack, kind, async () => {});
  const samples = await interleave(bench, {
    bare: () => mean(() => timed(() => ended(['-e', '0']))),
    version: () => mean(() => timed(() => ended([STARTER, '--version']))),
    serve: () =>
      mean(async () => {
        await using life = new AsyncDisposableStack();
        return await timed(() => startServer(life, stored));
      }),
  });
  const peer = { name: 'node -e 0', samples: samples.bare };
  const serving = judge(`serve, ${labelOf(kind)}`, 'ms', samples.serve, peer, GOALS.serveToNode);
  if (kind !== 'sqlite') return [serving];
  return [serving, judge('--version', 'ms', samples.version, peer, GOALS.versionToNode)];
}

async function mean(measure: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let time = 0; time < TIMES; time += 1) sum += await measure();
  return sum / TIMES;
}

async function ended(args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, { env: BARE_ENVIRONMENT, stdio: 'ignore' });
  await once(child, 'exit');
}
