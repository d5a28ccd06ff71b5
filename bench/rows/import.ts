import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/storage/database.ts';
import { type StatementFile, writeStatements } from '../data/statements.ts';
import { accountId, storeAccounts, storeUser, TOKEN } from '../data/user.ts';
import { forkTask } from '../forked.ts';
import { GOALS } from '../goals.ts';
import { interleave, judge } from '../measure.ts';
import { labelOf } from '../on-databases.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

const LOOK_AGAIN_MS = 10;

/** A report of more than 100 000 deals, until its first page of trades is answered. */
export const statementImport: BenchRow = {
  name: 'import',
  what: 'import of a statement of more than 100 000 deals, trades computed',
  async run(bench) {
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-bench-'));
    stack.defer(() => rm(folder, { recursive: true }));
    bench.progress('  writing the statements');
    const statements = await writeStatements(folder, bench);
    const results: Result[] = [];
    for (const kind of bench.databases) {
      for (const statement of statements) results.push(await runOn(bench, kind, statement));
    }
    return results;
  },
};

async function runOn(
  bench: Bench,
  kind: Database['kind'],
  { format, file, bytes }: StatementFile,
): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const { address } = await serve(stack, kind, async (database) => {
    await storeUser(database);
    await database.transaction((tx) => storeAccounts(tx, bench.rounds + 1));
  });
  let deals = 0;
  const load = async (round: number): Promise<number> => {
    const account = `${address}/users/current/accounts/${accountId(round)}`;
    const headers = { 'auth-token': TOKEN, 'content-type': 'application/octet-stream' };
    const began = performance.now();
    const answer = await fetch(`${account}/statements`, { method: 'POST', headers, body: bytes });
    if (answer.status !== 201) throw new Error(await answer.text());
    deals = ((await answer.json()) as { deals: number }).deals;
    const path = '/historical-trades/2000-01-01%2000:00:00/2030-01-01%2000:00:00?limit=1';
    for (;;) {
      const page = await fetch(account + path, { headers });
      const text = await page.text();
      if (page.status === 200) break;
      if (page.status !== 202) throw new Error(text);
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
    return performance.now() - began;
  };
  const megabytes = (bytes.length / 1e6).toFixed(1);
  bench.progress(`  ${format} of ${megabytes} MB on ${kind}`);
  const samples = await interleave(bench, {
    parse: () => forkTask<number>('load/parse-task.ts', { file }),
    load,
  });
  const label = labelOf(kind);
  const name = `import of ${deals.toLocaleString('en-US')} deals (${format}), ${label}`;
  const peer = { name: 'parsing alone', samples: samples.parse };
  return judge(name, 'ms', samples.load, peer, GOALS.importToParsing);
}
