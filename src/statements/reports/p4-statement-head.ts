import { unitsOf } from '../numbers.ts';
import type { Row } from '../rows.ts';
import type { Stated, StatedFigures } from '../statement.ts';
import { parseTime } from '../times.ts';
import type { ReportTables } from './report-tables.ts';
import { leverageOf, statedOf } from './stated.ts';
import { labelledOf, putFigure, styleOfFigures } from './stated-figures.ts';

/** `Account: 1`, `A/C No: 1`, `口座番号：1` */
const LABELLED = /^([^:：]{1,40})[:：] ?(.*)$/;
const CURRENCY = /^[A-Z]{3,5}$/;

/**
 * The head of the statement. The row of the account is recognised by its shape: label and value in
 * one cell, account, name, currency, leverage in this order, then the date (its words depend on the
 * broker's template). The broker's name is above it.
 */
export function readP4Head(report: ReportTables, moneyDigits: number): Stated {
  const ownRow = accountRow(report);
  const cells = ownRow?.cells.filter((cell) => cell !== '') ?? [];
  const values = cells.flatMap((cell) => LABELLED.exec(cell)?.[2] ?? []);
  const currency = values.find((value) => CURRENCY.test(value));
  const named = values.slice(0, 2).filter((value) => value !== currency);
  const figures = readP4Figures(report);
  const { maximal_drawdown: fall, maximal_drawdown_pct: percent } = figures;
  return {
    ...statedOf(figures, moneyDigits),
    maximalBalanceDrawdown:
      fall === undefined ? undefined : { amount: unitsOf(fall, moneyDigits), percent },
    login: named[0] || undefined,
    name: named[1] || undefined,
    currency,
    leverage: values.map(leverageOf).find((ratio) => ratio !== undefined),
    marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
    // The page's title comes first, then the broker's name in large letters.
    broker: report.texts.find((text) => !/^Statement:/.test(text)) ?? titleAbove(report, ownRow),
    madeTimeMs: cells.map((cell) => timeOf(cell)).find((timeMs) => timeMs !== undefined),
  };
}

/** A text alone in its row above another one: a title, if the page was saved again. */
function titleAbove({ loose }: ReportTables, row: Row | undefined): string | undefined {
  const titles = loose
    .slice(0, row ? loose.indexOf(row) : 0)
    .map(({ cells }) => cells.filter(Boolean));
  return titles.findLast(({ length }) => length === 1)?.[0];
}

/** The row with the most labelled cells among those with a currency, or a leverage. */
function accountRow({ loose }: ReportTables): Row | undefined {
  const labelled = (row: Row) => row.cells.flatMap((cell) => LABELLED.exec(cell) ?? []).length / 3;
  const names = (row: Row) =>
    row.cells.some((cell) => {
      const value = LABELLED.exec(cell)?.[2] ?? '';
      return CURRENCY.test(value) || leverageOf(value) !== undefined;
    });
  return loose
    .filter((row) => names(row) && labelled(row) >= 2)
    .sort((a, b) => labelled(b) - labelled(a))[0];
}

/** `2016 January 5, 09:02` */
function timeOf(cell: string): number | undefined {
  const match = /^(\d{4}) (\S+ \d{1,2}), (.+)$/.exec(cell);
  return match ? parseTime(`${match[2]}, ${match[1]} ${match[3]}`) : undefined;
}

/** p4 statements are English in every language of the terminal. */
const KEYS = new Map([
  ['closed p/l', 'closed_pl'],
  ['floating p/l', 'floating_pl'],
  ['deposit/withdrawal', 'deposit_withdrawal'],
  ['credit facility', 'credit_facility'],
  ['closed trade p/l', 'closed_trade_pl'],
  ['margin', 'margin'],
  ['balance', 'balance'],
  ['equity', 'equity'],
  ['free margin', 'free_margin'],
  ['gross profit', 'gross_profit'],
  ['gross loss', 'gross_loss'],
  ['total net profit', 'total_net_profit'],
  ['profit factor', 'profit_factor'],
  ['expected payoff', 'expected_payoff'],
  ['absolute drawdown', 'absolute_drawdown'],
  ['maximal drawdown', 'maximal_drawdown'],
  ['relative drawdown', 'relative_drawdown'],
  ['total trades', 'total_trades'],
  ['short positions', 'short_positions'],
  ['long positions', 'long_positions'],
  ['profit trades', 'profit_trades'],
  ['loss trades', 'loss_trades'],
  ['largest profit trade', 'largest_profit_trade'],
  ['largest loss trade', 'largest_loss_trade'],
  ['average profit trade', 'average_profit_trade'],
  ['average loss trade', 'average_loss_trade'],
  ['maximum consecutive wins', 'max_consecutive_wins'],
  ['maximum consecutive losses', 'max_consecutive_losses'],
  ['maximal consecutive profit', 'maximal_consecutive_profit'],
  ['maximal consecutive loss', 'maximal_consecutive_loss'],
  ['average consecutive wins', 'avg_consecutive_wins'],
  ['average consecutive losses', 'avg_consecutive_losses'],
]);

/**
 * In the order of the summary's rows, for templates in other words: two, three and three figures.
 */
const SUMMARY_KEYS = [
  ['deposit_withdrawal', 'credit_facility'],
  ['closed_trade_pl', 'floating_pl', 'margin'],
  ['balance', 'equity', 'free_margin'],
] as const;

function readP4Figures(report: ReportTables): StatedFigures {
  const rows = report.loose.map((row) => ({ row, pairs: labelledOf(row) }));
  const pairs = rows.flatMap(({ row, pairs: own }) => {
    // "Largest | profit trade: | 1 | loss trade: | -1": the first cell belongs to both labels.
    const first = row.cells.find((cell) => cell !== '') ?? '';
    const prefix = first.endsWith(':') ? '' : `${first} `;
    return own.map(({ label, value }) => {
      const plain = label.replace(/\s*\(.*\)$/, '').toLowerCase();
      return { key: KEYS.get(plain) ?? KEYS.get(`${prefix}${plain}`.toLowerCase()), value };
    });
  });
  if (!pairs.some(({ key }) => key === 'balance'))
    pairs.push(...summaryByOrder(rows.map(({ pairs: own }) => own.map(({ value }) => value))));
  const style = styleOfFigures(pairs.flatMap(({ key, value }) => (key ? [value] : [])));
  const figures: StatedFigures = {};
  for (const { key, value } of pairs) if (key) putFigure(figures, key, value, style);
  return figures;
}

function summaryByOrder(rows: readonly (readonly string[])[]): { key: string; value: string }[] {
  const filled = rows.filter((values) => values.length > 0);
  const at = filled.findIndex((_, index) =>
    SUMMARY_KEYS.every((keys, next) => filled[index + next]?.length === keys.length),
  );
  if (at < 0) return [];
  return SUMMARY_KEYS.flatMap((keys, next) =>
    keys.map((key, place) => ({ key, value: filled[at + next]?.[place] ?? '' })),
  );
}
