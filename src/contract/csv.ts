/**
 * Tables as spreadsheets take them without being asked: RFC 4180 in UTF-8 with its mark, numbers
 * and separators as a language writes them, times without milliseconds.
 */

/** How a language writes a table: beside decimal commas, semicolons part the cells. */
export type CsvStyle = { decimal: string; separator: string };

/** At the beginning of a file; without it spreadsheets take UTF-8 for something older. */
export const CSV_MARK = '\uFEFF';

/** The style of a language tag such as de-DE; that of English for one that nobody knows. */
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
  // What a spreadsheet would take for a formula is led by an apostrophe.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  // Some spreadsheets part the cells at all of these, whatever the language.
  const mustQuote = /[",;\t\r\n]/.test(safe);
  return mustQuote ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Without an exponent, which not every spreadsheet reads. */
function plainNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Math.abs(value) < 1 ? value.toFixed(MOST_DIGITS).replace(/0+$/, '') : value.toFixed(0);
}
