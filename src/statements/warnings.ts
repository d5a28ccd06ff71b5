import { ROW_WARNINGS_MAX } from './limits.ts';
import type { StatementWarning, WarningCode } from './statement.ts';

/**
 * Collects warnings; rows that were not understood beyond the bound are counted, never dropped
 * silently.
 */
export type Warnings = {
  add(code: WarningCode, message: string, line?: number): void;
  /** A row of the file, or a deal that is no longer a row (no line), that was left out. */
  row(line: number | undefined, why: string, text: string): void;
  /** Rows left out so far. */
  rows(): number;
  list(): StatementWarning[];
};

const QUOTE_MAX = 200;

export function createWarnings(): Warnings {
  const kept: StatementWarning[] = [];
  const told = new Set<string>();
  let rows = 0;
  return {
    add(code, message, line) {
      if (told.has(message)) return;
      told.add(message);
      kept.push({ code, message, line });
    },
    row(line, why, text) {
      rows += 1;
      if (rows > ROW_WARNINGS_MAX) return;
      const quoted = text.length > QUOTE_MAX ? `${text.slice(0, QUOTE_MAX)}…` : text;
      const place = line === undefined ? 'A row' : `Line ${line}`;
      const message = `${place} was left out: ${why}: ${quoted}`;
      kept.push({ code: 'row_not_understood', message, line });
    },
    rows: () => rows,
    list() {
      const more = rows - ROW_WARNINGS_MAX;
      if (more <= 0) return kept;
      const message = `${more} more rows were left out (${rows} in all)`;
      return [...kept, { code: 'rows_not_understood' as const, message }];
    },
  };
}
