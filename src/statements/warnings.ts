import { ROW_WARNINGS_MAX } from './limits.ts';
import type { StatementWarning, WarningCode } from './statement.ts';

/** Collects warnings; rows that were not understood beyond the bound are counted, never dropped silently. */
export type Warnings = {
  add(code: WarningCode, message: string, line?: number): void;
  row(line: number, why: string, text: string): void;
  list(): StatementWarning[];
};

export function createWarnings(): Warnings {
  const kept: StatementWarning[] = [];
  let rows = 0;
  return {
    add(code, message, line) {
      kept.push({ code, message, line });
    },
    row(line, why, text) {
      rows += 1;
      if (rows > ROW_WARNINGS_MAX) return;
      const quoted = text.length > 200 ? `${text.slice(0, 200)}…` : text;
      const message = `Line ${line} was left out: ${why}: ${quoted}`;
      kept.push({ code: 'row_not_understood', message, line });
    },
    list() {
      const more = rows - ROW_WARNINGS_MAX;
      if (more <= 0) return kept;
      const message = `${more} more rows were left out (${rows} in all)`;
      return [...kept, { code: 'rows_not_understood' as const, message }];
    },
  };
}
