/**
 * Tables that spreadsheets open without questions: RFC 4180 in UTF-8 with a byte order mark,
 * numbers and separators as usual in a language, times without milliseconds.
 */

/** How a language writes a table: with decimal commas, semicolons separate the cells. */
export type CsvStyle = { decimal: string; separator: string };

/** At the beginning of a file; without it, spreadsheets assume an older encoding. */
export const CSV_MARK = '\uFEFF';

/** The style of a language tag such as de-DE; English for an unknown one. */
export function csvStyleOf(language: string): CsvStyle {
  const parts = new Intl.NumberFormat([language, 'en'], {
    numberingSystem: 'latn',
  }).formatToParts(1.5);
  const isComma = parts.some(({ type, value }) => type === 'decimal' && value === ',');
  return isComma ? { decimal: ',', separator: ';' } : { decimal: '.', separator: ',' };
}

export type Cell = string | number | boolean | undefined;

export const csvLine = (cells: readonly Cell[], style: CsvStyle): string =>
  `${cells.map((cell) => cellOf(cell, style)).join(style.separator)}\r\n`;

const TIME = /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\.\d{3}$/;
/** More digits than a double has. */
const MOST_DIGITS = 15;

function cellOf(value: Cell, { decimal }: CsvStyle): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return plainNumber(value).replace('.', decimal);
  const text = String(value).replace(TIME, '$1');
  // Cells that a spreadsheet would take for a formula get an apostrophe first.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  // Some spreadsheets separate cells at all of these, whatever the language.
  const mustQuote = /[",;\t\r\n]/.test(safe);
  return mustQuote ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Without an exponent, which some spreadsheets cannot read. */
function plainNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Math.abs(value) < 1 ? value.toFixed(MOST_DIGITS).replace(/0+$/, '') : value.toFixed(0);
}
