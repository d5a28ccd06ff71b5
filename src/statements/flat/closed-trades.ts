import type { Deal } from '../../domain/deal.ts';
import { fromUnits } from '../../domain/money.ts';
import { rowText } from '../rows.ts';
import type { TimeFrame } from '../times.ts';
import type { ColumnName } from './columns.ts';
import { type Cells, cellsOf, type FlatTable, numericUnknown } from './flat-table.ts';
import { costsOf, isNetProfit, turnPositiveCosts } from './profit-basis.ts';
import type { FlatContext } from './read-flat.ts';
import { createRowIds, dealOfOperation, dealsOfTrade } from './trade-deals.ts';
import { type OperationRow, readTradeRow, type TradeRow } from './trade-rows.ts';

/** Tables with one closed trade a row, as sites, brokers and trading journals export them. */
export function readClosedTrades(tables: readonly FlatTable[], context: FlatContext): Deal[] {
  const trades: TradeRow[] = [];
  const operations: OperationRow[] = [];
  for (const table of tables) {
    const cells = cellsOf(table);
    warnOfColumns(table, cells, context);
    const frame = frameOf(cells, context);
    for (const row of table.rows) {
      const read = readTradeRow(row, cells, frame, context.moneyDigits);
      if (read.kind === 'trade') trades.push(read.trade);
      else if (read.kind === 'operation') operations.push(read.operation);
      else if (read.kind === 'unreadable') context.warnings.row(row.line, read.why, rowText(row));
    }
    tellCurrency(table, context);
  }
  settleProfits(tables, trades, context);
  if (trades.some(({ openTimeMs }) => openTimeMs === undefined))
    context.warnings.add(
      'open_times_unknown',
      'The file does not show when positions were opened: how long they were held is unknown',
    );
  if (trades.some(({ symbol }) => symbol === undefined))
    context.warnings.add('symbols_unknown', 'The file does not list the symbols of its trades');
  return toDeals(trades, operations, context);
}

/** Day or month first, the zone of the column, and the broker's clock. */
export function frameOf(cells: Cells, { clock, warnings }: FlatContext) {
  // Journals that write slashes are American ones.
  const order = cells.dayMonth === 'day-first' ? 'day-first' : 'month-first';
  if (cells.dayMonth === 'undecided')
    warnings.add(
      'day_month_ambiguous',
      'No date shows whether the day or the month comes first: the month was assumed',
    );
  return (name: ColumnName): TimeFrame => ({
    order,
    clock,
    zoneMinutes: cells.heading(name)?.zoneMinutes,
  });
}

/** Names columns of numbers that nothing was made of: they may be money. */
export function warnOfColumns(table: FlatTable, cells: Cells, { warnings }: FlatContext): void {
  for (const heading of numericUnknown(cells, table.rows))
    warnings.add(
      'column_not_taken',
      `Column "${heading}" has numbers that were not used. If they are costs, name it Commission, ` +
        'Swap or Fee and import the file again',
    );
}

/** The currency that the headings of its money name. */
function tellCurrency({ columns }: FlatTable, { stated }: FlatContext): void {
  const paid = ['profit', 'netProfit', 'result', 'commission'] as const;
  stated.currency ??= paid
    .flatMap((name) => columns.places[name] ?? [])
    .map((place) => columns.headings[place]?.currency)
    .find((currency) => currency !== undefined);
}

/** Makes every profit what it is before costs, and every cost negative. */
function settleProfits(
  tables: readonly FlatTable[],
  trades: TradeRow[],
  { warnings, moneyDigits }: FlatContext,
): void {
  for (const name of turnPositiveCosts(trades))
    warnings.add(
      'costs_turned',
      `The file lists every ${name} as a positive amount: they were counted as costs`,
    );
  const { places, headings } = tables[0]?.columns ?? { places: {}, headings: [] };
  const isNamedNet = places.netProfit !== undefined && places.profit === undefined;
  const isMyfxbook = headings.some(({ word }) => word === 'units/lots');
  if (!isNamedNet && !(isNetProfit(trades) ?? isMyfxbook)) return;
  const costs = trades.reduce((sum, trade) => sum + costsOf(trade), 0);
  for (const trade of trades) trade.profit -= costsOf(trade);
  if (costs === 0 || isNamedNet) return;
  warnings.add(
    'profit_is_net',
    `The listed profits already include the costs of ${fromUnits(costs, moneyDigits)}: they are ` +
      'not charged again',
  );
}

function toDeals(
  trades: readonly TradeRow[],
  operations: readonly OperationRow[],
  { warnings }: FlatContext,
): Deal[] {
  const idFor = createRowIds();
  let repeats = 0;
  const identified = <Item extends { id: string | undefined; row: TradeRow['row'] }>(
    item: Item,
    make: (item: Item, id: string) => Deal[],
  ): Deal[] => {
    const id = idFor(item.id, rowText(item.row));
    if (id === undefined) repeats += 1;
    return id === undefined ? [] : make(item, id);
  };
  const deals = [
    ...trades
      .toSorted((a, b) => a.closeTimeMs - b.closeTimeMs)
      .flatMap((trade) => identified(trade, dealsOfTrade)),
    ...operations.flatMap((operation) =>
      identified(operation, (item, id) => [dealOfOperation(item, id)]),
    ),
  ];
  if (repeats > 0)
    warnings.add('duplicate_deal', `${repeats} rows repeat an earlier one and were left out`);
  return deals;
}
