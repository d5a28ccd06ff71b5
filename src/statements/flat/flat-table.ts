import type { Money } from '../../domain/money.ts';
import {
  bareAmount,
  type NumberStyle,
  numberStyleOf,
  parseMoney,
  parseNumber,
} from '../numbers.ts';
import { judge, type Verdict } from '../readings.ts';
import { cellAt, type Row } from '../rows.ts';
import { type DayMonthOrder, dayMonthOrderOf, parseTime } from '../times.ts';
import { type ColumnName, type Columns, hasColumns } from './columns.ts';

export type FlatKind = 'closed-trades' | 'deals' | 'list-of-trades' | 'open-trades';

/** A table whose first row names its columns. */
export type FlatTable = {
  kind: FlatKind;
  columns: Columns;
  line: number;
  rows: Row[];
  /** Its cells are separated by another mark, so that commas may be decimal marks. */
  usesComma?: boolean | undefined;
};

/** The kind of a table with these headings; undefined for a useless one. */
export function tableKindOf(columns: Columns): FlatKind | undefined {
  const has = (...names: ColumnName[]) => hasColumns(columns, ...names);
  const isPaid = has('profit') || has('netProfit') || has('result');
  if (has('tradeNumber', 'type', 'time', 'price') && isPaid) return 'list-of-trades';
  if (has('side', 'volume', 'closeTime') && isPaid) return 'closed-trades';
  if (has('id', 'type', 'time', 'volume', 'price') && isPaid)
    return has('entry') || has('positionId') ? 'deals' : undefined;
  if (has('side', 'volume', 'openTime', 'openPrice')) return 'open-trades';
  return undefined;
}

/** Whether it lists orders, which hold no results. */
export function isOrderList(columns: Columns): boolean {
  const has = (...names: ColumnName[]) => hasColumns(columns, ...names);
  const isSetUp = columns.headings.some(({ word }) => word === 'time setup');
  const isSized = has('volume') && (has('status') || has('order'));
  return !has('profit') && has('type') && (isSetUp || isSized);
}

/** The cells of a flat table by field. */
export type Cells = {
  at(row: Row, name: ColumnName): string;
  /** Units of 10^-moneyDigits; 0 for an empty cell, undefined if it is no amount. */
  money(row: Row, name: ColumnName, moneyDigits: number): Money | undefined;
  place(name: ColumnName): number | undefined;
  has(name: ColumnName): boolean;
  heading(name: ColumnName): Columns['headings'][number] | undefined;
  /** Heading and index of unknown columns. */
  unknown: readonly { heading: string; place: number }[];
  style: NumberStyle;
  /** Absent if the amounts show the decimal mark. */
  styleVerdict: 'proved' | 'assumed';
  /** Absent if no date needs it. */
  dayMonth: { answer: DayMonthOrder; verdict: Verdict } | undefined;
};

/** Rows that show a column's contents. */
const SAMPLE_ROWS = 500;
const STYLE_COLUMNS: readonly ColumnName[] = [
  ...(['profit', 'netProfit', 'result', 'openPrice', 'closePrice', 'price', 'volume'] as const),
  ...(['commission', 'swap'] as const),
];

/** Of columns for the same field, the one with fitting contents is taken. */
const CONTENTS: Partial<Record<ColumnName, (text: string) => boolean>> = {
  side: (text) => sideOfWord(text) !== undefined,
  entry: (text) => /^(?:in|out|in\/out|inout|out by|[0-3]|DEAL_ENTRY_\w+)$/i.test(text),
  timeMs: (text) => /^\d{12,14}$/.test(text),
};

const isEntryWord = (text: string): boolean => /^(?:in|out|in\/out|DEAL_ENTRY_\w+)$/i.test(text);

/** Journals separate the date from the time of day. */
const TIMES = ['time', 'openTime', 'closeTime'] as const;
const TIME_OF_DAY = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AP]M)?$/i;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})$/;

/** A value that a row may have in any of several columns. */
const ALTERNATIVES = new Set<ColumnName>(['id', 'ticket', 'time', 'openTime', 'closeTime']);

export function cellsOf({
  columns,
  rows,
  usesComma = false,
}: Pick<FlatTable, 'columns' | 'rows' | 'usesComma'>): Cells {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const holds = (place: number, test: (text: string) => boolean) =>
    sample.some((row) => test(cellAt(row, place)));
  const places = new Map<ColumnName, readonly number[]>();
  for (const [name, found] of Object.entries(columns.places) as [ColumnName, number[]][]) {
    const test = CONTENTS[name];
    const first = test ? found.find((each) => holds(each, test)) : found[0];
    if (first !== undefined) places.set(name, ALTERNATIVES.has(name) ? found : [first]);
  }
  const entry = columns.unknown.find(
    (place) =>
      holds(place, isEntryWord) && !holds(place, (text) => text !== '' && !isEntryWord(text)),
  );
  if (entry !== undefined && !places.has('entry')) places.set('entry', [entry]);
  const parted = new Map<ColumnName, { date: number; time: number }>(
    TIMES.flatMap((name) => {
      const found = places.get(name) ?? [];
      const [time, date] = [TIME_OF_DAY, DATE].map((form) =>
        found.find((place) => holds(place, (text) => form.test(text))),
      );
      return time === undefined || date === undefined ? [] : [[name, { time, date }] as const];
    }),
  );
  const at = (row: Row, name: ColumnName): string => {
    const parts = parted.get(name);
    if (parts) return `${cellAt(row, parts.date)} ${cellAt(row, parts.time)}`.trim();
    const filled = places.get(name)?.find((place) => cellAt(row, place) !== '');
    return cellAt(row, filled);
  };
  const textsOf = (name: ColumnName) => rows.map((row) => at(row, name));
  const known = STYLE_COLUMNS.map((name) => numberStyleOf(textsOf(name).map(bareAmount)));
  const shown = known.find((each) => each !== undefined);
  const isOpen =
    shown === undefined && STYLE_COLUMNS.some((name) => textsOf(name).some(hasThousandth));
  // Files whose separator is not the comma use the comma as decimal mark.
  const style = shown ?? (isOpen && usesComma ? 'comma' : 'point');
  const times = (['closeTime', 'openTime', 'time'] as const).filter((name) => places.has(name));
  const unknown = columns.unknown.map((place) => ({
    heading: columns.headings[place]?.text ?? '',
    place,
  }));
  const place = (name: ColumnName) => places.get(name)?.[0];
  const heading = (name: ColumnName) => columns.headings[place(name) ?? -1];
  return {
    at,
    place,
    heading,
    money: (row, name, moneyDigits) => {
      const amount = parseMoney(at(row, name), style, moneyDigits);
      return heading(name)?.sign === 'turned' && amount ? -amount : amount;
    },
    has: (name) => places.has(name),
    unknown: unknown.filter(({ heading }) => heading !== ''),
    style,
    styleVerdict: isOpen ? 'assumed' : 'proved',
    dayMonth: dateOrderOf(times.map(textsOf)),
  };
}

/** `1,234`: one thousand two hundred and thirty-four, or a little more than one. */
const hasThousandth = (text: string): boolean => /^[^,.]*\d,\d{3}(?!\d)[^,.]*$/.test(text);

/**
 * Day or month first, by the dates themselves, or else by the order of the rows and within each
 * trade.
 */
function dateOrderOf(columns: readonly (readonly string[])[]): Cells['dayMonth'] {
  const shown = dayMonthOrderOf(columns.flat());
  if (shown !== 'undecided') return shown && { answer: shown, verdict: 'proved' };
  const orders = ['day-first', 'month-first'] as const;
  const timesBy = (order: DayMonthOrder) =>
    columns.map((texts) => texts.map((text) => parseTime(text, { order }) ?? 0));
  const only = (isFit: (times: number[][]) => boolean) => () => {
    const fitting = orders.filter((order) => isFit(timesBy(order)));
    return fitting.length === 1 ? fitting[0] : undefined;
  };
  // Journals that write slashes are American.
  return judge<DayMonthOrder>([only(opensFirst), only(isSorted)], 'month-first');
}

const ROWS_SORTED_MIN = 3;

const opensFirst = ([closes = [], opens = []]: number[][]): boolean =>
  closes.every((closeMs, row) => (opens[row] ?? 0) <= closeMs);

/** Some column ascends or descends through all rows. */
const isSorted = (columns: number[][]): boolean =>
  columns.some(
    (times) =>
      times.length >= ROWS_SORTED_MIN &&
      (times.every((timeMs, row) => row === 0 || (times[row - 1] ?? 0) <= timeMs) ||
        times.every((timeMs, row) => row === 0 || (times[row - 1] ?? 0) >= timeMs)),
  );

/** Unknown columns that hold a number other than 0 somewhere. */
export const numericUnknown = ({ unknown, style }: Cells, rows: readonly Row[]): string[] =>
  unknown
    .filter(({ place }) => rows.some((row) => Boolean(numberIn(cellAt(row, place), style))))
    .map(({ heading }) => heading);

const numberIn = (text: string, style: NumberStyle): number | undefined =>
  parseNumber(bareAmount(text), style);

/** The side of a trade by the words of terminals and journals, or p4's number of it. */
export function sideOfWord(text: string): 'buy' | 'sell' | undefined {
  if (/^(?:buy|long|b|0|DEAL_TYPE_BUY)$/i.test(text)) return 'buy';
  return /^(?:sell|short|s|1|DEAL_TYPE_SELL)$/i.test(text) ? 'sell' : undefined;
}
