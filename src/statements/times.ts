import {
  type BrokerClock,
  type BrokerTimeMs,
  brokerDateMs,
  brokerTimeAt,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  utcAt,
} from '../domain/broker-time.ts';

export type DayMonthOrder = 'day-first' | 'month-first';

/** Facts of a file about its times. */
export type TimeFrame = {
  order?: DayMonthOrder | undefined;
  /**
   * Minutes ahead of UTC of times without a zone of their own; undefined for the broker's clock.
   */
  zoneMinutes?: number | undefined;
  /** IANA name of their zone, instead of zoneMinutes. */
  zone?: string | undefined;
  /** The broker's clock, for times of a known zone; without it they stay as written. */
  clock?: BrokerClock | undefined;
};

const CLOCK = String.raw`(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([AaPp])\.?[Mm]\.?)?)?`;
const ZONE = String.raw`(?: ?\(?((?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?|[A-Z]{1,4})\)?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})${CLOCK}${ZONE}$`);
const YEAR_LAST = new RegExp(
  String.raw`^(\d{1,2})[.\-/](\d{1,2})[.\-/](\d{4}|\d{2})${CLOCK}${ZONE}$`,
);
const MONTH_FIRST_NAMED = new RegExp(
  String.raw`^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})${CLOCK}${ZONE}$`,
);
const DAY_FIRST_NAMED = new RegExp(
  String.raw`^(\d{1,2})[ \-]([A-Za-z]{3,9})\.?[ \-,]+(\d{4})${CLOCK}${ZONE}$`,
);
const PACKED = /^((?:19|20)\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;
const NUMBER = /^\d{4,16}(?:\.\d+)?$/;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Minutes ahead of UTC of the zone names in exports. */
const ZONES = new Map([
  ...['Z', 'UTC', 'GMT'].map((name): [string, number] => [name, 0]),
  ...Object.entries({ EST: -300, EDT: -240, CST: -360, CDT: -300, MST: -420, MDT: -360 }),
  ...Object.entries({ PST: -480, PDT: -420, BST: 60, CET: 60, CEST: 120, EET: 120, EEST: 180 }),
]);

/**
 * Reads `2018.03.06 07:10[:00[.000]]`, also with `-`, `/` and ISO's `T`; dates whose year is last;
 * months by their English names; AM and PM; seconds or milliseconds since 1970; days of a workbook
 * (since 1900). A wall clock stays as written, unless it has a zone and the frame has the broker's
 * clock. Undefined for anything else.
 */
export function parseTime(text: string, frame: TimeFrame = {}): BrokerTimeMs | undefined {
  if (NUMBER.test(text) && !PACKED.test(text)) return fromNumber(Number(text));
  const written = writtenTime(text, frame.order ?? 'day-first');
  if (!written) return undefined;
  const zoneMinutes = written.zone === undefined ? frame.zoneMinutes : offsetOf(written.zone);
  if (written.zone !== undefined && zoneMinutes === undefined) return undefined;
  if (written.zone === undefined && frame.zone !== undefined && frame.clock)
    return brokerTimeAt(utcAt(written.timeMs, frame.zone), frame.clock);
  if (zoneMinutes === undefined || !frame.clock) return written.timeMs;
  return brokerTimeAt(written.timeMs - zoneMinutes * MINUTE_MS, frame.clock);
}

type Written = { timeMs: number; zone: string | undefined };

function writtenTime(text: string, order: DayMonthOrder): Written | undefined {
  const packed = PACKED.exec(text);
  if (packed) return compose(packed[1], packed[2], packed[3], packed.slice(4));
  const first = YEAR_FIRST.exec(text);
  if (first) return compose(first[1], first[2], first[3], first.slice(4));
  const last = YEAR_LAST.exec(text);
  if (last) {
    const [day, month] = order === 'day-first' ? [last[1], last[2]] : [last[2], last[1]];
    const year = last[3]?.length === 2 ? `20${last[3]}` : last[3];
    return compose(year, month, day, last.slice(4));
  }
  const monthNamed = MONTH_FIRST_NAMED.exec(text);
  if (monthNamed)
    return compose(monthNamed[3], monthOf(monthNamed[1]), monthNamed[2], monthNamed.slice(4));
  const dayNamed = DAY_FIRST_NAMED.exec(text);
  return dayNamed
    ? compose(dayNamed[3], monthOf(dayNamed[2]), dayNamed[1], dayNamed.slice(4))
    : undefined;
}

const monthOf = (name = ''): string => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);

function compose(
  yearText: string | undefined,
  monthText: string | undefined,
  dayText: string | undefined,
  rest: (string | undefined)[],
): Written | undefined {
  const [hourText, minuteText, secondText, fraction, half, zone] = rest;
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const hour = hourOf(Number(hourText ?? 0), half);
  const [minute, second] = [Number(minuteText ?? 0), Number(secondText ?? 0)];
  if (hour === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const dateMs = brokerDateMs(year, month, day);
  const date = new Date(dateMs);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const ms = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  return { timeMs: dateMs + hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + ms, zone };
}

/** The hour of the day: 12 AM is midnight, 12 PM is noon. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Minutes ahead of UTC of `Z`, `EST`, `+02:00`, `UTC-4`. */
export function offsetOf(zone: string): number | undefined {
  const named = ZONES.get(zone.toUpperCase());
  if (named !== undefined) return named;
  const match = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(zone);
  if (!match) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}

/** A workbook counts days from 1899-12-30 (ECMA-376 18.17.4.1). */
const WORKBOOK_EPOCH_DAYS = 25_569;

/**
 * Days of the years 1954 to 2119, seconds since 1973, milliseconds since 1973: distinguished by
 * size.
 */
function fromNumber(value: number): BrokerTimeMs | undefined {
  if (value >= 20_000 && value < 80_000)
    return Math.round((value - WORKBOOK_EPOCH_DAYS) * (DAY_MS / 1000)) * 1000;
  if (value >= 1e8 && value < 1e11) return Math.round(value * 1000);
  return value >= 1e11 && value < 1e14 ? Math.round(value) : undefined;
}

/** Whether dates with the year last have the day or the month first; undefined if none decides. */
export function dayMonthOrderOf(texts: Iterable<string>): DayMonthOrder | 'undecided' | undefined {
  let isSeen = false;
  for (const text of texts) {
    const match = YEAR_LAST.exec(text);
    if (!match) continue;
    isSeen = true;
    if (Number(match[1]) > 12) return 'day-first';
    if (Number(match[2]) > 12) return 'month-first';
    if (text.includes('.') && /^\d+\.\d+\.\d/.test(text)) return 'day-first';
  }
  return isSeen ? 'undecided' : undefined;
}

const REPORT_TIME = /^(\d{4})[.\-/](\d{2})[.\-/](\d{2})(?: (\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** A time in the form of the terminals' reports; other forms as well. */
export function parseReportTime(text: string): BrokerTimeMs | undefined {
  const match = REPORT_TIME.exec(text);
  return match
    ? compose(match[1], match[2], match[3], [match[4], match[5], match[6]])?.timeMs
    : parseTime(text);
}

export const isReportTime = (text: string): boolean => /^\d{4}[.\-/]\d{2}[.\-/]\d{2}/.test(text);
