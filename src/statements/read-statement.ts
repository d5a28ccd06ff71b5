import { readCsvRows } from './containers/csv-rows.ts';
import { decodeHead, detectEncoding } from './containers/encoding.ts';
import { readHtmlRows } from './containers/html-rows.ts';
import { readJsonRows } from './containers/json-rows.ts';
import { readXlsxRows } from './containers/xlsx-rows.ts';
import { createFlatTables } from './flat/flat-tables.ts';
import { readFlatTables } from './flat/read-flat.ts';
import { type Progress, partOf } from './progress.ts';
import { readReport } from './reports/read-report.ts';
import { createReportTables, hasLabels, hasRows } from './reports/report-tables.ts';
import { teeRows } from './rows.ts';
import type { ReadOptions, Statement } from './statement.ts';
import { UnreadableStatement } from './unreadable-statement.ts';

const KNOWN =
  'a report of a trading terminal (html or xlsx: statement, history, tester or trade report), a csv ' +
  'or workbook of closed trades or deals, or a json list of deals';

/**
 * Reads a report file of a trading terminal, or a table of trades or deals. Its kind is found from
 * its content alone. Works without a pause: services read in a thread (`worker/`). Throws
 * UnreadableStatement, and nothing else, for a file that it can't read.
 */
export async function readStatement(bytes: Uint8Array, options: ReadOptions): Promise<Statement> {
  const progress: Progress = (doneShare) => options.onProgress?.(doneShare);
  const reading = partOf(progress, 0, 0.8);
  const report = createReportTables();
  const flat = createFlatTables(options.mappings);
  const where = await readRows(bytes, report, flat, reading);
  progress(0.8);
  const tables = report.result();
  // A report has a head or figures besides its tables, in whatever format it was saved.
  const isTable = flat.result().tables.some(({ rows }) => rows.length > 0);
  const isMapped = flat.result().tables.some(({ columns }) => columns.isMapped);
  const isFlat = isMapped || (isTable && !(hasRows(tables) && hasLabels(tables)));
  const statement =
    (isFlat ? undefined : readReport(tables, options)) ??
    readFlatTables(flat.result(), options, where, KNOWN);
  progress(1);
  return statement;
}

type Sinks = [ReturnType<typeof createReportTables>, ReturnType<typeof createFlatTables>];

/** Takes the file's rows; returns the file's kind, for a refusal. */
async function readRows(
  bytes: Uint8Array,
  report: Sinks[0],
  flat: Sinks[1],
  progress: Progress,
): Promise<string> {
  if (bytes.length === 0) throw new UnreadableStatement(KNOWN, 'the file is empty');
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)) {
    const { sheets, rows } = await readXlsxRows(bytes, teeRows(report, flat), progress);
    return `${sheets} sheets with ${rows} rows`;
  }
  refuseOtherFormats(bytes);
  const encoding = detectEncoding(bytes);
  const head = decodeHead(bytes, encoding)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (isBinary(head))
    throw new UnreadableStatement(KNOWN, 'the file is neither text nor a workbook');
  if (head === '') throw new UnreadableStatement(KNOWN, 'the file is blank');
  // Terminals write some csv headings as <DATE>.
  if (head.startsWith('<') && !/^<[^>]+>[\t;,]/.test(head)) {
    if (/urn:schemas-microsoft-com:office:spreadsheet/.test(head))
      throw new UnreadableStatement(KNOWN, spreadsheetXml(head));
    if (!/<(?:!doctype html|html|table|body|head)\b/i.test(head))
      throw new UnreadableStatement(KNOWN, 'the file is markup, but not an html page');
    readHtmlRows(bytes, encoding, teeRows(report, flat), progress);
    return 'the page';
  }
  if (head.startsWith('[') || head.startsWith('{')) {
    const text = new TextDecoder(encoding).decode(bytes).trimStart();
    readJsonRows(text, teeRows(report, flat), progress);
    return 'the list';
  }
  readCsvRows(bytes, encoding, teeRows(report, flat));
  return 'the csv file';
}

/** The terminals write the results of a tester's optimisation in the Excel 2003 format. */
const spreadsheetXml = (head: string): string =>
  />\s*Pass\s*</.test(head) || /optimi[sz]ation/i.test(head)
    ? 'the file is an optimisation of the tester: it lists passes and no deals. Run the pass that you want alone, and save its report'
    : 'the file is an XML spreadsheet of Excel 2003. Open it and save it as .xlsx or .csv';

/** Files that users try, with advice. */
const OTHERS: readonly { mark: readonly number[]; what: string }[] = [
  {
    mark: [0xd0, 0xcf, 0x11, 0xe0],
    what: 'the file is an old Excel workbook (.xls). Open it and save it as .xlsx or .csv, or save the report as HTML',
  },
  {
    mark: [0x25, 0x50, 0x44, 0x46],
    what: 'the file is a PDF. Save the report as HTML or xlsx, or ask the broker for it',
  },
];

function refuseOtherFormats(bytes: Uint8Array): void {
  for (const { mark, what } of OTHERS)
    if (mark.every((byte, place) => bytes[place] === byte))
      throw new UnreadableStatement(KNOWN, what);
}

// Control characters that text never has: a picture, a program, a disk image.
function isBinary(head: string): boolean {
  let odd = 0;
  for (let at = 0; at < Math.min(head.length, 4096); at++) {
    const code = head.charCodeAt(at);
    if (code < 9 || (code > 13 && code < 32)) odd += 1;
  }
  return odd > 8 || head.charCodeAt(0) < 9;
}
