import { type Deal, levelOf, magicOf } from '../../domain/deal.ts';
import type { Money, Volume } from '../../domain/money.ts';
import type { DealType } from '../../words/deals.ts';
import { dealTypeOf } from '../deal-words.ts';
import { digitsOf, parseNumber, parseVolume } from '../numbers.ts';
import { type Row, rowText } from '../rows.ts';
import { parseTime, type TimeFrame } from '../times.ts';
import type { ColumnName } from './columns.ts';
import { type Cells, sideOfWord } from './flat-table.ts';

/** The account of the trade, and its stop and target. */
export type TradePlan = Pick<Deal, 'magic' | 'stopLoss' | 'takeProfit'>;

export function planOf(row: Row, cells: Cells): TradePlan {
  const number = (name: ColumnName) => parseNumber(cells.at(row, name), cells.style);
  return {
    magic: magicOf(number('magic')),
    stopLoss: levelOf(number('stopLoss')),
    takeProfit: levelOf(number('takeProfit')),
  };
}

/** A closed trade from its row. */
export type TradeRow = {
  row: Row;
  id: string | undefined;
  isBuy: boolean;
  symbol: string | undefined;
  volume: Volume;
  openTimeMs: number | undefined;
  closeTimeMs: number;
  openPrice: number | undefined;
  closePrice: number | undefined;
  /** As listed: with or without the costs. */
  profit: Money;
  /** In a column besides `profit`, if there are both. */
  netProfit: Money | undefined;
  swap: Money;
  commission: Money;
  fee: Money;
  comment: string | undefined;
  plan?: TradePlan | undefined;
  digits: number | undefined;
  /** The account's balance after it, if in the row. */
  balance: Money | undefined;
};

/** A deposit, a withdrawal, or another booking that is no trade. */
export type OperationRow = {
  row: Row;
  id: string | undefined;
  type: DealType;
  amount: Money;
  timeMs: number;
  comment: string | undefined;
  balance: Money | undefined;
};

export type ReadRow =
  | { kind: 'trade'; trade: TradeRow }
  | { kind: 'operation'; operation: OperationRow }
  /** Open trades, pending orders and rows of sums. */
  | { kind: 'none' }
  | { kind: 'unreadable'; why: string };

const OPERATION =
  /^(?:balance|deposit|withdrawal|withdraw|transfer|credit|bonus|interest|dividend|adjustment|6|7)\b/i;
const CREDIT = /^(?:credit|bonus|7)/i;
/** In exports of our own: what no deal explains, which a later import may. */
const CARRIED_IN = 'carried-in:';
const PENDING = /\b(?:limit|stop|pending|cancell?ed)\b|^[2-5]$/i;
const OPEN = /^open\b/i;

const balanceOf = (text: string, money: (name: 'balance') => Money | undefined) =>
  text === '' ? undefined : money('balance');

export function readTradeRow(
  row: Row,
  cells: Cells,
  frame: (name: ColumnName) => TimeFrame,
  moneyDigits: number,
): ReadRow {
  const at = (name: ColumnName) => cells.at(row, name);
  const money = (name: ColumnName) => cells.money(row, name, moneyDigits);
  const time = (name: ColumnName) => parseTime(at(name), frame(name));
  const unreadable = (why: string): ReadRow => ({ kind: 'unreadable', why });
  const sideText = at('side');
  const type = at('type') || sideText;
  if (type === '' && at('symbol') === '' && at('openTime') === '' && at('closeTime') === '')
    return { kind: 'none' };
  if (/^totals?\b/i.test(rowText(row))) return { kind: 'none' };
  const side = sideOfWord(sideText) ?? sideOfWord(type);
  if (!side && (PENDING.test(type) || PENDING.test(sideText))) return { kind: 'none' };
  if (OPEN.test(type)) return { kind: 'none' };
  const listed = (['profit', 'netProfit', 'result'] as const).find((name) => at(name) !== '');
  const profit = listed && money(listed);
  const [swap, commission, fee] = [money('swap'), money('commission'), money('fee')];
  if (profit === undefined || swap === undefined || commission === undefined || fee === undefined)
    return unreadable('its profit, swap, commission or fee is unreadable');
  const comment = at('comment') || undefined;
  const id = at('ticket') || undefined;
  const [openTimeMs, closeTimeMs] = [time('openTime'), time('closeTime')];
  if (id?.startsWith(CARRIED_IN)) return unreadable('no deal stands behind a balance carried in');
  const known = CREDIT.test(type) ? 'DEAL_TYPE_CREDIT' : dealTypeOf(type);
  if (!side && (known || OPERATION.test(type))) {
    const timeMs = openTimeMs ?? closeTimeMs;
    if (timeMs === undefined) return unreadable('its time is unreadable');
    const amount = profit + swap + commission + fee;
    const balance = balanceOf(at('balance'), money);
    const operation = { row, id, amount, timeMs, comment, balance };
    return { kind: 'operation', operation: { ...operation, type: known ?? 'DEAL_TYPE_BALANCE' } };
  }
  if (!side) return unreadable(`"${sideText || type}" is not a known type`);
  const volume = parseVolume(at('volume'), cells.style);
  if (closeTimeMs === undefined || (openTimeMs === undefined && at('openTime') !== ''))
    return unreadable('its time is unreadable');
  if (volume === undefined || (cells.has('symbol') && at('symbol') === ''))
    return unreadable('its symbol or volume is unreadable');
  const price = (name: ColumnName) => parseNumber(at(name), cells.style);
  const trade: TradeRow = {
    ...{ row, id, isBuy: side === 'buy', symbol: at('symbol') || undefined, volume },
    ...{ openTimeMs, closeTimeMs, openPrice: price('openPrice'), closePrice: price('closePrice') },
    ...{ profit, swap, commission, fee, comment, balance: balanceOf(at('balance'), money) },
    netProfit: listed === 'profit' && at('netProfit') !== '' ? money('netProfit') : undefined,
    plan: planOf(row, cells),
    digits: digitsOf(at('closePrice'), cells.style),
  };
  return { kind: 'trade', trade };
}
