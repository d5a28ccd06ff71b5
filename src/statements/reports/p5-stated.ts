import type { AccountMarginMode } from '../../words/accounts.ts';
import type { Stated, StatedFigures } from '../statement.ts';
import { parseReportTime } from '../times.ts';
import type { ReportTables } from './report-tables.ts';
import { leverageOf, statedOf } from './stated.ts';
import { figuresInOrder, type Labelled, labelledOf, STREAK_KEYS } from './stated-figures.ts';

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
  stated: Stated;
  /** Figures expected in the report, but not found. */
  missing: number;
  /** Whether the rows with the account, or the settings of the tester, are there. */
  isHeaded: boolean;
};

/** The head and the figures of a p5 report. */
export function readP5Head(report: ReportTables, isSnapshot: boolean, moneyDigits: number): P5Head {
  const pairs = report.loose.flatMap((row) => {
    const found = labelledOf(row);
    // A label alone in its row is a heading ("Balance Drawdown:").
    return found.length === 1 && found[0]?.value === '' ? [] : found;
  });
  const accountAt = pairs.findIndex(({ value }) => ACCOUNT.test(value));
  if (accountAt >= 0) return readAccountHead(pairs, accountAt, isSnapshot, moneyDigits);
  const leverageAt = pairs.findIndex(({ value }) => leverageOf(value) !== undefined);
  if (leverageAt >= 0) return readTesterHead(pairs, leverageAt, moneyDigits);
  return readHeadless(pairs, isSnapshot, moneyDigits);
}

/**
 * `1513621052 (USD, Server, demo, Hedge)`, in 2016 `3873474 (USD, 1:100, Server, demo)`; some mask
 * the login.
 */
const ACCOUNT = /^(\S.*?) ?\(([A-Z]{3,5}), ?(.*)\)$/;
const MODES: Record<string, AccountMarginMode> = {
  hedge: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
  netting: 'ACCOUNT_MARGIN_MODE_RETAIL_NETTING',
  exchange: 'ACCOUNT_MARGIN_MODE_EXCHANGE',
};

function readAccountHead(
  pairs: Labelled[],
  accountAt: number,
  isSnapshot: boolean,
  moneyDigits: number,
): P5Head {
  const [, login = '', currency, rest = ''] = ACCOUNT.exec(pairs[accountAt]?.value ?? '') ?? [];
  const parts = rest.split(/, ?/);
  // Name, account, broker and date stand in this order; a broker's name may be missing.
  const after = pairs.slice(accountAt + 1, accountAt + 3).map(({ value }) => value);
  const dateAt = after.findIndex((value) => /^\d{4}\.\d{2}\.\d{2} /.test(value));
  const figures = pairs.slice(accountAt + 1 + dateAt + 1).map(({ value }) => value);
  const keys = isSnapshot ? ACCOUNT_KEYS : HISTORY_KEYS;
  return {
    kind: isSnapshot ? 'p5-trade' : 'p5-history',
    stated: {
      ...statedOf(withRatio(figuresInOrder(figures, keys)), moneyDigits),
      login: /^\d+$/.test(login) ? login : undefined,
      name: accountAt > 0 ? pairs[accountAt - 1]?.value || undefined : undefined,
      ...{ currency, broker: dateAt === 0 ? undefined : after[0] },
      leverage: parts.map(leverageOf).find((ratio) => ratio !== undefined),
      marginMode: parts.map((part) => MODES[part.toLowerCase()]).find((mode) => mode),
      madeTimeMs: parseReportTime(after[dateAt] ?? ''),
    },
    missing: Math.max(0, keys.length - figures.length),
    isHeaded: true,
  };
}

/**
 * Without its head rows a history still ends with its figures: those of the account, the results,
 * or both.
 */
function readHeadless(pairs: Labelled[], isSnapshot: boolean, moneyDigits: number): P5Head {
  const values = pairs.map(({ value }) => value).filter((value) => /^[-\u2212]?\d/.test(value));
  const results = HISTORY_KEYS.slice(ACCOUNT_KEYS.length);
  const keys = [HISTORY_KEYS, results, ACCOUNT_KEYS].find(({ length }) => length === values.length);
  return {
    kind: isSnapshot ? 'p5-trade' : 'p5-history',
    stated: statedOf(keys ? withRatio(figuresInOrder(values, keys)) : {}, moneyDigits),
    missing: 0,
    isHeaded: false,
  };
}

/** Workbooks have the computed margin level, pages a percentage. */
function withRatio({ margin_level: ratio, ...figures }: StatedFigures): StatedFigures {
  return ratio === undefined ? figures : { ...figures, margin_level_ratio: ratio };
}

const HOLDING_KEYS = ['min_holding_seconds', 'max_holding_seconds', 'avg_holding_seconds'];

function readTesterHead(pairs: Labelled[], leverageAt: number, moneyDigits: number): P5Head {
  const setting = (back: number) => pairs[leverageAt - back]?.value ?? '';
  const results = pairs.slice(leverageAt + 1).map(({ value }) => value);
  // Correlations and holding times come after the figures in pages, between them in workbooks.
  const holdingAt = results.findIndex((value) => HOLDING.test(value));
  const apart = holdingAt >= 3 ? results.splice(holdingAt - 3, 6) : [];
  const figures = {
    ...figuresInOrder([setting(1)], ['initial_deposit']),
    ...figuresInOrder(results, TESTER_KEYS),
    ...figuresInOrder(apart.slice(0, 3), CORRELATION_KEYS),
  };
  for (const [index, key] of HOLDING_KEYS.entries()) {
    const seconds = secondsOf(apart[3 + index] ?? '');
    if (seconds !== undefined) figures[key] = seconds;
  }
  for (const key of ['history_quality', 'margin_level_min']) {
    const percent = figures[`${key}_pct`];
    if (percent === undefined) continue;
    figures[key] = percent;
    delete figures[`${key}_pct`];
  }
  if (figures.initial_deposit !== undefined && figures.total_net_profit !== undefined)
    figures.balance = Number((figures.initial_deposit + figures.total_net_profit).toFixed(2));
  const period = pairs.map(({ value }) => PERIOD.exec(value)).find((match) => match);
  return {
    kind: 'p5-tester',
    stated: {
      ...statedOf(figures, moneyDigits),
      currency: /^[A-Z]{3,5}$/.test(setting(2)) ? setting(2) : undefined,
      broker: setting(3) || undefined,
      leverage: leverageOf(pairs[leverageAt]?.value ?? ''),
      periodFromMs: period ? parseReportTime(period[1] ?? '') : undefined,
      periodToMs: period ? parseReportTime(period[2] ?? '') : undefined,
    },
    missing: Math.max(0, TESTER_KEYS.length - results.length),
    isHeaded: true,
  };
}

/** `M1 (2025.01.15 - 2026.01.15)` */
const PERIOD = /\((\d{4}\.\d{2}\.\d{2}) - (\d{4}\.\d{2}\.\d{2})\)$/;
/** `3357:28:17` */
const HOLDING = /^(\d+):(\d{2}):(\d{2})$/;

function secondsOf(text: string): number | undefined {
  const match = HOLDING.exec(text);
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : undefined;
}
