import type { TableSample } from './flat/table-sample.ts';

/**
 * The file is none of the known reports, or is cut off. Says what was expected, and where it
 * failed.
 */
export class UnreadableStatement extends Error {
  readonly expected: string;
  /** Line, row, sheet, entry or record; "the file" if it is not one place. */
  readonly where: string;
  /** An unknown table, for its user to explain. */
  readonly table: TableSample | undefined;

  constructor(expected: string, where: string, table?: TableSample) {
    super(`Expected ${expected}; ${where}`);
    this.name = 'UnreadableStatement';
    this.expected = expected;
    this.where = where;
    this.table = table;
  }
}
