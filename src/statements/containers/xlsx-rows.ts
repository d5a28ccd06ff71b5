import { CELL_TEXT_MAX, COLUMNS_MAX, ROWS_MAX, SHARED_STRINGS_MAX, SHEETS_MAX } from '../limits.ts';
import type { Progress } from '../progress.ts';
import { collapse, type Row, type RowSink } from '../rows.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import { detectUtf } from './encoding.ts';
import { createMarkup, type MarkupSink } from './markup.ts';
import { ODS_CONTENT, odsRows } from './ods-rows.ts';
import { DAYS_OF_1904, dateStyles, printedDay } from './xlsx-styles.ts';
import { openZip, type Zip } from './zip.ts';

const STRINGS = 'xl/sharedStrings.xml';
const STYLES = 'xl/styles.xml';
const WORKBOOK = 'xl/workbook.xml';
const isOther = (name: string): boolean => [STRINGS, STYLES, WORKBOOK, ODS_CONTENT].includes(name);
const isSheet = (name: string): boolean => /^xl\/worksheets\/[^/]+\.xml$/.test(name);

/**
 * Passes the rows of all sheets of a workbook on (ECMA-376, SpreadsheetML; or OpenDocument).
 * Returns the numbers of sheets and rows.
 */
export async function readXlsxRows(
  bytes: Uint8Array,
  sink: RowSink,
  progress: Progress,
): Promise<{ sheets: number; rows: number }> {
  const zip = await openZip(bytes, (name) => isSheet(name) || isOther(name));
  const sheets = zip.names
    .filter(isSheet)
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, SHEETS_MAX);
  let done = 0;
  const onBytes = (bytes: number) => {
    done += bytes;
    progress(done / Math.max(1, zip.bytes));
  };
  if (sheets.length === 0) {
    if (!zip.names.includes(ODS_CONTENT))
      throw new UnreadableStatement('an xlsx or ods workbook', 'the zip file holds no sheets');
    const count = { sheets: 0, rows: 0 };
    await parse(zip, ODS_CONTENT, odsRows(sink, count), onBytes);
    return count;
  }
  const shared: string[] = [];
  await parse(zip, STRINGS, sharedStrings(shared), onBytes);
  const dates: DateCells = { isDate: [], laterDays: 0 };
  await parse(zip, STYLES, dateStyles(dates.isDate), onBytes);
  await parse(zip, WORKBOOK, epochOf(dates), onBytes);
  const count = { rows: 0 };
  for (const sheet of sheets) {
    sink.sheet?.();
    await parse(zip, sheet, cellsOf(shared, dates, sink, count), onBytes);
  }
  return { sheets: sheets.length, rows: count.rows };
}

async function parse(
  zip: Zip,
  name: string,
  sink: MarkupSink,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const markup = createMarkup(sink, { isXml: true });
  let decoder: TextDecoder | undefined;
  for await (const chunk of zip.read(name)) {
    decoder ??= new TextDecoder(detectUtf(chunk) ?? 'utf-8');
    markup.write(decoder.decode(chunk, { stream: true }));
    onBytes(chunk.length);
  }
  markup.end();
}

function sharedStrings(shared: string[]): MarkupSink {
  let text: string | undefined;
  let isText = false;
  return {
    open(name) {
      if (name === 'si') text = '';
      // Phonetic readings (rPh) accompany the text, but are not part of it.
      else if (name === 't' || name === 'rPh') isText = name === 't';
    },
    text(data) {
      if (text !== undefined && isText && text.length < CELL_TEXT_MAX)
        text += data.slice(0, CELL_TEXT_MAX);
    },
    close(name) {
      if (name === 't') isText = false;
      if (name !== 'si') return;
      if (shared.length >= SHARED_STRINGS_MAX)
        throw new UnreadableStatement(`at most ${SHARED_STRINGS_MAX} texts`, `${STRINGS} has more`);
      shared.push(collapse(text ?? ''));
      text = undefined;
    },
  };
}

/** Which cell styles are dates, and the workbook's first day. */
type DateCells = { isDate: boolean[]; laterDays: number };

const epochOf = (dates: DateCells): MarkupSink => ({
  open(name, attribute) {
    if (name === 'workbookPr' && /^(?:1|true)$/.test(attribute('date1904') ?? ''))
      dates.laterDays = DAYS_OF_1904;
  },
  text() {},
  close() {},
});

function cellsOf(
  shared: readonly string[],
  dates: DateCells,
  sink: RowSink,
  count: { rows: number },
): MarkupSink {
  let row: Row | undefined;
  let sheetRow = 0;
  let column = -1;
  let type = '';
  let isDate = false;
  let value: string | undefined;
  const put = (text: string) => {
    if (!row || column < 0 || column >= COLUMNS_MAX) return;
    while (row.cells.length < column) row.cells.push('');
    row.cells[column] = text;
  };
  const closeRow = () => {
    if (row) sink.row(row);
    row = undefined;
  };
  return {
    open(name, attribute) {
      if (name === 'row') {
        closeRow();
        sheetRow = Number(attribute('r')) || sheetRow + 1;
        row = { line: sheetRow, cells: [] };
        column = -1;
        if (++count.rows > ROWS_MAX)
          throw new UnreadableStatement(`at most ${ROWS_MAX} rows`, `sheet row ${sheetRow}`);
      } else if (name === 'c') {
        const reference = attribute('r');
        column = reference === undefined ? column + 1 : columnOf(reference);
        type = attribute('t') ?? 'n';
        isDate = type === 'n' && dates.isDate[Number(attribute('s') ?? 0)] === true;
      } else if (name === 'v' || name === 't') value = '';
    },
    text(data) {
      if (value !== undefined && value.length < CELL_TEXT_MAX)
        value += data.slice(0, CELL_TEXT_MAX);
    },
    close(name) {
      if (name === 'row') closeRow();
      if ((name !== 'v' && name !== 't') || value === undefined) return;
      if (type === 's') put(shared[Number(value)] ?? '');
      else put(isDate ? printedDay(value, dates.laterDays) : collapse(value));
      value = undefined;
    },
  };
}

/** Column of a reference: A1 → 0, AA7 → 26. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.slice(0, 4)) {
    const code = letter.charCodeAt(0) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column - 1;
}
