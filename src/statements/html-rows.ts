import { Parser } from 'htmlparser2';
import { decodeChunks } from './encoding.ts';
import { CELL_TEXT_MAX, COLUMNS_MAX, ROWS_MAX } from './limits.ts';
import type { Pace } from './pace.ts';
import { collapse, type Row, type RowSink } from './rows.ts';
import { UnreadableStatement } from './unreadable-statement.ts';

type Cell = { text: string; span: number; hidden: boolean };

/** Passes each table row of an html file on. Throws UnreadableStatement when the file breaks off. */
export async function readHtmlRows(
  bytes: Uint8Array,
  encoding: string,
  sink: RowSink,
  pace: Pace,
): Promise<{ rows: number }> {
  const scan = createHtmlScan(sink);
  for (const { text, doneShare } of decodeChunks(bytes, encoding)) {
    scan.write(text);
    const wait = pace.step(doneShare * 0.7);
    if (wait) await wait;
  }
  const { rows, closed, lines } = scan.end();
  if (!closed)
    throw new UnreadableStatement(
      'a complete page that ends in </html>',
      `it breaks off in line ${lines}, after ${rows} table rows`,
    );
  return { rows };
}

function createHtmlScan(sink: RowSink) {
  let line = 1;
  let countedTo = 0;
  let chunkStart = 0;
  let chunk = '';
  let rows = 0;
  let closed = false;
  let row: Row | undefined;
  let cell: Cell | undefined;
  let silent = 0;
  let outside = '';

  const lineAt = (index: number): number => {
    const target = Math.min(index - chunkStart, chunk.length);
    for (let at = chunk.indexOf('\n', countedTo); at >= 0 && at < target; ) {
      line += 1;
      countedTo = at + 1;
      at = chunk.indexOf('\n', countedTo);
    }
    return line;
  };
  const closeCell = () => {
    if (!row || !cell) return;
    if (!cell.hidden && row.cells.length < COLUMNS_MAX) {
      row.cells.push(collapse(cell.text));
      for (let more = 1; more < cell.span && row.cells.length < COLUMNS_MAX; more++)
        row.cells.push('');
    }
    cell = undefined;
  };
  const closeRow = () => {
    closeCell();
    if (row && row.cells.length > 0) sink.row(row);
    row = undefined;
  };
  const flushOutside = () => {
    const text = collapse(outside);
    if (text) sink.text(text);
    outside = '';
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'td' || name === 'th') {
          closeCell();
          if (!row) return;
          const span = Number(attributes.colspan ?? 1);
          const hidden = attributes.class === 'hidden';
          cell = { text: '', span: span >= 1 && span <= COLUMNS_MAX ? span : 1, hidden };
          if (row.cells.length === 0 && attributes.title !== undefined)
            row.title = collapse(attributes.title.slice(0, CELL_TEXT_MAX));
        } else if (name === 'tr') {
          closeRow();
          rows += 1;
          if (rows > ROWS_MAX)
            throw new UnreadableStatement(`at most ${ROWS_MAX} rows`, `line ${line}`);
          row = { line: lineAt(parser.startIndex), cells: [] };
        } else if (name === 'style' || name === 'script') silent += 1;
        else if (!row) flushOutside();
      },
      ontext(text) {
        if (silent > 0) return;
        if (cell) {
          if (cell.text.length < CELL_TEXT_MAX)
            cell.text += text.length > CELL_TEXT_MAX ? text.slice(0, CELL_TEXT_MAX) : text;
        } else if (!row && outside.length < CELL_TEXT_MAX) outside += text;
      },
      onclosetag(name, implied) {
        if (name === 'td' || name === 'th') closeCell();
        else if (name === 'tr' || name === 'table') closeRow();
        else if (name === 'style' || name === 'script') silent = Math.max(0, silent - 1);
        else if (name === 'html' && !implied) closed = true;
        if (!row) flushOutside();
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  return {
    write(text: string) {
      lineAt(chunkStart + chunk.length);
      chunkStart += chunk.length;
      chunk = text;
      countedTo = 0;
      parser.write(text);
    },
    end() {
      parser.end();
      closeRow();
      return { rows, closed, lines: lineAt(chunkStart + chunk.length) };
    },
  };
}
