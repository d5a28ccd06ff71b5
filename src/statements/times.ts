import { type BrokerTimeMs, parseBrokerTime } from '../domain/broker-time.ts';

const YEAR_FIRST =
  /^(\d{4})[.\-/](\d{2})[.\-/](\d{2})(?:[ T]+(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6}))?)?)?Z?$/;
const YEAR_LAST =
  /^(\d{1,2})[.\-/](\d{1,2})[.\-/](\d{4})(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6}))?)?)?$/;

export type DayMonthOrder = 'day-first' | 'month-first';

/**
 * Reads `2018.03.06 07:10[:00[.000]]`, also with `-`, `/` and ISO's `T`, and dates whose year is last
 * in the given order. A wall clock stays as it is written. Undefined for anything else.
 */
export function parseReportTime(
  text: string,
  order: DayMonthOrder = 'day-first',
): BrokerTimeMs | undefined {
  const first = YEAR_FIRST.exec(text);
  if (first) return compose(first[1], first[2], first[3], first.slice(4));
  const last = YEAR_LAST.exec(text);
  if (!last) return undefined;
  const [day, month] = order === 'day-first' ? [last[1], last[2]] : [last[2], last[1]];
  return compose(last[3], month, day, last.slice(4));
}

function compose(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  clock: (string | undefined)[],
): BrokerTimeMs | undefined {
  const two = (part: string | undefined) => (part ?? '00').padStart(2, '0');
  const [hour, minute, second, fraction] = clock;
  const ms = (fraction ?? '').slice(0, 3).padEnd(3, '0');
  const date = `${year}-${two(month)}-${two(day)}`;
  return parseBrokerTime(`${date} ${two(hour)}:${two(minute)}:${two(second)}.${ms}`);
}

/** Whether dates with the year last have the day or the month first; undefined when none decides. */
export function dayMonthOrderOf(texts: Iterable<string>): DayMonthOrder | 'undecided' | undefined {
  let seen = false;
  for (const text of texts) {
    const match = YEAR_LAST.exec(text);
    if (!match) continue;
    seen = true;
    if (Number(match[1]) > 12) return 'day-first';
    if (Number(match[2]) > 12) return 'month-first';
    if (text.includes('.')) return 'day-first';
  }
  return seen ? 'undecided' : undefined;
}

export const isReportTime = (text: string): boolean => /^\d{4}[.\-/]\d{2}[.\-/]\d{2}/.test(text);
