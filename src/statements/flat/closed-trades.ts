import { type Deal, isCredit } from '../../domain/deal.ts';
import { fromUnits } from '../../domain/money.ts';
import { rowText } from '../rows.ts';
import { type BalanceRow, isFollowed, runningBalance } from '../running-balance.ts';
import type { TimeFrame } from '../times.ts';
import type { ColumnName } from './columns.ts';
import type { FlatContext } from './flat-context.ts';
import { type Cells, cellsOf, type FlatTable, numericUnknown } from './flat-table.ts';
import { costsOf, settleProfits } from './profit-basis.ts';
import { contentOf, createRowIds, dealOfOperation, dealsOfTrade } from './trade-deals.ts';
import { type OperationRow, readTradeRow, type TradeRow } from './trade-rows.ts';
import { settleSides } from './trade-sides.ts';

/** Tables with one closed trade per row, as exported by sites, brokers and trading journals. */
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
  settleMoney(tables, trades, context);
  stateBalance(balancesOf(trades, operations), context);
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
  const answer = cells.dayMonth?.answer ?? 'month-first';
  if (cells.dayMonth)
    warnings.reading(
      'date order',
      answer,
      cells.dayMonth.verdict,
      `No date shows whether the day or the month comes first: the ${answer.slice(0, -6)} was assumed`,
    );
  return (name: ColumnName): TimeFrame => ({
    order: answer,
    clock,
    zoneMinutes: cells.heading(name)?.zoneMinutes,
    zone: cells.heading(name)?.zone,
  });
}

/** Warns of unused columns of numbers: they may be money. */
export function warnOfColumns(table: FlatTable, cells: Cells, { warnings }: FlatContext): void {
  const isComma = cells.style === 'comma';
  warnings.reading(
    'decimal mark',
    cells.style,
    cells.styleVerdict,
    `No number shows whether its comma stands before decimals or groups thousands: it was read as ` +
      `${isComma ? 'decimal mark. If it groups thousands, all amounts are 1000 times as large' : 'a group of thousands. If it is the decimal mark, all amounts are a thousandth'}`,
  );
  for (const heading of numericUnknown(cells, table.rows))
    warnings.add(
      'column_not_taken',
      `Column "${heading}" has numbers that were not used. If they are costs, name it Commission, ` +
        'Swap or Fee and import the file again',
    );
}

/** The currency in the headings of its money. */
function tellCurrency({ columns }: FlatTable, { stated }: FlatContext): void {
  const paid = ['profit', 'netProfit', 'result', 'commission'] as const;
  stated.currency ??= paid
    .flatMap((name) => columns.places[name] ?? [])
    .map((place) => columns.headings[place]?.currency)
    .find((currency) => currency !== undefined);
}

/** The basis named in the heading of the profit, and the usual one of its program. */
function settleMoney(tables: readonly FlatTable[], trades: TradeRow[], context: FlatContext): void {
  const { places, headings, isMapped } = tables[0]?.columns ?? { places: {}, headings: [] };
  const isNamedNet = places.netProfit !== undefined && places.profit === undefined;
  const isNamedGross = isMapped && places.profit !== undefined;
  const isSigned = [...(places.commission ?? []), ...(places.fee ?? [])].some(
    (place) => headings[place]?.sign !== undefined,
  );
  const isMyfxbook = headings.some(({ word }) => word === 'units/lots');
  settleProfits(
    trades,
    {
      basis: isNamedNet ? 'inside' : isNamedGross ? 'beside' : undefined,
      signs: isSigned ? 'as listed' : undefined,
    },
    isMyfxbook ? 'inside' : 'beside',
    context,
  );
  settleSides(trades, context);
}

/** A running balance is a figure stated by the file: it is compared with the rows' movements. */
export function stateBalance(rows: readonly BalanceRow[], context: FlatContext): void {
  const { stated, warnings, moneyDigits } = context;
  const found = runningBalance(rows, moneyDigits);
  if (!found) return;
  if (!isFollowed(found)) {
    warnings.reading(
      'deposit',
      'unknown',
      'contradicted',
      `The column of balances does not follow from the rows: ${found.steps - found.fitting} of ` +
        `${found.steps} steps differ. It was not used`,
    );
    return;
  }
  warnings.reading('deposit', 'by the column of balances', 'proved');
  stated.balance = found.last;
  stated.figures.balance = fromUnits(found.last, moneyDigits);
}

const balancesOf = (
  trades: readonly TradeRow[],
  operations: readonly OperationRow[],
): BalanceRow[] =>
  [
    ...trades.map((trade) => ({
      ...{ line: trade.row.line, timeMs: trade.closeTimeMs, balance: trade.balance },
      money: trade.profit + costsOf(trade),
    })),
    ...operations.map(({ row, timeMs, balance, amount, type }) => ({
      ...{ line: row.line, timeMs, balance, money: isCredit({ type }) ? 0 : amount },
    })),
  ].sort((a, b) => a.line - b.line);

function toDeals(
  trades: readonly TradeRow[],
  operations: readonly OperationRow[],
  { warnings }: FlatContext,
): Deal[] {
  const idFor = createRowIds();
  let repeats = 0;
  const identified = <Item extends TradeRow | OperationRow>(
    item: Item,
    make: (item: Item, id: string) => Deal[],
  ): Deal[] => {
    const id = idFor(item.id, contentOf(item));
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
