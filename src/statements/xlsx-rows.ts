import { Parser } from 'htmlparser2';
import { detectEncoding } from './encoding.ts';
import {
  CELL_TEXT_MAX,
  COLUMNS_MAX,
  INFLATED_BYTES_MAX,
  ROWS_MAX,
  SHARED_STRINGS_MAX,
  SHEETS_MAX,
} from './limits.ts';
import type { Pace } from './pace.ts';
import { collapse, type Row, type RowSink } from './rows.ts';
import { UnreadableStatement } from './unreadable-statement.ts';
import { inflateEntry, listZipEntries, type ZipEntry } from './zip.ts';

/** A workbook (ECMA-376, SpreadsheetML) whose sheets can be read row by row. */
export type Workbook = {
  sheets: ZipEntry[];
  readSheet(sheet: ZipEntry, sink: RowSink): Promise<{ rows: number }>;
};

export async function openWorkbook(bytes: Uint8Array, pace: Pace): Promise<Workbook> {
  const entries = listZipEntries(bytes);
  const sheets = entries
    .filter((entry) => /^xl\/worksheets\/[^/]+\.xml$/.test(entry.name))
    .sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, SHEETS_MAX);
  const strings = entries.find((entry) => entry.name === 'xl/sharedStrings.xml');
  const first = sheets[0];
  if (!first)
    throw new UnreadableStatement('an xlsx workbook', 'the zip file has no xl/worksheets entry');
  const wanted = [...sheets, ...(strings ? [strings] : [])];
  const total = wanted.reduce((sum, entry) => sum + entry.inflatedBytes, 0);
  if (total > INFLATED_BYTES_MAX)
    throw new UnreadableStatement(
      `at most ${INFLATED_BYTES_MAX} inflated bytes`,
      `the workbook declares ${total}`,
    );
  const shared: string[] = [];
  if (strings) await parseEntry(bytes, strings, sharedStringsParser(shared), pace, 0.1);
  return {
    sheets,
    async readSheet(sheet, sink) {
      const scan = sheetParser(shared, sink);
      await parseEntry(bytes, sheet, scan.parser, pace, 0.7);
      return { rows: scan.rows() };
    },
  };
}

async function parseEntry(
  bytes: Uint8Array,
  entry: ZipEntry,
  parser: Parser,
  pace: Pace,
  share: number,
): Promise<void> {
  let decoder: TextDecoder | undefined;
  let done = 0;
  for await (const chunk of inflateEntry(bytes, entry)) {
    decoder ??= new TextDecoder(detectEncoding(chunk).startsWith('utf-16') ? 'utf-16le' : 'utf-8');
    parser.write(decoder.decode(chunk, { stream: true }));
    done += chunk.length;
    const wait = pace.step((share * done) / Math.max(1, entry.inflatedBytes));
    if (wait) await wait;
  }
  parser.end();
}

function sharedStringsParser(shared: string[]): Parser {
  let text: string | undefined;
  let inText = false;
  return new Parser(
    {
      onopentagname(name) {
        if (name === 'si') text = '';
        else if (name === 't') inText = true;
        // Phonetic readings stand beside the text, they are not part of it.
        else if (name === 'rPh') inText = false;
      },
      ontext(data) {
        if (text !== undefined && inText && text.length < CELL_TEXT_MAX) text += data;
      },
      onclosetag(name) {
        if (name === 't') inText = false;
        if (name !== 'si') return;
        if (shared.length >= SHARED_STRINGS_MAX)
          throw new UnreadableStatement(
            `at most ${SHARED_STRINGS_MAX} texts`,
            'xl/sharedStrings.xml has more',
          );
        shared.push(collapse(text ?? ''));
        text = undefined;
      },
    },
    { xmlMode: true },
  );
}

function sheetParser(shared: readonly string[], sink: RowSink) {
  let rows = 0;
  let row: Row | undefined;
  let column = -1;
  let type = '';
  let value: string | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'row') {
          rows += 1;
          if (rows > ROWS_MAX)
            throw new UnreadableStatement(`at most ${ROWS_MAX} rows`, `sheet row ${rows}`);
          row = { line: Number(attributes.r) || rows, cells: [] };
          column = -1;
        } else if (name === 'c') {
          column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
          type = attributes.t ?? 'n';
        } else if (name === 'v' || name === 't') value = '';
      },
      ontext(data) {
        if (value !== undefined && value.length < CELL_TEXT_MAX) value += data;
      },
      onclosetag(name) {
        if (name === 'v' || name === 't') {
          if (row && value !== undefined && column >= 0 && column < COLUMNS_MAX) {
            const text = type === 's' ? (shared[Number(value)] ?? '') : collapse(value);
            while (row.cells.length < column) row.cells.push('');
            row.cells[column] = text;
          }
          value = undefined;
        } else if (name === 'row') {
          if (row) sink.row(row);
          row = undefined;
        }
      },
    },
    { xmlMode: true },
  );
  return { parser, rows: () => rows };
}

/** Column of a reference: A1 → 0, AA7 → 26. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const code = letter.charCodeAt(0) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column - 1;
}
