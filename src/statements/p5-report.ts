import { isTradeDeal } from '../domain/deal.ts';
import { evenDigits, finishStatement, languageOf } from './finish.ts';
import { matchNetting } from './netting-matching.ts';
import { type DealRow, dealColumns, readDealRow } from './p5-deal-rows.ts';
import { readClosedPosition, readOpenPosition, type TableContext } from './p5-position-rows.ts';
import type { P5Head } from './p5-stated.ts';
import { forEachPaced, type Pace } from './pace.ts';
import {
  type ListedPosition,
  type Matching,
  matchHedging,
  type OrderedDeal,
} from './position-matching.ts';
import { type ReportTable, type ReportTables, styleOfTable } from './report-tables.ts';
import { rowText } from './rows.ts';
import type { OpenPosition, Statement } from './statement.ts';
import { createWarnings, type Warnings } from './warnings.ts';

/** The p5 terminal's history, tester and trade reports, from pages and workbooks alike. */
export async function readP5Report(
  report: ReportTables,
  head: P5Head,
  moneyDigits: number,
  pace: Pace,
): Promise<Statement> {
  const warnings = createWarnings();
  for (const row of report.odd) warnings.row(row.line, 'it belongs to no table', rowText(row));
  const rows: DealRow[] = [];
  const closed: ListedPosition[] = [];
  const open: OpenPosition[] = [];
  for (const table of report.tables) {
    const context: TableContext = { table, style: styleOfTable(table), moneyDigits, warnings };
    const columns = dealColumns(table);
    await forEachPaced(table.rows, pace, { from: 0.7, to: 0.92 }, (row) => {
      if (table.kind === 'p5-deals') take(readDealRow(row, columns, context), rows);
      else if (table.kind === 'p5-positions') take(readClosedPosition(row, context), closed);
      else if (table.kind === 'p5-open' || table.kind === 'p5-trade')
        take(readOpenPosition(row, context), open);
    });
  }
  const trades = rows.filter(({ deal }) => isTradeDeal(deal));
  const matching = await matchPositions(trades, closed, open, head, pace);
  for (const [index, { deal }] of trades.entries()) {
    deal.positionId = matching.positionIds[index];
    const part = matching.closedVolumes.get(index);
    if (part !== undefined) deal.volumeClosed = part;
  }
  evenDigits(trades.map(({ deal }) => deal));
  warnOfMatching(matching, warnings);
  if (head.kind === 'p5-trade')
    warnings.add(
      'open_positions_only',
      `The report lists ${open.length} open positions and no deals: nothing to import into a history`,
    );
  if (head.missing > 0)
    warnings.add(
      'stated_figures_incomplete',
      `${head.missing} of the report's figures are missing`,
    );
  return finishStatement(
    {
      ...{ kind: head.kind, platform: 'p5', account: head.account, stated: head.stated },
      language: languageOf(timeHeadingOf(report.tables)),
      deals: rows.map(({ deal }) => deal),
      openPositions: open,
    },
    warnings,
    moneyDigits,
    pace,
  );
}

function take<Item>(item: Item | undefined, into: Item[]): void {
  if (item !== undefined) into.push(item);
}

const timeHeadingOf = (tables: ReportTable[]): string | undefined => {
  const deals = tables.find(({ kind }) => kind === 'p5-deals');
  if (deals) return deals.headings[0];
  return tables.find(({ kind }) => kind === 'p5-trade')?.headings[2];
};

async function matchPositions(
  trades: readonly OrderedDeal[],
  closed: readonly ListedPosition[],
  open: readonly OpenPosition[],
  head: P5Head,
  pace: Pace,
): Promise<Matching> {
  const mode = head.account.marginMode;
  const reverses = trades.some(({ deal }) => deal.entry === 'DEAL_ENTRY_INOUT');
  if (reverses || (mode !== undefined && mode !== 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING'))
    return matchNetting(trades);
  const listedOpen = open.map((position) => ({
    id: position.positionId,
    symbol: position.symbol,
    side: position.type,
    volume: position.volume,
    openTimeMs: position.openTimeMs,
    profit: position.profit,
    swap: position.swap,
  }));
  const hedging = await matchHedging(trades, closed, listedOpen, pace);
  if (mode !== undefined || hedging.unlisted.length === 0) return hedging;
  // The report does not tell the mode: exits larger than any position are netting's.
  const netting = matchNetting(trades);
  return netting.unlisted.length < hedging.unlisted.length ? netting : hedging;
}

function warnOfMatching(matching: Matching, warnings: Warnings): void {
  const name = (items: readonly OrderedDeal[]) =>
    `${items.length} closing deals (${items
      .slice(0, 10)
      .map(({ deal }) => deal.id)
      .join(', ')}${items.length > 10 ? ', …' : ''})`;
  if (matching.ambiguous.length > 0)
    warnings.add(
      'position_ambiguous',
      `${name(matching.ambiguous)} fit several positions equally well; the oldest one was taken`,
    );
  if (matching.unlisted.length > 0)
    warnings.add(
      'entry_not_listed',
      `${name(matching.unlisted)} close positions whose opening the report does not list`,
    );
}
