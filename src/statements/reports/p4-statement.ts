import { type Deal, levelOf } from '../../domain/deal.ts';
import { dealTypeOf, kindOfDeal } from '../deal-words.ts';
import { finishStatement } from '../finish.ts';
import { digitsOf, type NumberStyle, parseMoney, parseNumber, parseVolume } from '../numbers.ts';
import { cellAt, type Row, rowText } from '../rows.ts';
import type { OpenPosition, Statement } from '../statement.ts';
import { parseReportTime } from '../times.ts';
import { createWarnings, type Warnings } from '../warnings.ts';
import { readP4Head } from './p4-statement-head.ts';
import { type ReportTable, type ReportTables, styleOfTable } from './report-tables.ts';

type Context = { style: NumberStyle; moneyDigits: number; warnings: Warnings };

const PENDING = /^(?:buy|sell) (?:limit|stop)$/;

/**
 * The p4 terminal's Statement and DetailedStatement. A closed ticket becomes two deals; only the
 * closing one carries money. Cancelled pending orders are left out.
 */
export function readP4Statement(report: ReportTables, moneyDigits: number): Statement {
  const warnings = createWarnings();
  const deals: Deal[] = [];
  const openPositions: OpenPosition[] = [];
  for (const row of report.odd) warnings.row(row.line, 'it belongs to no table', rowText(row));
  for (const table of report.tables) {
    if (table.kind !== 'p4-closed' && table.kind !== 'p4-open') continue;
    const context = { style: styleOfTable(table), moneyDigits, warnings };
    for (const row of table.rows) {
      const why =
        table.kind === 'p4-open'
          ? readOpen(row, table, context, openPositions)
          : readClosed(row, table, context, deals);
      if (why) warnings.row(row.line, why, rowText(row));
    }
  }
  const stated = { ...readP4Head(report, moneyDigits), openPositions: openPositions.length };
  if (stated.currency === undefined && stated.login === undefined)
    warnings.add(
      'head_missing',
      'The row that names the account is missing: the account was not checked',
    );
  return finishStatement(
    { kind: 'p4-statement', platform: 'p4', language: 'en', stated, deals, openPositions },
    warnings,
    moneyDigits,
  );
}

/** Money columns of a table: taxes are missing in old builds. */
function moneyOfRow(row: Row, table: ReportTable, context: Context) {
  const count = table.columns.length;
  const commissionAt = table.kind === 'p4-closed' ? 10 : 9;
  const money = (ordinal: number) =>
    parseMoney(cellAt(row, table.columns[ordinal]), context.style, context.moneyDigits);
  const hasTaxes = count - commissionAt === 4;
  const commission = money(commissionAt);
  const fee = hasTaxes ? money(commissionAt + 1) : 0;
  const swap = money(count - 2);
  const profit = cellAt(row, table.columns[count - 1]) === '' ? undefined : money(count - 1);
  if (commission === undefined || fee === undefined || swap === undefined || profit === undefined)
    return undefined;
  return { commission, fee, swap, profit };
}

/** Takes a closed ticket or a balance operation; returns why not, if it can't. */
function readClosed(
  row: Row,
  table: ReportTable,
  context: Context,
  deals: Deal[],
): string | undefined {
  const at = (ordinal: number) => cellAt(row, table.columns[ordinal]);
  const type = at(2).toLowerCase();
  if (PENDING.test(type)) return undefined;
  const id = at(0);
  const openTimeMs = parseReportTime(at(1));
  if (openTimeMs === undefined) return 'its open time is unreadable';
  if (type !== 'buy' && type !== 'sell') {
    // A row with a size is a trade whose side is damaged.
    if (!dealTypeOf(type) && parseVolume(at(3), context.style))
      return `"${at(2)}" is not a known type`;
    const profit = parseMoney(row.cells.at(-1) ?? '', context.style, context.moneyDigits);
    if (profit === undefined || row.cells.at(-1) === '' || type === '')
      return 'its type or amount is unreadable';
    const told = row.title || at(3) || undefined;
    deals.push({
      id,
      volume: 0,
      ...{ profit, swap: 0, commission: 0, fee: 0 },
      timeMs: openTimeMs,
      ...kindOfDeal(type, told, row.line, context.warnings),
    });
    return undefined;
  }
  const money = moneyOfRow(row, table, context);
  const volume = parseVolume(at(3), context.style);
  const openPrice = parseNumber(at(5), context.style);
  const closePrice = parseNumber(at(9), context.style);
  const timeMs = parseReportTime(at(8));
  if (!money) return 'its commission, swap or profit is unreadable';
  if (volume === undefined || openPrice === undefined || closePrice === undefined)
    return 'its size or price is unreadable';
  if (timeMs === undefined) return 'its close time is unreadable';
  const digits = digitsOf(at(9), context.style);
  const level = (ordinal: number) => levelOf(parseNumber(at(ordinal), context.style));
  const common = {
    ...{ positionId: id, symbol: at(4), volume, digits, ...markOf(row) },
    ...{ stopLoss: level(6), takeProfit: level(7) },
  };
  deals.push({
    ...common,
    id: `${id}-in`,
    type: type === 'buy' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
    entry: 'DEAL_ENTRY_IN',
    price: openPrice,
    ...{ profit: 0, swap: 0, commission: 0, fee: 0 },
    timeMs: openTimeMs,
  });
  deals.push({
    ...common,
    id: `${id}-out`,
    type: type === 'buy' ? 'DEAL_TYPE_SELL' : 'DEAL_TYPE_BUY',
    entry: 'DEAL_ENTRY_OUT',
    price: closePrice,
    positionPrice: openPrice,
    ...money,
    timeMs,
  });
  return undefined;
}

/** Detailed statements write the magic number before the comment: `#30001 Breakout`. */
function markOf({ title = '' }: Row): Pick<Deal, 'magic' | 'comment'> {
  const [, number, comment] = /^#(\d{1,10})(?:\s+(.*))?$/s.exec(title) ?? [];
  if (number === undefined) return { comment: title || undefined };
  return { magic: Number(number), comment: comment || undefined };
}

function readOpen(
  row: Row,
  table: ReportTable,
  context: Context,
  open: OpenPosition[],
): string | undefined {
  const at = (ordinal: number) => cellAt(row, table.columns[ordinal]);
  const type = at(2).toLowerCase();
  if (PENDING.test(type)) return undefined;
  const money = moneyOfRow(row, table, context);
  const openTimeMs = parseReportTime(at(1));
  const volume = parseVolume(at(3), context.style);
  const openPrice = parseNumber(at(5), context.style);
  if (
    (type !== 'buy' && type !== 'sell') ||
    !money ||
    openTimeMs === undefined ||
    volume === undefined ||
    openPrice === undefined
  )
    return 'it is not a readable open trade';
  open.push({
    positionId: at(0),
    type: type === 'buy' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
    symbol: at(4),
    ...{ volume, openTimeMs, openPrice },
    currentPrice: parseNumber(at(8), context.style),
    ...{ profit: money.profit, swap: money.swap, commission: money.commission + money.fee },
    comment: markOf(row).comment,
  });
  return undefined;
}
