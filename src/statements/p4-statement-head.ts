import type { ReportTables } from './report-tables.ts';
import { labelledOf, putFigure, styleOfFigures } from './stated-figures.ts';
import type { StatedFigures, StatementAccount } from './statement.ts';

/** The row `Account: 1 | Name: x | Currency: USD | Leverage: 1:100 | date`, the broker's name above it. */
export function readP4Account(report: ReportTables): StatementAccount {
  const row = report.loose.find((r) => r.cells.some((cell) => /^Currency:/.test(cell)));
  const valueAfter = (label: string): string | undefined => {
    const cell = row?.cells.find((text) => text.startsWith(`${label}:`));
    return cell?.slice(label.length + 1).trim() || undefined;
  };
  const leverage = Number(/^1:(\d+)$/.exec(valueAfter('Leverage') ?? '')?.[1] ?? Number.NaN);
  return {
    login: valueAfter('Account'),
    name: valueAfter('Name'),
    currency: valueAfter('Currency'),
    // The page's title comes first, then the broker's name in large letters.
    broker: report.texts.find((text) => !/^Statement:/.test(text)),
    leverage: Number.isFinite(leverage) ? leverage : undefined,
    marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
  };
}

export const isP4Account = (report: ReportTables): boolean =>
  report.loose.some(
    (row) =>
      row.cells.some((cell) => /^Account:/.test(cell)) &&
      row.cells.some((cell) => /^Currency:/.test(cell)),
  );

/** p4 statements are English whatever the terminal's language. */
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

export function readP4Stated(report: ReportTables): StatedFigures {
  const pairs = report.loose.flatMap((row) => {
    // "Largest | profit trade: | 1 | loss trade: | -1": the first cell belongs to both labels.
    const first = row.cells.find((cell) => cell !== '') ?? '';
    const prefix = first.endsWith(':') ? '' : `${first} `;
    return labelledOf(row).map(({ label, value }) => {
      const plain = label.replace(/\s*\(.*\)$/, '').toLowerCase();
      return { key: KEYS.get(plain) ?? KEYS.get(`${prefix}${plain}`.toLowerCase()), value };
    });
  });
  const style = styleOfFigures(pairs.flatMap(({ key, value }) => (key ? [value] : [])));
  const figures: StatedFigures = {};
  for (const { key, value } of pairs) if (key) putFigure(figures, key, value, style);
  return figures;
}
