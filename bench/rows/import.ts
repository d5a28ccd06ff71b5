import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EURUSD, GBPUSD } from '../../scripts/sample-statements/market.ts';
import { p5HistoryWorkbook } from '../../scripts/sample-statements/p5-report.ts';
import { P5_ACCOUNT } from '../../scripts/sample-statements/samples.ts';
import { simulateHedging } from '../../scripts/sample-statements/trading.ts';
import type { Database } from '../../src/storage/database.ts';
import { accountId, storeAccounts, storeUser, TOKEN } from '../data/user.ts';
import { forkTask } from '../forked.ts';
import { interleave, judge } from '../measure.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

const YEARS = 16;
const END_MS = Date.UTC(2026, 9, 30, 23);
const POSITIONS_AN_HOUR = 0.45;

/** A report of about 100 000 deals, until its first page of trades is answered. */
export const statementImport: BenchRow = {
  name: 'import',
  what: 'import of a statement of 100 000 deals, trades computed',
  async run(bench) {
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'plimsoll-bench-'));
    stack.defer(() => rm(folder, { recursive: true }));
    const file = join(folder, 'report.xlsx');
    const years = bench.quick ? YEARS / 8 : YEARS;
    const page = reportOf(years);
    await writeFile(file, page.bytes);
    bench.progress(`  a report of ${page.deals} deals, ${Math.round(page.bytes.length / 1e6)} MB`);
    const results: Result[] = [];
    for (const kind of bench.databases) results.push(await runOn(bench, kind, file, page.bytes));
    return results;
  },
};

function reportOf(years: number): { bytes: Buffer; deals: number } {
  const sample = simulateHedging({
    ...{ seed: 1, endMs: END_MS, fromMs: END_MS - years * 365 * 86_400_000 },
    ...{ symbols: [EURUSD, GBPUSD], pace: POSITIONS_AN_HOUR, lots: [0.1, 0.2], skill: 0.55 },
    ...{ commissionPerLotSide: 3.5, moneyDigits: 2 },
    operations: [
      {
        ...{ timeMs: END_MS - (years * 365 + 3) * 86_400_000, amount: 1_000_000 },
        ...{ type: 'balance', comment: 'Deposit' },
      },
    ],
  });
  return { bytes: p5HistoryWorkbook(sample, P5_ACCOUNT), deals: sample.fills.length };
}

async function runOn(
  bench: Bench,
  kind: Database['kind'],
  file: string,
  bytes: Buffer,
): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const { address } = await serve(stack, kind, async (database) => {
    await storeUser(database);
    await database.transaction((tx) => storeAccounts(tx, bench.rounds + 1));
  });
  const load = async (round: number): Promise<number> => {
    const account = `${address}/users/current/accounts/${accountId(round)}`;
    const headers = { 'auth-token': TOKEN, 'content-type': 'application/octet-stream' };
    const began = performance.now();
    const body = new Uint8Array(bytes);
    const answer = await fetch(`${account}/statements`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(await answer.text());
    const path = '/historical-trades/2000-01-01%2000:00:00/2030-01-01%2000:00:00?limit=1';
    while ((await fetch(account + path, { headers })).status === 202) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return performance.now() - began;
  };
  const samples = await interleave(bench, {
    parse: () => forkTask<number>('load/parse-task.ts', { file }),
    load,
  });
  const name = `import of a statement, ${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`;
  const peer = { name: 'parsing alone', samples: samples.parse };
  return judge(name, 'ms', samples.load, peer, { atMost: 3 });
}
