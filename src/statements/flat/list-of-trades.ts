import type { Deal } from '../../domain/deal.ts';
import { parseNumber, parseVolume } from '../numbers.ts';
import { type Row, rowText } from '../rows.ts';
import { parseTime, type TimeFrame } from '../times.ts';
import { frameOf, warnOfColumns } from './closed-trades.ts';
import type { ColumnName } from './columns.ts';
import type { FlatContext } from './flat-context.ts';
import { type Cells, cellsOf, type FlatTable } from './flat-table.ts';
import { settleProfits } from './profit-basis.ts';
import { contentOf, createRowIds, dealsOfTrade } from './trade-deals.ts';
import type { TradeRow } from './trade-rows.ts';

type Half = { row: Row; timeMs: number; price: number };

/**
 * TradingView's list of trades of a strategy: two rows per trade under one number, `Exit long` and
 * `Entry long`. Its net profit includes the commission, and is in both rows. A trade that is still
 * open has an exit without a price.
 */
export function readListsOfTrades(tables: readonly FlatTable[], context: FlatContext): Deal[] {
  const { warnings } = context;
  const trades: TradeRow[] = [];
  for (const table of tables) {
    const cells = cellsOf(table);
    warnOfColumns(table, cells, context);
    const frame = frameOf(cells, context)('time');
    const entries = new Map<string, Half>();
    const exits = new Map<string, Half>();
    for (const row of table.rows) {
      const type = cells.at(row, 'type');
      const isExit = /^exit\b/i.test(type);
      const half = isExit || /^entry\b/i.test(type) ? halfOf(row, cells, frame) : undefined;
      if (half) (isExit ? exits : entries).set(cells.at(row, 'tradeNumber'), half);
      else if (!isExit || cells.at(row, 'price') !== '')
        warnings.row(row.line, 'it is not a readable entry or exit', rowText(row));
    }
    for (const [number, exit] of exits) {
      const trade = tradeOf(entries.get(number), exit, cells, context.moneyDigits);
      if (typeof trade === 'string') warnings.row(exit.row.line, trade, rowText(exit.row));
      else trades.push(trade);
    }
  }
  settleProfits(trades, { basis: 'inside' }, 'inside', context);
  warnings.add('symbols_unknown', 'The file does not list the symbols of its trades');
  const idFor = createRowIds();
  return trades.flatMap((trade) => dealsOfTrade(trade, idFor(undefined, contentOf(trade)) ?? ''));
}

function halfOf(row: Row, cells: Cells, frame: TimeFrame): Half | undefined {
  const at = (name: ColumnName) => cells.at(row, name);
  const timeMs = parseTime(at('time'), frame);
  const price = parseNumber(at('price'), cells.style);
  return timeMs === undefined || price === undefined ? undefined : { row, timeMs, price };
}

/** A trade, or why there is none. */
function tradeOf(
  entry: Half | undefined,
  exit: Half,
  cells: Cells,
  moneyDigits: number,
): TradeRow | string {
  const at = (name: ColumnName) => cells.at(exit.row, name);
  const paid = (['netProfit', 'profit', 'result'] as const).find((name) => at(name) !== '');
  const profit = paid && cells.money(exit.row, paid, moneyDigits);
  const commission = cells.money(exit.row, 'commission', moneyDigits);
  const volume = parseVolume(at('volume'), cells.style);
  const isBuy = /long/i.test(at('type'));
  if (profit === undefined || commission === undefined || volume === undefined)
    return 'its profit, commission or size is unreadable';
  return {
    ...{ row: exit.row, id: undefined, isBuy, symbol: undefined, volume },
    ...{ openTimeMs: entry?.timeMs, closeTimeMs: exit.timeMs },
    ...{ openPrice: entry?.price, closePrice: exit.price, digits: undefined },
    ...{ profit, netProfit: undefined, swap: 0, commission, fee: 0 },
    ...{ comment: at('comment') || undefined, balance: undefined },
  };
}
