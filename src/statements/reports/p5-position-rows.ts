import { type Deal, levelOf } from '../../domain/deal.ts';
import type { ListedPosition } from '../matching/matching.ts';
import { type NumberStyle, parseMoney, parseNumber, parseVolume } from '../numbers.ts';
import { cellAt, type Row, rowText } from '../rows.ts';
import type { OpenPosition } from '../statement.ts';
import { isReportTime, parseReportTime } from '../times.ts';
import type { Warnings } from '../warnings.ts';
import type { ReportTable } from './report-tables.ts';

export type TableContext = {
  table: ReportTable;
  style: NumberStyle;
  moneyDigits: number;
  /** For positions without a listed open time. */
  madeTimeMs: number;
  warnings: Warnings;
};

const SIDES = new Map<string, 'DEAL_TYPE_BUY' | 'DEAL_TYPE_SELL'>([
  ['buy', 'DEAL_TYPE_BUY'],
  ['sell', 'DEAL_TYPE_SELL'],
]);

/**
 * Time, position, symbol, type, volume, price, S/L, T/P, time, price, commission, [fee,] swap,
 * profit. The volume of a partly closed position reads `0.01 / 0.04`: closed and opened.
 */
export function readClosedPosition(row: Row, context: TableContext): ListedPosition | undefined {
  const { table, style, moneyDigits } = context;
  const at = (ordinal: number) => cellAt(row, table.columns[ordinal]);
  const count = table.columns.length;
  const side = SIDES.get(at(3));
  const volume = parseVolume(at(4), style);
  const openTimeMs = parseReportTime(at(0));
  const openPrice = parseNumber(at(5), style);
  const closeTimeMs = parseReportTime(at(8));
  const closePrice = parseNumber(at(9), style);
  const swap = parseMoney(at(count - 2), style, moneyDigits);
  const profit = parseMoney(at(count - 1), style, moneyDigits);
  if (
    !side ||
    volume === undefined ||
    openTimeMs === undefined ||
    openPrice === undefined ||
    closeTimeMs === undefined
  ) {
    context.warnings.row(row.line, 'it is not a readable position', rowText(row));
    return undefined;
  }
  return {
    ...{ id: at(1), symbol: at(2), side, volume, openTimeMs, openPrice, closeTimeMs, closePrice },
    ...{ profit: profit ?? 0, swap: swap ?? 0 },
    stopLoss: levelOf(parseNumber(at(6), style)),
    takeProfit: levelOf(parseNumber(at(7), style)),
  };
}

/** The stop and the target that an order was placed with; absent ones are not stated. */
export type OrderLevels = Pick<Deal, 'stopLoss' | 'takeProfit'>;

/** Time, order, symbol, type, volume, price, S/L, T/P, time, state; only of a row with a level. */
export function readOrderLevels(
  row: Row,
  { table, style }: TableContext,
): [order: string, OrderLevels] | undefined {
  const at = (ordinal: number) => cellAt(row, table.columns[ordinal]);
  const level = (ordinal: number) => levelOf(parseNumber(at(ordinal), style));
  const levels = { stopLoss: level(6), takeProfit: level(7) };
  const isPlaced = isReportTime(at(0)) && (levels.stopLoss ?? levels.takeProfit) !== undefined;
  return isPlaced ? [at(1), levels] : undefined;
}

/**
 * Time, position and symbol in some order (no position in 2011), then type, volume, price, S/L,
 * T/P, market price, swap, profit, comment.
 */
export function readOpenPosition(row: Row, context: TableContext): OpenPosition | undefined {
  const { table, style, moneyDigits } = context;
  const texts = table.columns.map((column) => cellAt(row, column));
  const typeAt = texts.findIndex((text) => SIDES.has(text));
  const before = texts.slice(0, typeAt);
  const after = texts.slice(typeAt + 1);
  const type = SIDES.get(texts[typeAt] ?? '');
  const openTimeMs = before.map(parseReportTime).find((timeMs) => timeMs !== undefined);
  const [id, ...symbols] = before
    .filter((text) => text !== '' && !isReportTime(text))
    .sort((a, b) => Number(/^\d+$/.test(b)) - Number(/^\d+$/.test(a)));
  const volume = parseVolume(after[0] ?? '', style);
  const openPrice = parseNumber(after[1] ?? '', style);
  const swap = parseMoney(after[5] ?? '', style, moneyDigits);
  const profit = parseMoney(after[6] ?? '', style, moneyDigits);
  if (
    !type ||
    id === undefined ||
    volume === undefined ||
    openPrice === undefined ||
    swap === undefined ||
    profit === undefined
  ) {
    context.warnings.row(row.line, 'it is not a readable open position', rowText(row));
    return undefined;
  }
  return {
    ...{ positionId: id, symbol: symbols[0] ?? id, type, volume, openPrice },
    openTimeMs: openTimeMs ?? context.madeTimeMs,
    currentPrice: parseNumber(after[4] ?? '', style),
    ...{ profit, swap, commission: 0 },
    comment: after[7] || undefined,
  };
}
