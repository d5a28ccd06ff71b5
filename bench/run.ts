/**
 * npm run bench [-- name …] [-- --json] [--quick] [--full] [--rounds N] [--minutes N]
 *   [--on sqlite|postgres] [--keep]
 *
 * Measures Plimsoll beside its ceilings and peers, in turns, in the same run. Progress goes to
 * standard error, the table or the JSON to standard output. `--keep` also writes the results to
 * bench/results.json, and the documents that show them.
 */
import { parseArgs } from 'node:util';
import { startTestPostgres } from '../test/servers/test-databases.ts';
import { keepResults, measuredResults } from './kept-results.ts';
import { describeMachine, has } from './machine.ts';
import { busyCores } from './machine-use.ts';
import { tableOf } from './report.ts';
import type { Bench, MeasuredResult } from './row.ts';
import { ROWS } from './rows.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    on: { type: 'string' },
    rounds: { type: 'string' },
    minutes: { type: 'string', default: '1' },
  },
});

/** By its name, or by the first words of several. */
const isMeant = (row: string, name: string): boolean => row === name || row.startsWith(`${name}-`);
const wanted = ROWS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((each) => isMeant(name, each)),
);
const unknown = positionals.filter((name) => !ROWS.some((row) => isMeant(row.name, name)));
if (unknown.length > 0) {
  const lines = ROWS.map(({ name, what }) => `  ${name.padEnd(20)} ${what}`);
  console.error(`There is no ${unknown.join(', ')}. There are:\n${lines.join('\n')}`);
  process.exit(2);
}

const progress = (message: string): void => console.error(message);
const bench: Bench = {
  rounds: Number(values.rounds ?? (values.quick ? 3 : 5)),
  seconds: 2,
  minutes: Number(values.minutes),
  quick: values.quick,
  full: values.full,
  share: values.quick ? 0.1 : 1,
  databases: (['sqlite', 'postgres'] as const).filter((kind) => !values.on || values.on === kind),
  progress,
};

progress(describeMachine());
const postgres = await startTestPostgres(true);
process.env.PLIMSOLL_TEST_DATABASE_URL = postgres.url;
const results: MeasuredResult[] = [];
try {
  for (const [index, row] of wanted.entries()) {
    const missing = (row.needs ?? []).filter((command) => !has(command));
    if (missing.length > 0) {
      progress(`${row.name} is skipped: this machine has no ${missing.join(', ')}`);
      continue;
    }
    progress(`${index + 1}/${wanted.length} ${row.name}: ${row.what}`);
    const before = await busyCores();
    const found = await row.run(bench);
    const busy = Math.max(before, await busyCores());
    results.push(...measuredResults(bench, row.name, found, busy));
  }
} finally {
  await postgres.stop();
}
if (values.keep) keepResults(results, bench);
console.log(values.json ? JSON.stringify(results, null, 2) : tableOf(results));
