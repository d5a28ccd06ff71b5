import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { Deal } from '../domain/deal.ts';
import type { Money, Volume } from '../domain/money.ts';

export type StatementKind =
  | 'p4-statement'
  | 'p4-tester'
  | 'p5-history'
  | 'p5-tester'
  | 'p5-trade'
  | 'closed-trades-csv'
  | 'deals-csv'
  | 'deals-json';

export type StatementAccount = {
  login?: string | undefined;
  name?: string | undefined;
  currency?: string | undefined;
  broker?: string | undefined;
  /** 100 stands for 1:100. */
  leverage?: number | undefined;
  marginMode?: MarginMode | undefined;
};

export type MarginMode =
  | 'ACCOUNT_MARGIN_MODE_RETAIL_NETTING'
  | 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING'
  | 'ACCOUNT_MARGIN_MODE_EXCHANGE';

/**
 * What the report itself prints, as printed (rounded), under snake_case keys: `balance`,
 * `total_net_profit`, `maximal_drawdown` and `maximal_drawdown_pct`, `max_consecutive_wins` and
 * `max_consecutive_wins_paren` (the figure in parentheses).
 */
export type StatedFigures = Record<string, number>;

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
  | 'position_ambiguous'
  | 'entry_not_listed'
  | 'open_positions_only'
  | 'stated_figures_incomplete'
  | 'day_month_ambiguous'
  | 'duplicate_deal';

export type StatementWarning = { code: WarningCode; message: string; line?: number | undefined };

export type Statement = {
  kind: StatementKind;
  platform: 'p4' | 'p5';
  /** ISO 639-1, where the headings tell. */
  language?: string | undefined;
  account: StatementAccount;
  /** In the order of compareDeals. */
  deals: Deal[];
  stated: StatedFigures;
  /** Stated balance less all that is listed: what the report does not list. Absent without a stated balance. */
  carriedInBalance?: Money | undefined;
  openPositions: OpenPosition[];
  warnings: StatementWarning[];
};

export type ReadOptions = {
  /** Money is in integer units of 10^-moneyDigits. */
  moneyDigits: number;
  /** Called now and then with the share that is done, 0–1. */
  onProgress?: ((doneShare: number) => void) | undefined;
};
