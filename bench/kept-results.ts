import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drawGoals } from './goal-chart.ts';
import { labelOf } from './on-databases.ts';
import { markdownOf } from './report.ts';
import type { Bench, MeasuredResult, Result } from './row.ts';

/** `--keep`: the newest results of each row, and the document and the chart that show them. */
const ROOT = resolve(import.meta.dirname, '..');
const KEPT = join(ROOT, 'bench/results.json');
const DOCUMENT = join(ROOT, 'docs/performance.md');
const CHART = join(ROOT, 'docs/performance.svg');
const [BEGIN, END] = ['<!-- results -->', '<!-- end of results -->'];

export const readKept = (): MeasuredResult[] =>
  JSON.parse(readFileSync(KEPT, 'utf8')) as MeasuredResult[];

/** Takes the place of all that was kept of the same rows on the same databases. */
export function keepResults(results: readonly MeasuredResult[], { databases }: Bench): void {
  const kept = merge(readKept(), results, databases.map(labelOf));
  writeFileSync(KEPT, `${JSON.stringify(kept, null, 1)}\n`);
  writeFileSync(DOCUMENT, withResults(readFileSync(DOCUMENT, 'utf8'), kept));
  writeFileSync(CHART, drawGoals(kept));
}

/** A row that was measured again stays in its place. */
export function merge(
  kept: readonly MeasuredResult[],
  results: readonly MeasuredResult[],
  labels: readonly string[],
): MeasuredResult[] {
  const rows = new Set(results.map(({ measured }) => measured.row));
  const isReplaced = ({ name, measured }: MeasuredResult): boolean => {
    const label = /(?:SQLite|PostgreSQL)$/.exec(name)?.[0];
    return rows.has(measured.row) && (label === undefined || labels.includes(label));
  };
  const left = kept.filter((result) => !isReplaced(result));
  const order = [...new Set([...kept, ...results].map(({ measured }) => measured.row))];
  return order.flatMap((row) =>
    [...left, ...results].filter(({ measured }) => measured.row === row),
  );
}

/** The document with the table of these results in its place. */
export function withResults(page: string, results: readonly MeasuredResult[]): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md lacks ${BEGIN} or ${END}`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${markdownOf(results)}\n\n${page.slice(to)}`;
}

/** Results of a row with what was measured, when, and how much others kept processors busy. */
export function measuredResults(
  { rounds, quick }: Bench,
  row: string,
  results: readonly Result[],
  busyCores: number,
): MeasuredResult[] {
  const measured = {
    ...{ row, commit: commitOf(), dateUtc: new Date().toISOString().slice(0, 10), rounds, quick },
    busyCores: Math.round(busyCores * 100) / 100,
  };
  return results.map((result) => ({ ...result, measured }));
}

function commitOf(): string {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--short=8', 'HEAD');
  return git('status', '--porcelain', 'src', 'web/src') === '' ? commit : `${commit} and changes`;
}
