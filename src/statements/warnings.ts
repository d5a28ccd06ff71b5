import { ROW_WARNINGS_MAX } from './limits.ts';
import type { Question, Reading, Verdict } from './readings.ts';
import type { StatementWarning, WarningCode } from './statement.ts';

/** Collects warnings; beyond the bound, rows that were not understood are counted. */
export type Warnings = {
  /**
   * How the reader answered a question that the file leaves open, once for each question. A proved
   * answer is silent; any other is a warning that states the effect.
   */
  reading(question: Question, answer: string, verdict: Verdict, effect?: string): void;
  readings(): Reading[];
  add(code: WarningCode, message: string, line?: number): void;
  /** A row of the file, or a deal without a row (no line), that was left out. */
  row(line: number | undefined, why: string, text: string): void;
  /** Rows left out so far. */
  rows(): number;
  list(): StatementWarning[];
};

const QUOTE_MAX = 200;
/** A file has few tables, and each question few answers. */
const READINGS_MAX = 100;

export function createWarnings(): Warnings {
  const kept: StatementWarning[] = [];
  const told = new Set<string>();
  const readings: Reading[] = [];
  let rows = 0;
  const add = (code: WarningCode, message: string, line?: number) => {
    if (told.has(message)) return;
    told.add(message);
    kept.push({ code, message, line });
  };
  return {
    add,
    reading(question, answer, verdict, effect) {
      const isKnown = readings.some(
        (one) => one.question === question && one.answer === answer && one.verdict === verdict,
      );
      if (!isKnown && readings.length < READINGS_MAX) readings.push({ question, answer, verdict });
      if (verdict !== 'proved' && effect) add(`reading_${verdict}`, effect);
    },
    readings: () => readings,
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
