import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { decodeChunks, decodeHead } from './encoding.ts';
import { COLUMNS_MAX, RECORD_TEXT_MAX, ROWS_MAX } from './limits.ts';
import type { Pace } from './pace.ts';
import type { Row } from './rows.ts';
import { UnreadableStatement } from './unreadable-statement.ts';

const DELIMITERS = [';', '\t', ','] as const;

export type CsvFile = { headings: string[]; rows: Row[] };

/** Reads a csv file whose delimiter is the one that its first line has most of. */
export async function readCsvRows(
  bytes: Uint8Array,
  encoding: string,
  pace: Pace,
): Promise<CsvFile> {
  const firstLine = decodeHead(bytes, encoding)
    .replace(/^\ufeff/, '')
    .trimStart()
    .split(/\r?\n/, 1)[0];
  const count = (mark: string) => (firstLine ?? '').split(mark).length;
  const delimiter = DELIMITERS.reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  const rows: Row[] = [];
  const parser = parse({
    ...{ bom: true, delimiter, info: true, trim: true },
    ...{ relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true },
    maxRecordSize: RECORD_TEXT_MAX,
  });
  parser.on('data', ({ record, info }: { record: string[]; info: { lines: number } }) => {
    rows.push({ line: info.lines, cells: record.slice(0, COLUMNS_MAX) });
  });
  const ended = finished(parser).then(
    () => undefined,
    (error: Error) => error,
  );
  for (const { text, doneShare } of decodeChunks(bytes, encoding)) {
    if (parser.destroyed) break;
    parser.write(text);
    const wait = pace.step(doneShare * 0.7);
    if (wait) await wait;
    if (rows.length > ROWS_MAX)
      throw new UnreadableStatement(`at most ${ROWS_MAX} rows`, `line ${rows.length}`);
  }
  if (!parser.destroyed) parser.end();
  const error = await ended;
  if (error)
    throw new UnreadableStatement('a csv file', `line ${rows.at(-1)?.line ?? 1}: ${error.message}`);
  const [heading, ...rest] = rows;
  return { headings: heading?.cells ?? [], rows: rest };
}
