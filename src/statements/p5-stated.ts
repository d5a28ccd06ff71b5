import type { ReportTables } from './report-tables.ts';
import { figuresInOrder, type Labelled, labelledOf, STREAK_KEYS } from './stated-figures.ts';
import type { StatedFigures, StatementAccount } from './statement.ts';

/** Labels and their order are the same in every language and build; only the words differ. */
const ACCOUNT_KEYS = [
  'balance',
  'free_margin',
  'credit_facility',
  'margin',
  'floating_pl',
  'margin_level',
  'equity',
] as const;

const [PROFIT_TRADES, LOSS_TRADES, ...STREAKS] = STREAK_KEYS;

const HISTORY_KEYS = [
  ...ACCOUNT_KEYS,
  'total_net_profit',
  'gross_profit',
  'gross_loss',
  'profit_factor',
  'expected_payoff',
  'recovery_factor',
  'sharpe_ratio',
  'balance_drawdown_absolute',
  'balance_drawdown_maximal',
  'balance_drawdown_relative',
  'total_trades',
  'short_trades',
  'long_trades',
  ...STREAK_KEYS,
] as const;

const TESTER_KEYS = [
  'history_quality',
  'bars',
  'ticks',
  'symbols',
  'total_net_profit',
  'balance_drawdown_absolute',
  'equity_drawdown_absolute',
  'gross_profit',
  'balance_drawdown_maximal',
  'equity_drawdown_maximal',
  'gross_loss',
  'balance_drawdown_relative',
  'equity_drawdown_relative',
  'profit_factor',
  'expected_payoff',
  'margin_level_min',
  'recovery_factor',
  'sharpe_ratio',
  'z_score',
  'ahpr',
  'lr_correlation',
  'ontester_result',
  'ghpr',
  'lr_standard_error',
  'total_trades',
  'short_trades',
  'long_trades',
  'total_deals',
  PROFIT_TRADES,
  LOSS_TRADES,
  ...STREAKS,
] as const;

const CORRELATION_KEYS = ['corr_profit_mfe', 'corr_profit_mae', 'corr_mfe_mae'] as const;

export type P5Head = {
  kind: 'p5-history' | 'p5-trade' | 'p5-tester';
  account: StatementAccount;
  stated: StatedFigures;
  /** Figures that the report has a place for, but that were not found. */
  missing: number;
};

/** The head and the figures of a p5 report; undefined when it has neither an account nor settings. */
export function readP5Head(report: ReportTables, isSnapshot: boolean): P5Head | undefined {
  const pairs = report.loose.flatMap((row) => {
    const found = labelledOf(row);
    // A label alone in its row is a heading ("Balance Drawdown:").
    return found.length === 1 && found[0]?.value === '' ? [] : found;
  });
  const accountAt = pairs.findIndex(({ value }) => ACCOUNT.test(value));
  if (accountAt >= 0) return readAccountHead(pairs, accountAt, isSnapshot);
  const leverageAt = pairs.findIndex(({ value }) => /^1:\d+$/.test(value));
  return leverageAt >= 0 ? readTesterHead(pairs, leverageAt) : undefined;
}

/** `1513621052 (USD, Server, demo, Hedge)`, in 2016 `3873474 (USD, 1:100, Server, demo)`. */
const ACCOUNT = /^(\d+) \(([A-Z]{3,5}), (.*)\)$/;

function readAccountHead(pairs: Labelled[], accountAt: number, isSnapshot: boolean): P5Head {
  const [, login, currency, rest = ''] = ACCOUNT.exec(pairs[accountAt]?.value ?? '') ?? [];
  const parts = rest.split(', ');
  const mode = parts.at(-1)?.toLowerCase();
  const leverage = parts.map((part) => /^1:(\d+)$/.exec(part)?.[1]).find((part) => part);
  // Name, account, broker and date stand in this order; a broker's name may be missing.
  const after = pairs.slice(accountAt + 1, accountAt + 3).map(({ value }) => value);
  const dateAt = after.findIndex((value) => /^\d{4}\.\d{2}\.\d{2} /.test(value));
  const broker = dateAt === 0 ? undefined : after[0];
  const figures = pairs.slice(accountAt + 1 + dateAt + 1).map(({ value }) => value);
  const keys = isSnapshot ? ACCOUNT_KEYS : HISTORY_KEYS;
  const stated = figuresInOrder(figures, keys);
  if (stated.margin_level !== undefined) {
    // Workbooks hold the level as it is computed, pages as a percentage.
    stated.margin_level_ratio = stated.margin_level;
    delete stated.margin_level;
  }
  return {
    kind: isSnapshot ? 'p5-trade' : 'p5-history',
    account: {
      ...{ login, currency, broker },
      name: accountAt > 0 ? pairs[accountAt - 1]?.value : undefined,
      leverage: leverage ? Number(leverage) : undefined,
      marginMode:
        mode === 'hedge'
          ? 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING'
          : mode === 'netting'
            ? 'ACCOUNT_MARGIN_MODE_RETAIL_NETTING'
            : mode === 'exchange'
              ? 'ACCOUNT_MARGIN_MODE_EXCHANGE'
              : undefined,
    },
    stated,
    missing: Math.max(0, keys.length - figures.length),
  };
}

function readTesterHead(pairs: Labelled[], leverageAt: number): P5Head {
  const setting = (back: number) => pairs[leverageAt - back]?.value ?? '';
  const results = pairs.slice(leverageAt + 1).map(({ value }) => value);
  // Correlations and holding times come after the figures in pages, amid them in workbooks.
  const holdingAt = results.findIndex((value) => /^\d+:\d{2}:\d{2}$/.test(value));
  const correlations = holdingAt >= 3 ? results.splice(holdingAt - 3, 6).slice(0, 3) : [];
  const stated = {
    ...figuresInOrder([setting(1)], ['initial_deposit']),
    ...figuresInOrder(results, TESTER_KEYS),
    ...figuresInOrder(correlations, CORRELATION_KEYS),
  };
  for (const key of ['history_quality', 'margin_level_min']) {
    const percent = stated[`${key}_pct`];
    if (percent === undefined) continue;
    stated[key] = percent;
    delete stated[`${key}_pct`];
  }
  if (stated.initial_deposit !== undefined && stated.total_net_profit !== undefined)
    stated.balance = Number((stated.initial_deposit + stated.total_net_profit).toFixed(2));
  return {
    kind: 'p5-tester',
    account: {
      currency: setting(2) || undefined,
      broker: setting(3) || undefined,
      leverage: Number(pairs[leverageAt]?.value.slice(2)),
    },
    stated,
    missing: Math.max(0, TESTER_KEYS.length - results.length),
  };
}
