import { type Deal, isCredit, isTradeDeal, moneyOf } from '../../domain/deal.ts';
import { dealEntryOf, kindOfDeal } from '../deal-words.ts';
import type { OrderedDeal } from '../matching/matching.ts';
import { digitsOf, parseNumber, parseVolume } from '../numbers.ts';
import { type Row, rowText } from '../rows.ts';
import type { BalanceRow } from '../running-balance.ts';
import { parseTime, type TimeFrame } from '../times.ts';
import { frameOf, stateBalance, warnOfColumns } from './closed-trades.ts';
import type { ColumnName } from './columns.ts';
import type { FlatContext } from './flat-context.ts';
import { type Cells, cellsOf, type FlatTable } from './flat-table.ts';
import { planOf } from './trade-rows.ts';

/**
 * Tables with one deal per row: our own export, the p5 terminal's list of deals, and its Python
 * package's history_deals_get (`ticket`, `time_msc`, numbers for types; its seconds since 1970 are
 * those of the broker's wall clock).
 */
export function readDealTables(tables: readonly FlatTable[], context: FlatContext): OrderedDeal[] {
  const deals: OrderedDeal[] = [];
  for (const table of tables) {
    const cells = cellsOf(table);
    warnOfColumns(table, cells, context);
    const frame = frameOf(cells, context);
    const balances: BalanceRow[] = [];
    for (const row of table.rows) {
      const read = readDeal(row, cells, frame, context);
      if (typeof read === 'string') context.warnings.row(row.line, read, rowText(row));
      else if (read) {
        deals.push(read);
        if (cells.has('balance')) balances.push(balanceRow(read.deal, row, cells, context));
      }
    }
    stateBalance(balances, context);
  }
  return deals;
}

function balanceRow(deal: Deal, row: Row, cells: Cells, { moneyDigits }: FlatContext): BalanceRow {
  const text = cells.at(row, 'balance');
  const balance = text === '' ? undefined : cells.money(row, 'balance', moneyDigits);
  return { timeMs: deal.timeMs, balance, money: isCredit(deal) ? 0 : moneyOf(deal) };
}

/** A deal, undefined for a row of sums, or why the row is no deal. */
function readDeal(
  row: Row,
  cells: Cells,
  frame: (name: ColumnName) => TimeFrame,
  { moneyDigits, warnings }: FlatContext,
): OrderedDeal | undefined | string {
  const at = (name: ColumnName) => cells.at(row, name);
  const money = (name: ColumnName) => cells.money(row, name, moneyDigits);
  const numbered = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);
  // Spreadsheets turn a ticket into 12.0.
  const ticket = (name: ColumnName) => at(name).replace(/^(\d+)\.0$/, '$1');
  const id = ticket('id');
  if (id === '' && at('time') === '' && at('type') === '') return undefined;
  const timeMs = at('timeMs') ? Number(at('timeMs')) : parseTime(at('time'), frame('time'));
  if (id === '') return 'it has no id';
  if (timeMs === undefined) return 'its time is unreadable';
  if (at('type') === '') return 'its type is missing';
  const paid = (['profit', 'netProfit', 'result'] as const).find((name) => at(name) !== '');
  const [profit, swap] = [paid ? money(paid) : 0, money('swap')];
  const [commission, fee] = [money('commission'), money('fee')];
  if (profit === undefined || swap === undefined || commission === undefined || fee === undefined)
    return 'its profit, swap, commission or fee is unreadable';
  const deal: Deal = {
    ...{ id, volume: 0, profit, swap, commission, fee, timeMs },
    ...kindOfDeal(numbered(at('type')), at('comment') || undefined, row.line, warnings),
  };
  if (!isTradeDeal(deal)) return { deal, order: '' };
  const entry = dealEntryOf(numbered(at('entry')));
  const volume = parseVolume(at('volume'), cells.style);
  if ((!entry && cells.has('entry')) || volume === undefined || at('symbol') === '')
    return 'its symbol, entry or volume is unreadable';
  const positionId = ticket('positionId');
  Object.assign(deal, {
    ...{ entry, volume, symbol: at('symbol'), ...planOf(row, cells) },
    price: parseNumber(at('price'), cells.style),
    digits: parseNumber(at('digits'), 'point') ?? digitsOf(at('price'), cells.style),
    positionId: positionId === '' || positionId === '0' ? undefined : positionId,
  });
  return { deal, order: ticket('order') };
}
