import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawGoals } from '../../bench/goal-chart.ts';
import { merge, readKept, withResults } from '../../bench/kept-results.ts';
import type { MeasuredResult } from '../../bench/row.ts';
import { ROWS } from '../../bench/rows.ts';
import { ROOT } from './blocks.ts';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const [first] = readKept();
assert.ok(first);

const resultOf = (row: string, name: string, value: number): MeasuredResult => ({
  ...{ ...first, name, value, measured: { ...first.measured, row } },
});

test('docs/performance.md and its chart show the kept results', () => {
  const page = textOf('docs/performance.md');
  assert.equal(withResults(page, readKept()), page);
  assert.equal(drawGoals(readKept()), textOf('docs/performance.svg'));
});

test('a kept result is of a row that exists', () => {
  const rows = new Set(ROWS.map(({ name }) => name));
  assert.deepEqual(
    readKept().filter(({ measured }) => !rows.has(measured.row)),
    [],
  );
});

test('a row that was measured again takes the place of what was kept of it, on that database', () => {
  const [sqlite, postgres] = [
    resultOf('start', 'serve, SQLite', 1),
    resultOf('start', 'serve, PostgreSQL', 2),
  ];
  const other = resultOf('breach', 'breach, SQLite', 3);
  const again = resultOf('start', 'serve, SQLite', 4);
  assert.deepEqual(merge([sqlite, postgres, other], [again], ['SQLite']), [postgres, again, other]);
});
