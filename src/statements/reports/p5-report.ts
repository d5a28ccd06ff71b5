import { isTradeDeal } from '../../domain/deal.ts';
import type { AccountMarginMode } from '../../words/accounts.ts';
import { finishStatement } from '../finish.ts';
import { matchPositions, type PositionMode } from '../matching/match-positions.ts';
import type { ListedPosition, OrderedDeal } from '../matching/matching.ts';
import { tellLevels, tellMatching, warnOfMatching } from '../matching/tell-matching.ts';
import { rowText } from '../rows.ts';
import type { OpenPosition, Statement } from '../statement.ts';
import { createWarnings, type Warnings } from '../warnings.ts';
import { checkHoldingTimes } from './holding-times.ts';
import { languageOf } from './language.ts';
import { dealColumns, readDealRow } from './p5-deal-rows.ts';
import {
  type OrderLevels,
  readClosedPosition,
  readOpenPosition,
  readOrderLevels,
  type TableContext,
} from './p5-position-rows.ts';
import type { P5Head } from './p5-stated.ts';
import { type ReportTable, type ReportTables, styleOfTable } from './report-tables.ts';

/** The p5 terminal's history, tester and trade reports, from pages and workbooks alike. */
export function readP5Report(
  report: ReportTables,
  { kind, stated, missing, isHeaded }: P5Head,
  moneyDigits: number,
): Statement {
  const warnings = createWarnings();
  for (const row of report.odd) warnings.row(row.line, 'it belongs to no table', rowText(row));
  const { rows, closed, open, orders } = readTables(
    report,
    stated.madeTimeMs ?? 0,
    moneyDigits,
    warnings,
  );
  const trades = rows.filter(({ deal }) => isTradeDeal(deal));
  const matching = matchPositions(trades, modeOf(stated.marginMode), {
    ...{ closed, open: open.map(listed) },
    // The table of open positions is in reports that have any.
    isOpenKnown: kind === 'p5-history',
  });
  tellMatching(trades, matching);
  tellLevels(trades, closed, new Map(orders));
  warnOfMatching(trades, matching, warnings);
  checkHoldingTimes(trades, stated.figures, warnings);
  if (kind !== 'p5-tester') stated.openPositions = open.length;
  if (kind === 'p5-trade')
    warnings.add(
      'open_positions_only',
      `The report lists ${open.length} open positions and no deals: nothing to import into a history`,
    );
  if (!isHeaded)
    warnings.add(
      'head_missing',
      'The rows that name the account are missing: the account was not checked',
    );
  if (missing > 0)
    warnings.add('stated_figures_incomplete', `${missing} of the report's figures are missing`);
  return finishStatement(
    {
      ...{ kind, platform: 'p5', stated, openPositions: open },
      language: languageOf(timeHeadingOf(report.tables)),
      deals: rows.map(({ deal }) => deal),
    },
    warnings,
    moneyDigits,
  );
}

function readTables(
  report: ReportTables,
  madeTimeMs: number,
  moneyDigits: number,
  warnings: Warnings,
) {
  const rows: OrderedDeal[] = [];
  const closed: ListedPosition[] = [];
  const open: OpenPosition[] = [];
  const orders: [string, OrderLevels][] = [];
  for (const table of report.tables) {
    const style = styleOfTable(table);
    const context: TableContext = { table, style, moneyDigits, madeTimeMs, warnings };
    const columns = dealColumns(table);
    for (const row of table.rows)
      if (table.kind === 'p5-deals') take(readDealRow(row, columns, context), rows);
      else if (table.kind === 'p5-positions') take(readClosedPosition(row, context), closed);
      else if (table.kind === 'p5-orders') take(readOrderLevels(row, context), orders);
      else if (table.kind === 'p5-open' || table.kind === 'p5-trade')
        take(readOpenPosition(row, context), open);
  }
  return { rows, closed, open, orders };
}

function take<Item>(item: Item | undefined, into: Item[]): void {
  if (item !== undefined) into.push(item);
}

const modeOf = (mode: AccountMarginMode | undefined): PositionMode | undefined => {
  if (mode === undefined) return undefined;
  return mode === 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING' ? 'hedging' : 'netting';
};

const listed = (position: OpenPosition): ListedPosition => {
  const {
    positionId: id,
    symbol,
    type: side,
    volume,
    openTimeMs,
    openPrice,
    profit,
    swap,
  } = position;
  return { id, symbol, side, volume, openTimeMs, openPrice, profit, swap };
};

const timeHeadingOf = (tables: ReportTable[]): string | undefined => {
  const deals = tables.find(({ kind }) => kind === 'p5-deals');
  if (deals) return deals.headings[0];
  return tables.find(({ kind }) => kind === 'p5-trade')?.headings[2];
};
