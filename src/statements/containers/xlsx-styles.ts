import type { MarkupSink } from './markup.ts';

/**
 * Formats of dates and times that need no definition (ECMA-376 18.8.30), those of East Asia too.
 */
const isBuiltIn = (id: number): boolean =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  (id >= 45 && id <= 47) ||
  (id >= 50 && id <= 58);

/** A date format contains their letters outside of quoted text, colours and conditions. */
const isDateFormat = (code: string): boolean =>
  /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, ''));

const STYLES_MAX = 100_000;

/** Collects which styles of cells show a number as a date; `styles` has one flag for each style. */
export function dateStyles(styles: boolean[]): MarkupSink {
  const formats = new Set<number>();
  let isCells = false;
  return {
    open(name, attribute) {
      if (name === 'cellXfs') isCells = true;
      else if (name === 'numFmt') {
        if (isDateFormat(attribute('formatCode') ?? '')) formats.add(Number(attribute('numFmtId')));
      } else if (name === 'xf' && isCells && styles.length < STYLES_MAX) {
        const id = Number(attribute('numFmtId') ?? 0);
        styles.push(isBuiltIn(id) || formats.has(id));
      }
    },
    text() {},
    close(name) {
      if (name === 'cellXfs') isCells = false;
    },
  };
}

/** Days between 1899-12-30 and 1970, and the later start of 1904 workbooks. */
const EPOCH_DAYS = 25_569;
export const DAYS_OF_1904 = 1_462;
const DAY_MS = 86_400_000;

/** A day number in the form of report times; times of day and odd values stay unchanged. */
export function printedDay(text: string, laterDays: number): string {
  const days = Number(text) + laterDays;
  if (!(days >= 1 && days < 2_958_466)) return text;
  // Days as doubles are exact to a few microseconds.
  const ms = Math.round((days - EPOCH_DAYS) * DAY_MS);
  const [date = '', time = ''] = new Date(ms).toISOString().slice(0, -1).split('T');
  const plain = time.endsWith('.000') ? time.slice(0, -4) : time;
  return `${date.replaceAll('-', '.')} ${plain}`;
}
