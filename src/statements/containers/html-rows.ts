import { CELL_TEXT_MAX, COLUMNS_MAX, ROWS_MAX } from '../limits.ts';
import type { Progress } from '../progress.ts';
import { collapse, type Row, type RowSink } from '../rows.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import { decodeChunks } from './encoding.ts';
import { createMarkup } from './markup.ts';

type Cell = { text: string; span: number; isHidden: boolean };

/** Passes each table row of an html file on. Throws UnreadableStatement if the file is cut off. */
export function readHtmlRows(
  bytes: Uint8Array,
  encoding: string,
  sink: RowSink,
  progress: Progress,
): void {
  const scan = createHtmlScan(sink);
  for (const { text, doneShare } of decodeChunks(bytes, encoding)) {
    scan.write(text);
    progress(doneShare);
  }
  const { rows, isClosed, lines } = scan.end();
  if (!isClosed)
    throw new UnreadableStatement(
      'a complete page that ends in </html>',
      `it ends in line ${lines}, after ${rows} table rows`,
    );
}

/** Elements whose text is not shown. */
const isSilent = (name: string): boolean => name === 'style' || name === 'script';

function createHtmlScan(sink: RowSink) {
  const lines = createLineCount();
  let rows = 0;
  let isClosed = false;
  let row: Row | undefined;
  let cell: Cell | undefined;
  let silent: string | undefined;
  let outside = '';

  const closeCell = () => {
    if (row && cell && !cell.isHidden) {
      const { span, text } = cell;
      if (row.cells.length < COLUMNS_MAX) row.cells.push(collapse(text));
      for (let more = 1; more < span && row.cells.length < COLUMNS_MAX; more++) row.cells.push('');
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
    if (text) sink.text?.(text);
    outside = '';
  };
  const openCell = (attribute: (name: string) => string | undefined) => {
    closeCell();
    if (!row) return;
    const span = Number(attribute('colspan') ?? 1);
    const isHidden = attribute('class') === 'hidden';
    cell = { text: '', span: span >= 1 && span <= COLUMNS_MAX ? span : 1, isHidden };
    const title = attribute('title');
    if (row.cells.length === 0 && title !== undefined) row.title = collapse(title);
  };
  const openRow = (index: number) => {
    closeRow();
    rows += 1;
    const line = lines.at(index);
    if (rows > ROWS_MAX) throw new UnreadableStatement(`at most ${ROWS_MAX} rows`, `line ${line}`);
    row = { line, cells: [] };
  };

  const markup = createMarkup(
    {
      open(name, attribute, index) {
        if (name === 'td' || name === 'th') openCell(attribute);
        else if (name === 'tr') openRow(index);
        else if (isSilent(name)) silent = name;
        else if (!row) flushOutside();
      },
      text(text) {
        if (silent) return;
        if (cell) {
          if (cell.text.length < CELL_TEXT_MAX) cell.text += text.slice(0, CELL_TEXT_MAX);
        } else if (!row && outside.length < CELL_TEXT_MAX) outside += text.slice(0, CELL_TEXT_MAX);
      },
      close(name) {
        if (name === 'td' || name === 'th') closeCell();
        else if (name === 'tr' || name === 'table') closeRow();
        else if (name === silent) silent = undefined;
        else if (name === 'html') isClosed = true;
        if (!row) flushOutside();
      },
    },
    { isXml: false },
  );
  return {
    write(text: string) {
      lines.add(text);
      markup.write(text);
    },
    end() {
      markup.end();
      closeRow();
      return { rows, isClosed, lines: lines.at(Number.POSITIVE_INFINITY) };
    },
  };
}

/** Line numbers of places in a text that comes in chunks; the places must ascend. */
function createLineCount() {
  let [line, chunk, chunkStart, counted] = [1, '', 0, 0];
  const at = (index: number): number => {
    const target = Math.min(index - chunkStart, chunk.length);
    for (let found = chunk.indexOf('\n', counted); found >= 0 && found < target; ) {
      line += 1;
      counted = found + 1;
      found = chunk.indexOf('\n', counted);
    }
    return line;
  };
  return {
    at,
    add(text: string) {
      at(Number.POSITIVE_INFINITY);
      chunkStart += chunk.length;
      chunk = text;
      counted = 0;
    },
  };
}
