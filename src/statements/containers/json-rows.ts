import { COLUMNS_MAX, RECORD_TEXT_MAX, ROWS_MAX } from '../limits.ts';
import type { Progress } from '../progress.ts';
import { collapse, type RowSink } from '../rows.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';

const EXPECTED = 'json: an array of objects, an object that has one, or an object in each line';
/** Blanks and commas between two records. */
const GAP_MAX = 10_000;
/** Where an object lists its deals. */
const HEAD_MAX = 64 * 1024;

/**
 * Passes the records of a json array on as the rows of a table: first one row of all their keys,
 * then one row each. Throws UnreadableStatement where the text is no longer an array of objects.
 */
export function readJsonRows(text: string, sink: RowSink, progress: Progress): void {
  const columns = new Map<string, number>();
  const rows: string[][] = [];
  for (const { record, end } of recordsOf(text)) {
    const cells: string[] = [];
    for (const [key, value] of Object.entries(record)) {
      const column = columns.get(key) ?? columns.size;
      if (column >= COLUMNS_MAX) continue;
      columns.set(key, column);
      if (typeof value === 'string' || typeof value === 'number') cells[column] = String(value);
    }
    if (rows.push(cells) % 1_000 === 0) progress(end / text.length);
  }
  if (rows.length === 0) throw new UnreadableStatement(EXPECTED, 'the list is empty');
  sink.row({ line: 0, cells: [...columns.keys()] });
  for (const [index, cells] of rows.entries())
    sink.row({ line: index + 1, cells: Array.from(cells, (cell) => collapse(cell ?? '')) });
}

function* recordsOf(text: string): Generator<{ record: object; end: number }> {
  let count = 0;
  const broken = (at: number) =>
    new UnreadableStatement(EXPECTED, `line ${lineAt(text, at)}, after ${count} records`);
  let at = startOf(text);
  const isLines = at === 0;
  for (;;) {
    at = afterGap(text, at);
    if (text[at] === ']' || (isLines && at >= text.length)) return;
    const end = text[at] === '{' ? objectEnd(text, at) : -1;
    if (end < 0) throw broken(at);
    if (++count > ROWS_MAX) throw new UnreadableStatement(`at most ${ROWS_MAX} records`, EXPECTED);
    let record: unknown;
    try {
      record = JSON.parse(text.slice(at, end));
    } catch {
      count -= 1;
      throw broken(at);
    }
    if (typeof record !== 'object' || record === null) throw broken(at);
    yield { record, end };
    at = end;
  }
}

/** Place after the bracket that opens the list; the beginning of objects in lines. */
function startOf(text: string): number {
  if (text.startsWith('[')) return 1;
  const head = text.slice(0, HEAD_MAX);
  const named =
    /"deals"\s{0,100}:\s{0,100}\[/.exec(head) ??
    /"\w{1,64}"\s{0,100}:\s{0,100}\[\s{0,100}(?=\{)/.exec(head);
  if (named) return named.index + named[0].length;
  const end = objectEnd(text, 0);
  if (end > 0 && (end === text.trimEnd().length || /^\s*[{,]/.test(text.slice(end, end + 100))))
    return 0;
  throw new UnreadableStatement(EXPECTED, 'the object has no list of objects');
}

function afterGap(text: string, from: number): number {
  let at = from;
  while (at - from < GAP_MAX && /[\s,]/.test(text[at] ?? '')) at += 1;
  return at;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Place after the object that starts at `start`; -1 if it does not end within the bound. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  const bound = Math.min(text.length, start + RECORD_TEXT_MAX);
  for (let at = start; at < bound; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) isText = !isText;
    else if (isText) continue;
    else if (code === OPEN) depth += 1;
    else if (code === CLOSE && --depth === 0) return at + 1;
  }
  return -1;
}

function lineAt(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
