import { readCsvStatement } from './csv-statement.ts';
import { decodeHead, detectEncoding } from './encoding.ts';
import { readHtmlRows } from './html-rows.ts';
import { readJsonStatement } from './json-statement.ts';
import { readP4Statement } from './p4-statement.ts';
import { isP4Account } from './p4-statement-head.ts';
import { readP4Tester } from './p4-tester.ts';
import { readP5Report } from './p5-report.ts';
import { readP5Head } from './p5-stated.ts';
import { createPace, type Pace } from './pace.ts';
import { createReportTables, type ReportTables } from './report-tables.ts';
import type { ReadOptions, Statement } from './statement.ts';
import { UnreadableStatement } from './unreadable-statement.ts';
import { openWorkbook } from './xlsx-rows.ts';

const KNOWN =
  'a report of a trading terminal (html or xlsx: statement, history, tester or trade report), a csv ' +
  'of closed trades or deals, or a json list of deals';

/**
 * Reads a report file of a trading terminal. What it is is told from its content alone. Throws
 * UnreadableStatement, and nothing else, for a file that it can't read.
 */
export async function readStatement(bytes: Uint8Array, options: ReadOptions): Promise<Statement> {
  const pace = createPace(options.onProgress);
  const statement = await readByContent(bytes, options.moneyDigits, pace);
  options.onProgress?.(1);
  return statement;
}

async function readByContent(
  bytes: Uint8Array,
  moneyDigits: number,
  pace: Pace,
): Promise<Statement> {
  if (bytes.length === 0) throw new UnreadableStatement(KNOWN, 'the file is empty');
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5))
    return readWorkbook(bytes, moneyDigits, pace);
  const encoding = detectEncoding(bytes);
  const head = decodeHead(bytes, encoding)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (isBinary(head))
    throw new UnreadableStatement(KNOWN, 'the file is neither text nor a workbook');
  if (head === '') throw new UnreadableStatement(KNOWN, 'the file is blank');
  // Terminals write some csv headings as <DATE>.
  if (head.startsWith('<') && !/^<[^>]+>[\t;,]/.test(head)) {
    if (!/<(?:!doctype html|html|table|body|head)\b/i.test(head))
      throw new UnreadableStatement(KNOWN, 'the file is markup, but no html page');
    const tables = createReportTables();
    await readHtmlRows(bytes, encoding, tables, pace);
    return interpret(tables.result(), moneyDigits, pace, 'the page');
  }
  if (head.startsWith('[') || head.startsWith('{'))
    return readJsonStatement(bytes, encoding, moneyDigits, pace);
  return readCsvStatement(bytes, encoding, moneyDigits, pace);
}

// Control characters that no text has: a picture, a program, a disk image.
function isBinary(head: string): boolean {
  let odd = 0;
  for (let at = 0; at < Math.min(head.length, 4096); at++) {
    const code = head.charCodeAt(at);
    if (code < 9 || (code > 13 && code < 32)) odd += 1;
  }
  return odd > 8 || head.charCodeAt(0) < 9;
}

async function readWorkbook(
  bytes: Uint8Array,
  moneyDigits: number,
  pace: Pace,
): Promise<Statement> {
  const workbook = await openWorkbook(bytes, pace);
  let seen = 0;
  for (const sheet of workbook.sheets) {
    const tables = createReportTables();
    seen += (await workbook.readSheet(sheet, tables)).rows;
    const report = tables.result();
    if (isReport(report)) return interpret(report, moneyDigits, pace, `sheet ${sheet.name}`);
  }
  throw new UnreadableStatement(
    'a sheet with a history, tester or trade report',
    `${workbook.sheets.length} sheets with ${seen} rows hold none`,
  );
}

const isReport = (report: ReportTables): boolean =>
  report.tables.some(({ kind }) => kind !== 'p5-orders' && kind !== 'p4-working');

async function interpret(
  report: ReportTables,
  moneyDigits: number,
  pace: Pace,
  where: string,
): Promise<Statement> {
  const has = (kind: string) => report.tables.find((table) => table.kind === kind);
  const tester = has('p4-tester');
  if (tester) return readP4Tester(report, tester, moneyDigits, pace);
  if (has('p4-closed') && isP4Account(report)) return readP4Statement(report, moneyDigits, pace);
  const isSnapshot = has('p5-trade') !== undefined && !has('p5-deals');
  const head = has('p5-deals') || isSnapshot ? readP5Head(report, isSnapshot) : undefined;
  if (head) return readP5Report(report, head, moneyDigits, pace);
  const found = report.tables.map(({ kind, line }) => `${kind} in line ${line}`).join(', ');
  throw new UnreadableStatement(
    KNOWN,
    `${where} has ${report.rows} table rows, but not the tables and account line of one ` +
      `(${found || 'no known table'})`,
  );
}
