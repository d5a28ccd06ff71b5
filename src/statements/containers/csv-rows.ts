import { parse } from 'csv-parse/sync';
import { COLUMNS_MAX, RECORD_TEXT_MAX, ROWS_MAX } from '../limits.ts';
import { collapse, type RowSink } from '../rows.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import { decodeHead } from './encoding.ts';

const DELIMITERS = [';', '\t', ',', '|'] as const;
/** Lines that determine the delimiter: titles may come before the headings. */
const LINES_LOOKED_AT = 20;

/** Passes the records of a csv file on. Throws UnreadableStatement where it is no longer one. */
export function readCsvRows(bytes: Uint8Array, encoding: string, sink: RowSink): void {
  const head = decodeHead(bytes, encoding).replace(/^\ufeff/, '');
  // Excel and sites that write for it name it in a separate line.
  const told = /^sep=(.)\r?\n/i.exec(head)?.[1];
  const delimiter = told ?? delimiterOf(head);
  sink.delimiter?.(delimiter);
  let line = 0;
  let rows = 0;
  try {
    parse(new TextDecoder(encoding).decode(bytes), {
      ...{ bom: true, delimiter, fromLine: told ? 2 : 1 },
      ...{ relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true, trim: true },
      maxRecordSize: RECORD_TEXT_MAX,
      onRecord(record: string[], { lines }) {
        line = lines;
        if (++rows > ROWS_MAX)
          throw new UnreadableStatement(`at most ${ROWS_MAX} rows`, `line ${line}`);
        sink.row({ line, cells: record.slice(0, COLUMNS_MAX).map(collapse) });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof UnreadableStatement || !(error instanceof Error)) throw error;
    throw new UnreadableStatement('a csv file', `after line ${line}: ${error.message}`);
  }
}

/**
 * The mark that divides most lines into equally many cells. A single line of settings may have many
 * of another mark, and quoted texts any.
 */
function delimiterOf(head: string): string {
  const lines = head.replace(/"(?:[^"\n]|"")*"/g, '').split(/\r?\n/, LINES_LOOKED_AT);
  const cellsBy = (mark: string): number => {
    const sums = new Map<number, number>();
    for (const line of lines) {
      const marks = line.split(mark).length - 1;
      sums.set(marks, (sums.get(marks) ?? 0) + marks);
    }
    return Math.max(...sums.values());
  };
  return DELIMITERS.reduce((best, mark) => (cellsBy(mark) > cellsBy(best) ? mark : best));
}
