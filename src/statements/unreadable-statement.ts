/**
 * The file is none of the known reports, or broke off. Says what was expected, and where it broke.
 */
export class UnreadableStatement extends Error {
  readonly expected: string;
  /** Line, row, sheet, entry or record; "the file" when it is not one place. */
  readonly where: string;

  constructor(expected: string, where: string) {
    super(`Expected ${expected}; ${where}`);
    this.name = 'UnreadableStatement';
    this.expected = expected;
    this.where = where;
  }
}
