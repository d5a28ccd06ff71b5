import { dealEntryOf, dealTypeOf } from '../deal-words.ts';
import { isReportTime } from '../times.ts';

export type TableKind =
  | 'p4-closed'
  | 'p4-open'
  | 'p4-working'
  | 'p4-tester'
  | 'p5-positions'
  | 'p5-orders'
  | 'p5-deals'
  | 'p5-open'
  | 'p5-trade';

/** The most headings of p4's tables; brokers' exports have more columns. */
const P4_HEADINGS_MAX = 14;

const isSide = (text: string): boolean => /^(?:buy|sell)$/i.test(text);
const isNumber = (text: string): boolean => /^[-+]?[\d.,'’\s\u00a0]*\d$/.test(text);
const isTicket = (text: string): boolean => /^\d+$/.test(text);

/**
 * The kind of a table, by the types of its first row's cells: words differ by language and broker,
 * types do not. Undefined if the row begins no table of a terminal.
 * @param cells by the table's headings
 */
export function shapeOf(cells: readonly string[]): TableKind | undefined {
  const at = (ordinal: number): string => cells[ordinal] ?? '';
  if (isTicket(at(0)) && isReportTime(at(1))) return p4Shape(at, cells.length);
  if (isReportTime(at(0))) return timedShape(at);
  if (at(0) === '') return undefined;
  if (isReportTime(at(2))) return isSide(at(3)) ? 'p5-trade' : 'p5-orders';
  return isSide(at(1)) || isSide(at(2)) ? 'p5-open' : undefined;
}

type Cell = (ordinal: number) => string;

/**
 * Ticket, time, type, then size and symbol; the tester's events have their order and size there.
 */
function p4Shape(at: Cell, headings: number): TableKind | undefined {
  if (headings > P4_HEADINGS_MAX) return undefined;
  if (isTicket(at(3)) && isNumber(at(4))) return 'p4-tester';
  const isPending = / (?:limit|stop)$/i.test(at(2));
  if (isReportTime(at(8)) || !(isPending || isSide(at(2)))) return 'p4-closed';
  return isPending ? 'p4-working' : 'p4-open';
}

/**
 * Time, number, symbol, type; then a position has its closing where an order has its execution and
 * a deal its charges.
 */
function timedShape(at: Cell): TableKind | undefined {
  if (isReportTime(at(8))) return isNumber(at(9)) && isSide(at(3)) ? 'p5-positions' : 'p5-orders';
  if (dealEntryOf(at(4)) !== undefined) return 'p5-deals';
  if (isSide(at(3))) return isNumber(at(4)) ? 'p5-open' : 'p5-deals';
  if (isSide(at(1)) || isSide(at(2))) return 'p5-open';
  if (dealTypeOf(at(3)) !== undefined) return 'p5-deals';
  return / (?:limit|stop)$/i.test(at(3)) ? 'p5-orders' : undefined;
}
