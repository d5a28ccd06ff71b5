import type { BrokerClock, BrokerTimeMs } from '../domain/broker-time.ts';
import type { Deal } from '../domain/deal.ts';
import type { Money, Volume } from '../domain/money.ts';
import type { AccountMarginMode, Platform } from '../words/accounts.ts';
import type { TableMapping } from './flat/mappings.ts';
import type { TableSample } from './flat/table-sample.ts';
import type { Reading } from './readings.ts';

export type StatementKind =
  | 'p4-statement'
  | 'p4-tester'
  | 'p5-history'
  | 'p5-tester'
  | 'p5-trade'
  | 'closed-trades'
  | 'deals'
  | 'list-of-trades'
  | 'open-trades';

/** The largest fall from a peak; the name of the field says of what. */
export type StatedDrawdown = { amount?: Money | undefined; percent?: number | undefined };

/**
 * Figures as printed (rounded), under snake_case keys: `balance`, `total_net_profit`,
 * `maximal_drawdown` and `maximal_drawdown_pct`, `max_consecutive_wins` and
 * `max_consecutive_wins_paren` (the figure in parentheses), `avg_holding_seconds`.
 */
export type StatedFigures = Record<string, number>;

/**
 * A report's own figures, for comparison with the sums of its deals. A field is absent if the
 * report does not state it.
 */
export type Stated = {
  login?: string | undefined;
  /** Of a terminal's report: its family. */
  platform?: Platform | undefined;
  name?: string | undefined;
  broker?: string | undefined;
  currency?: string | undefined;
  /** 100 means 1:100. */
  leverage?: number | undefined;
  marginMode?: AccountMarginMode | undefined;
  /** When the report was made, and its stated period. */
  madeTimeMs?: BrokerTimeMs | undefined;
  periodFromMs?: BrokerTimeMs | undefined;
  periodToMs?: BrokerTimeMs | undefined;
  balance?: Money | undefined;
  equity?: Money | undefined;
  credit?: Money | undefined;
  floatingProfit?: Money | undefined;
  initialDeposit?: Money | undefined;
  /** Deposits less withdrawals. */
  transfers?: Money | undefined;
  /** Of all trades with their costs. */
  netProfit?: Money | undefined;
  /** Deals that closed volume. */
  trades?: number | undefined;
  /** Deals that opened or closed volume. */
  deals?: number | undefined;
  openPositions?: number | undefined;
  maximalBalanceDrawdown?: StatedDrawdown | undefined;
  maximalEquityDrawdown?: StatedDrawdown | undefined;
  /** All figures, including those above. */
  figures: StatedFigures;
};

/** A position that was open when the report was made. Money as in deals, not yet in the balance. */
export type OpenPosition = {
  positionId: string;
  type: 'DEAL_TYPE_BUY' | 'DEAL_TYPE_SELL';
  symbol: string;
  volume: Volume;
  openTimeMs: BrokerTimeMs;
  openPrice: number;
  currentPrice?: number | undefined;
  profit: Money;
  swap: Money;
  commission: Money;
  comment?: string | undefined;
};

export type WarningCode =
  | 'row_not_understood'
  | 'rows_not_understood'
  | 'balance_carried_in'
  | 'net_profit_differs'
  | 'trade_count_differs'
  | 'holding_times_differ'
  | 'position_ambiguous'
  | 'position_unexplained'
  | 'entry_not_listed'
  | 'open_positions_only'
  | 'stated_figures_incomplete'
  | 'head_missing'
  | 'column_not_taken'
  | 'reading_assumed'
  | 'reading_contradicted'
  | 'open_times_unknown'
  | 'deal_type_unknown'
  | 'symbols_unknown'
  | 'comments_cut'
  | 'duplicate_deal';

export type StatementWarning = { code: WarningCode; message: string; line?: number | undefined };

export type Statement = {
  kind: StatementKind;
  platform: Platform;
  /** ISO 639-1, if shown by the headings. */
  language?: string | undefined;
  stated: Stated;
  /** In the order of compareDeals; each within the API's bounds for deals. */
  deals: Deal[];
  /**
   * Stated balance less everything listed: the part that the report does not list. Absent without a
   * stated balance, and for a list of open positions.
   */
  carriedInBalance?: Money | undefined;
  openPositions: OpenPosition[];
  /** For tables: the beginning of the first one, and the assumed fields of its columns. */
  table?: TableSample | undefined;
  /** Questions that the file left open, and the answers taken. */
  readings: Reading[];
  warnings: StatementWarning[];
};

export type ReadOptions = {
  /** Money is in integer units of 10^-moneyDigits. */
  moneyDigits: number;
  /** That of the account, unless the file names another one. */
  currency?: string | undefined;
  /** The broker's clock, for files whose times have a zone; without it they stay as written. */
  clock?: BrokerClock | undefined;
  /** For a table with rows of several accounts: those of this login. */
  login?: string | undefined;
  /** A user's explanations of unknown tables. */
  mappings?: readonly TableMapping[] | undefined;
  /** Called from time to time with the finished share, 0–1. */
  onProgress?: ((doneShare: number) => void) | undefined;
};
