import { type NumberStyle, parseMoney, parseNumber, parseVolume } from './numbers.ts';
import type { ListedPosition } from './position-matching.ts';
import type { ReportTable } from './report-tables.ts';
import { cellAt, type Row, rowText } from './rows.ts';
import type { OpenPosition } from './statement.ts';
import { parseReportTime } from './times.ts';
import type { Warnings } from './warnings.ts';

export type TableContext = {
  table: ReportTable;
  style: NumberStyle;
  moneyDigits: number;
  warnings: Warnings;
};

const SIDES = new Map<string, 'DEAL_TYPE_BUY' | 'DEAL_TYPE_SELL'>([
  ['buy', 'DEAL_TYPE_BUY'],
  ['sell', 'DEAL_TYPE_SELL'],
]);

/** Time, position, symbol, type, volume, price, S/L, T/P, time, price, commission, [fee,] swap, profit. */
export function readClosedPosition(row: Row, context: TableContext): ListedPosition | undefined {
  const { table, style, moneyDigits } = context;
  const at = (ordinal: number) => cellAt(row, table.columns[ordinal]);
  const count = table.columns.length;
  const side = SIDES.get(at(3));
  const volume = parseVolume(at(4), style);
  const openTimeMs = parseReportTime(at(0));
  const closeTimeMs = parseReportTime(at(8));
  const closePrice = parseNumber(at(9), style);
  const swap = parseMoney(at(count - 2), style, moneyDigits);
  const profit = parseMoney(at(count - 1), style, moneyDigits);
  if (!side || volume === undefined || openTimeMs === undefined || closeTimeMs === undefined) {
    context.warnings.row(row.line, 'it is no readable position', rowText(row));
    return undefined;
  }
  return {
    ...{ id: at(1), symbol: at(2), side, volume, openTimeMs, closeTimeMs, closePrice },
    ...{ profit: profit ?? 0, swap: swap ?? 0 },
  };
}

/** As above up to T/P, then market price, swap, profit, comment; trade reports begin with the symbol. */
export function readOpenPosition(row: Row, context: TableContext): OpenPosition | undefined {
  const { table, style, moneyDigits } = context;
  const at = (ordinal: number) => cellAt(row, table.columns[ordinal]);
  const [timeAt, symbolAt] = table.kind === 'p5-trade' ? [2, 0] : [0, 2];
  const type = SIDES.get(at(3));
  const volume = parseVolume(at(4), style);
  const openPrice = parseNumber(at(5), style);
  const openTimeMs = parseReportTime(at(timeAt));
  const swap = parseMoney(at(9), style, moneyDigits);
  const profit = parseMoney(at(10), style, moneyDigits);
  if (
    !type ||
    volume === undefined ||
    openPrice === undefined ||
    openTimeMs === undefined ||
    swap === undefined ||
    profit === undefined
  ) {
    context.warnings.row(row.line, 'it is no readable open position', rowText(row));
    return undefined;
  }
  return {
    ...{ positionId: at(1), symbol: at(symbolAt), type, volume, openTimeMs, openPrice },
    currentPrice: parseNumber(at(8), style),
    ...{ profit, swap, commission: 0 },
    comment: at(11) || undefined,
  };
}
