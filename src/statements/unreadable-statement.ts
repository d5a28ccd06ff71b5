import type { TableSample } from './flat/table-sample.ts';

/**
 * The file is none of the known reports, or broke off. Says what was expected, and where it broke.
 */
export class UnreadableStatement extends Error {
  readonly expected: string;
  /** Line, row, sheet, entry or record; "the file" when it is not one place. */
  readonly where: string;
  /** A table that nobody knows, for its user to explain. */
  readonly table: TableSample | undefined;

  constructor(expected: string, where: string, table?: TableSample) {
    super(`Expected ${expected}; ${where}`);
    this.name = 'UnreadableStatement';
    this.expected = expected;
    this.where = where;
    this.table = table;
  }
}
