import { unitsOf } from '../numbers.ts';
import { cellAt, type Row } from '../rows.ts';
import type { Stated, StatedFigures } from '../statement.ts';
import { parseReportTime } from '../times.ts';
import type { ReportTables } from './report-tables.ts';
import { statedOf } from './stated.ts';
import { figuresInOrder, STREAK_KEYS } from './stated-figures.ts';

/** Symbol of `EURUSD (Euro vs US Dollar)`, the first line of the report. */
export function testerSymbol(report: ReportTables): string | undefined {
  const value = settingOf(report, 0);
  return value.replace(/ \(.*$/, '') || undefined;
}

/** Rows with a value after their label: programs that save it again put its title above them. */
const rowsOf = (report: ReportTables): string[][] =>
  report.loose
    .map(({ cells }) => cells.filter((cell) => cell !== ''))
    .filter((filled) => filled.length > 1);

const settingOf = (report: ReportTables, row: number): string => rowsOf(report)[row]?.[1] ?? '';

/**
 * The figures are in six columns, label and value in turns. Labels are translated, so figures are
 * identified by the row's index from the end: the last rows are the same in every build.
 */
const ROWS_FROM_END: readonly { columns: readonly number[]; keys: readonly string[] }[] = [
  { columns: [3, 5], keys: STREAK_KEYS.slice(10, 12) },
  { columns: [3, 5], keys: STREAK_KEYS.slice(8, 10) },
  { columns: [3, 5], keys: STREAK_KEYS.slice(6, 8) },
  { columns: [3, 5], keys: STREAK_KEYS.slice(4, 6) },
  { columns: [3, 5], keys: STREAK_KEYS.slice(2, 4) },
  { columns: [3, 5], keys: STREAK_KEYS.slice(0, 2) },
  { columns: [1, 3, 5], keys: ['total_trades', 'short_positions', 'long_positions'] },
  { columns: [1, 3, 5], keys: ['absolute_drawdown', 'maximal_drawdown', 'relative_drawdown'] },
  { columns: [1, 3], keys: ['profit_factor', 'expected_payoff'] },
  { columns: [1, 3, 5], keys: ['total_net_profit', 'gross_profit', 'gross_loss'] },
  { columns: [1, 5], keys: ['initial_deposit', 'spread'] },
  { columns: [1], keys: ['mismatched_charts_errors'] },
  { columns: [1, 3, 5], keys: ['bars', 'ticks', 'modelling_quality'] },
];

/**
 * `M1 2018.01.02 00:00 - 2018.04.03 00:00 (2018.01.01 - 2018.04.04)`: the bars, then the settings.
 */
const PERIOD = /\((\d{4}\.\d{2}\.\d{2}) - (\d{4}\.\d{2}\.\d{2})\)$/;

const LAST_COLUMN = 5;

/** The head of the tester's report. Its drawdown is of the equity of every tick. */
export function readTesterHead(report: ReportTables, moneyDigits: number): Stated {
  const figures = readTesterFigures(report);
  if (figures.initial_deposit !== undefined && figures.total_net_profit !== undefined)
    figures.balance = Number((figures.initial_deposit + figures.total_net_profit).toFixed(2));
  const period = PERIOD.exec(settingOf(report, 1));
  const { maximal_drawdown: amount, maximal_drawdown_pct: percent } = figures;
  return {
    ...statedOf(figures, moneyDigits),
    marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
    periodFromMs: period ? parseReportTime(period[1] ?? '') : undefined,
    periodToMs: period ? parseReportTime(period[2] ?? '') : undefined,
    maximalEquityDrawdown:
      amount === undefined ? undefined : { amount: unitsOf(amount, moneyDigits), percent },
  };
}

function readTesterFigures(report: ReportTables): StatedFigures {
  const rows = report.loose.filter((row) => row.cells.filter((cell) => cell !== '').length > 1);
  // Saved again, cells are further apart; then labels and values alternate to the end.
  const isApart = rows.some(({ cells }) => cells.findLastIndex(Boolean) > LAST_COLUMN);
  const figures: StatedFigures = {};
  const values: string[] = [];
  const keys: string[] = [];
  for (const [back, { columns, keys: rowKeys }] of ROWS_FROM_END.entries()) {
    const row: Row | undefined = rows[rows.length - 1 - back];
    if (!row) break;
    for (const [index, column] of columns.entries()) {
      const filled = row.cells.filter((cell) => cell !== '');
      const fromEnd = 2 * (columns.length - 1 - index) + 1;
      values.push(isApart ? (filled.at(-fromEnd) ?? '') : cellAt(row, column));
      keys.push(rowKeys[index] ?? '');
    }
  }
  Object.assign(figures, figuresInOrder(values, keys));
  // The quality is printed as a percentage, under its own name.
  if (figures.modelling_quality_pct !== undefined) {
    figures.modelling_quality = figures.modelling_quality_pct;
    delete figures.modelling_quality_pct;
  }
  return figures;
}
