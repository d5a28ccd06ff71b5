import { type Deal, levelOf } from '../../domain/deal.ts';
import { fromUnits, type Money, toUnits, type Volume } from '../../domain/money.ts';
import { finishStatement } from '../finish.ts';
import { digitsOf, type NumberStyle, parseMoney, parseNumber, parseVolume } from '../numbers.ts';
import { cellAt, type Row, rowText } from '../rows.ts';
import type { OpenPosition, Statement } from '../statement.ts';
import { parseReportTime } from '../times.ts';
import { createWarnings, type Warnings } from '../warnings.ts';
import { languageOf } from './language.ts';
import { readTesterHead, testerSymbol } from './p4-tester-head.ts';
import { type ReportTable, type ReportTables, styleOfTable } from './report-tables.ts';

type Side = 'buy' | 'sell';
type TesterOrder = {
  /** The number of the event: the report's own order, also within a minute. */
  event: string;
  id: string;
  side: Side;
  volume: Volume;
  price: number;
  timeMs: number;
  digits: number | undefined;
  stopLoss: number | undefined;
  takeProfit: number | undefined;
};
type Fold = {
  orders: Map<string, TesterOrder>;
  /** The order that a close just ended, with what is left of it: its rest opens in the next row. */
  ended: TesterOrder | undefined;
  balance: Money;
  deals: Deal[];
};

const NO_MONEY = { profit: 0, swap: 0, commission: 0, fee: 0 };
const QUIET = /^(?:modify|delete|expiration|(?:buy|sell) (?:limit|stop))$/;

/** The p4 strategy tester's report: its events become the two deals of each order. */
export function readP4Tester(
  report: ReportTables,
  table: ReportTable,
  moneyDigits: number,
): Statement {
  const warnings = createWarnings();
  const stated = readTesterHead(report, moneyDigits);
  const symbol = testerSymbol(report);
  const style = styleOfTable(table);
  const begun = stated.initialDeposit ?? balanceBefore(table, style, moneyDigits);
  const deposit = begun ?? 0;
  if (begun !== undefined && stated.initialDeposit === undefined)
    warnings.reading('deposit', 'by the column of balances', 'proved');
  const fold: Fold = { orders: new Map(), ended: undefined, balance: deposit, deals: [] };
  for (const row of report.odd) warnings.row(row.line, 'it belongs to no table', rowText(row));
  const firstMs = parseReportTime(cellAt(table.rows[0] ?? { line: 0, cells: [] }, 1));
  if (deposit !== 0 && firstMs !== undefined)
    fold.deals.push({
      id: '0',
      type: 'DEAL_TYPE_BALANCE',
      volume: 0,
      ...NO_MONEY,
      profit: deposit,
      timeMs: firstMs - 1000,
    });
  for (const row of table.rows) {
    const why = readEvent(row, table, { style, moneyDigits, symbol, warnings }, fold);
    if (why) warnings.row(row.line, why, rowText(row));
  }
  for (const order of fold.orders.values()) fold.deals.push(entryDeal(order, symbol));
  if (stated.balance === undefined && begun !== undefined) {
    stated.balance = fold.balance;
    stated.figures.balance = fromUnits(fold.balance, moneyDigits);
  }
  const openPositions = [...fold.orders.values()].map((order) => openPosition(order, symbol));
  return finishStatement(
    {
      ...{ kind: 'p4-tester', platform: 'p4', stated, deals: fold.deals, openPositions },
      language: languageOf(table.headings[1]),
    },
    warnings,
    moneyDigits,
  );
}

/** The balance before the first row that states one: a report saved during a test has no head. */
function balanceBefore(
  table: ReportTable,
  style: NumberStyle,
  moneyDigits: number,
): Money | undefined {
  const at = (row: Row, ordinal: number) => cellAt(row, table.columns[ordinal]);
  const row = table.rows.find((each) => at(each, 9) !== '');
  const balance = row && parseMoney(at(row, 9), style, moneyDigits);
  const profit = row && parseMoney(at(row, 8), style, moneyDigits);
  return balance === undefined || profit === undefined ? undefined : balance - profit;
}

function openPosition(order: TesterOrder, symbol: string | undefined): OpenPosition {
  const { id: positionId, side, volume, price: openPrice, timeMs: openTimeMs } = order;
  return {
    ...{ positionId, type: side === 'buy' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL' },
    ...{ symbol: symbol ?? '', volume, openTimeMs, openPrice, profit: 0, swap: 0, commission: 0 },
  };
}

type Context = {
  style: NumberStyle;
  moneyDigits: number;
  symbol: string | undefined;
  warnings: Warnings;
};

/** Takes one event; returns why not, if it can't. */
function readEvent(row: Row, table: ReportTable, context: Context, fold: Fold): string | undefined {
  const at = (ordinal: number) => cellAt(row, table.columns[ordinal]);
  const type = at(2).toLowerCase();
  const level = (ordinal: number) => levelOf(parseNumber(at(ordinal), context.style));
  const levels = { stopLoss: level(6), takeProfit: level(7) };
  const opened = type === 'modify' ? fold.orders.get(at(3)) : undefined;
  // Many experts set both after the opening; later moves are no plan any more.
  if (opened && opened.stopLoss === undefined) Object.assign(opened, levels);
  if (QUIET.test(type)) return undefined;
  const timeMs = parseReportTime(at(1));
  const id = at(3);
  const volume = parseVolume(at(4), context.style);
  const price = parseNumber(at(5), context.style);
  if (timeMs === undefined || volume === undefined || price === undefined || !/^\d+$/.test(id))
    return 'its time, order, size or price is unreadable';
  const digits = digitsOf(at(5), context.style);
  const event = { event: at(0), id, timeMs, volume, price, digits, ...levels };
  if (at(9) !== '') return readExit(at, event, context, fold);
  const { ended } = fold;
  fold.ended = undefined;
  const side = type === 'buy' || type === 'sell' ? type : ended?.side;
  if (!side || !/^(?:buy|sell|swap open)$/.test(type)) return `"${at(2)}" is not a known type`;
  // The rest of a partly closed order continues under a new number, with its old age.
  const isRest = ended && type === side && ended.volume === volume && ended.price === price;
  fold.orders.set(id, {
    ...{ ...event, side },
    timeMs: isRest ? ended.timeMs : timeMs,
  });
  return undefined;
}

function readExit(
  at: (ordinal: number) => string,
  event: Omit<TesterOrder, 'side'>,
  context: Context,
  fold: Fold,
): string | undefined {
  const printed = parseMoney(at(8), context.style, context.moneyDigits);
  const balance = parseMoney(at(9), context.style, context.moneyDigits);
  if (printed === undefined || balance === undefined) return 'its profit or balance is unreadable';
  // Each profit is rounded separately and the sum drifts; the balance column is exact.
  const step = balance - fold.balance;
  const tolerance = toUnits(0.011, context.moneyDigits);
  const profit = Math.abs(step - printed) <= tolerance ? step : printed;
  fold.balance = balance;
  const order = fold.orders.get(event.id);
  fold.orders.delete(event.id);
  fold.ended = order ? { ...order, volume: order.volume - event.volume } : undefined;
  if (order) fold.deals.push(entryDeal({ ...order, volume: event.volume }, context.symbol));
  else context.warnings.add('entry_not_listed', `Order ${event.id} is closed but nowhere opened`);
  fold.deals.push({
    id: event.event,
    positionId: event.id,
    type: order?.side === 'sell' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
    entry: 'DEAL_ENTRY_OUT',
    symbol: context.symbol,
    volume: event.volume,
    price: event.price,
    positionPrice: order?.price,
    ...NO_MONEY,
    profit,
    timeMs: event.timeMs,
    comment: at(2),
    digits: event.digits,
  });
  return undefined;
}

function entryDeal(order: TesterOrder, symbol: string | undefined): Deal {
  return {
    id: order.event,
    positionId: order.id,
    type: order.side === 'buy' ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
    entry: 'DEAL_ENTRY_IN',
    symbol,
    volume: order.volume,
    price: order.price,
    ...NO_MONEY,
    timeMs: order.timeMs,
    ...{ digits: order.digits, stopLoss: order.stopLoss, takeProfit: order.takeProfit },
  };
}
