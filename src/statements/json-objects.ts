import { RECORD_TEXT_MAX, ROWS_MAX } from './limits.ts';
import type { Pace } from './pace.ts';
import { UnreadableStatement } from './unreadable-statement.ts';

export type JsonObject = Record<string, unknown>;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * The objects of a JSON array, parsed one by one so that a large file never blocks for long. Starts at
 * the first `[` from `from`. Throws UnreadableStatement where the text stops being an array of objects.
 */
export async function readJsonObjects(
  text: string,
  from: number,
  pace: Pace,
): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  const broken = (at: number) => {
    const line = text.slice(0, at).split('\n').length;
    return new UnreadableStatement(
      'a json array of deals',
      `line ${line}, after ${objects.length} records`,
    );
  };
  let at = text.indexOf('[', from) + 1;
  for (;;) {
    while (/[\s,]/.test(text[at] ?? '')) at += 1;
    if (text[at] === ']') return objects;
    const end = text[at] === '{' ? objectEnd(text, at) : -1;
    if (end < 0 || objects.length >= ROWS_MAX) throw broken(at);
    try {
      const value: unknown = JSON.parse(text.slice(at, end));
      objects.push(value as JsonObject);
    } catch {
      throw broken(at);
    }
    at = end;
    const wait = objects.length % 256 === 0 ? pace.step((0.8 * at) / text.length) : undefined;
    if (wait) await wait;
  }
}

/** Position after the object that starts at `start`; -1 when it does not end within the bound. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  let inText = false;
  const bound = Math.min(text.length, start + RECORD_TEXT_MAX);
  for (let at = start; at < bound; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) inText = !inText;
    else if (inText) continue;
    else if (code === OPEN) depth += 1;
    else if (code === CLOSE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
