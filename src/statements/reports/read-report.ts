import type { ReadOptions, Statement } from '../statement.ts';
import { readP4Statement } from './p4-statement.ts';
import { readP4Tester } from './p4-tester.ts';
import { readP5Report } from './p5-report.ts';
import { readP5Head } from './p5-stated.ts';
import type { ReportTables } from './report-tables.ts';

/** The report with these tables; undefined if they are not a terminal's. */
export function readReport(
  report: ReportTables,
  { moneyDigits }: ReadOptions,
): Statement | undefined {
  const has = (kind: string) => report.tables.find((table) => table.kind === kind);
  const tester = has('p4-tester');
  if (tester) return readP4Tester(report, tester, moneyDigits);
  if (has('p4-closed') || has('p4-open')) return readP4Statement(report, moneyDigits);
  const isSnapshot = has('p5-trade') !== undefined && !has('p5-deals');
  if (!isSnapshot && !has('p5-deals')) return undefined;
  return readP5Report(report, readP5Head(report, isSnapshot, moneyDigits), moneyDigits);
}
