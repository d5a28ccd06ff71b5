import type { Database } from '../../src/storage/database.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { storeLiveAccounts } from '../data/live.ts';
import { forkTask } from '../forked.ts';
import { GOALS } from '../goals.ts';
import type { CheckpointAnswer, CheckpointSettings } from '../load/checkpoint-task.ts';
import { brief, judge } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Result } from '../row.ts';

const ACCOUNTS = 100_000;
const QUICK_ACCOUNTS = 20_000;
const TRACKERS = 3;
const ALLOWED_MS = 50;

/**
 * Checkpoints take long when everything has changed; they must not keep anybody waiting for long.
 */
export const checkpoint: BenchRow = {
  name: 'checkpoint',
  what: 'the longest hold of the event loop while 100 000 changed accounts are stored',
  run: onDatabases(runOn),
};

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result> {
  const count = bench.quick ? QUICK_ACCOUNTS : ACCOUNTS;
  const { database, environment, close } = await openTestDatabase(kind);
  try {
    bench.progress(`  filling ${count} accounts on ${kind}`);
    const accounts = await storeLiveAccounts(database, count, TRACKERS);
    const settings: CheckpointSettings = {
      ...{ environment, rounds: bench.rounds },
      ...{ first: accounts[0]?.number ?? 0, last: accounts.at(-1)?.number ?? 0 },
    };
    const rounds = await forkTask<CheckpointAnswer>('load/checkpoint-task.ts', settings);
    rounds.forEach(({ heldMs, waitedMs, tookMs }, round) => {
      const held = `held for ${brief(heldMs)} ms and ${brief(waitedMs)} in line for a processor`;
      bench.progress(`  round ${round + 1}: ${held}, all stored in ${brief(tookMs)} ms`);
    });
    const peer = { name: `${ALLOWED_MS} ms`, samples: rounds.map(() => ALLOWED_MS) };
    const label = labelOf(kind);
    const name = `longest hold while ${count.toLocaleString('en-US')} accounts are stored, ${label}`;
    return judge(
      name,
      'ms',
      rounds.map(({ heldMs }) => heldMs),
      peer,
      GOALS.withinBound,
    );
  } finally {
    await close();
  }
}
