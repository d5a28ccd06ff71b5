import { type Deal, isCredit, isTradeDeal, moneyOf } from '../../domain/deal.ts';
import { type ReportFigures, reportFigures } from '../../domain/metrics/report-figures.ts';
import type { WinLoss } from '../../domain/metrics/win-loss.ts';
import { fromUnits, type Money } from '../../domain/money.ts';
import type { Platform } from '../../words/accounts.ts';
import type { OpenPosition, StatedFigures, Statement, StatementKind } from '../statement.ts';

type Figures = Record<string, number | undefined>;

/** Kinds whose figures the terminal computes from the listed deals. */
const REPORTS: ReadonlySet<StatementKind> = new Set<StatementKind>([
  'p4-statement',
  'p4-tester',
  'p5-history',
  'p5-tester',
]);

/**
 * Figures of a tester from the equity of every tick, which no report lists: p4's drawdowns, and
 * p5's Sharpe ratio and recovery factor.
 */
const OF_TICKS: Partial<Record<StatementKind, RegExp>> = {
  'p4-tester': /drawdown/,
  'p5-tester': /^(?:sharpe_ratio|recovery_factor)$/,
};

/**
 * The figures of a report recomputed from its lists, by its terminal's rules and under the keys of
 * StatedFigures. Absent: figures that do not follow from the deals, and those that are not defined.
 * For ratios to zero and the like, reports print 0.
 */
export function computedFigures(
  statement: Pick<Statement, 'kind' | 'platform' | 'deals' | 'openPositions' | 'carriedInBalance'>,
  moneyDigits: number,
): StatedFigures {
  const { kind, platform, deals, openPositions, carriedInBalance } = statement;
  const money = (units: Money | undefined): number | undefined =>
    units === undefined ? undefined : fromUnits(units, moneyDigits);
  const isReport = REPORTS.has(kind);
  const figures: Figures = {
    ...accountFigures(deals, openPositions, platform, money),
    ...(isReport
      ? resultFigures(reportFigures(deals, platform, carriedInBalance), kind, money)
      : {}),
  };
  if (!isReport) for (const key of LISTED_ONLY) delete figures[key];
  const isOfTicks = OF_TICKS[kind];
  return Object.fromEntries(
    Object.entries(figures).flatMap(([key, value]) =>
      value === undefined || isOfTicks?.test(key) ? [] : [[key, value] as const],
    ),
  );
}

/** Figures that a list of open positions does not determine. */
const LISTED_ONLY = ['balance', 'equity', 'credit_facility', 'deposit_withdrawal', 'closed_pl'];

type InMoney = (units: Money | undefined) => number | undefined;

function accountFigures(
  deals: readonly Deal[],
  openPositions: readonly OpenPosition[],
  platform: Platform,
  money: InMoney,
): Figures {
  let [balance, credit, net, transfers] = [0, 0, 0, 0];
  for (const deal of deals) {
    const amount = moneyOf(deal);
    if (isCredit(deal)) credit += amount;
    else balance += amount;
    if (isTradeDeal(deal)) net += amount;
    else if (!isCredit(deal)) transfers += amount;
  }
  let [floating, held] = [0, 0];
  for (const { profit, swap, commission } of openPositions) {
    held += profit + swap + commission;
    // p4 prints the floating result with swap and commission, p5 without the swap.
    floating += platform === 'p4' ? profit + swap + commission : profit;
  }
  return {
    balance: money(balance),
    equity: money(balance + credit + held),
    credit_facility: money(credit),
    floating_pl: money(floating),
    deposit_withdrawal: money(transfers),
    initial_deposit: money(transfers),
    closed_pl: money(net),
    closed_trade_pl: money(net),
    total_deals: deals.filter(isTradeDeal).length,
  };
}

function resultFigures(figures: ReportFigures, kind: StatementKind, money: InMoney): Figures {
  const { streaks, balanceLine } = figures;
  // p4 statements print the gross loss without its sign.
  const grossLoss = kind === 'p4-statement' ? -figures.grossLoss || 0 : figures.grossLoss;
  return {
    ...drawdownFigures(figures, kind, money),
    total_net_profit: money(figures.netProfit),
    gross_profit: money(figures.grossProfit),
    gross_loss: money(grossLoss),
    profit_factor: figures.profitFactor ?? 0,
    expected_payoff: money(figures.expectancy) ?? 0,
    total_trades: figures.trades,
    ...side('short', figures.shortTrades),
    ...side('long', figures.longTrades),
    profit_trades: figures.won,
    profit_trades_pct: figures.wonPercent ?? 0,
    loss_trades: figures.lost,
    loss_trades_pct: figures.lostPercent ?? 0,
    largest_profit_trade: money(figures.largestWin) ?? 0,
    largest_loss_trade: money(figures.largestLoss) ?? 0,
    average_profit_trade: money(figures.averageWin) ?? 0,
    average_loss_trade: money(figures.averageLoss) ?? 0,
    max_consecutive_wins: streaks.longestWin.count,
    max_consecutive_wins_paren: money(streaks.longestWin.money),
    max_consecutive_losses: streaks.longestLoss.count,
    max_consecutive_losses_paren: money(streaks.longestLoss.money),
    maximal_consecutive_profit: money(streaks.largestWin.money),
    maximal_consecutive_profit_paren: streaks.largestWin.count,
    maximal_consecutive_loss: money(streaks.largestLoss.money),
    maximal_consecutive_loss_paren: streaks.largestLoss.count,
    avg_consecutive_wins: Math.round(streaks.averageWins ?? 0),
    avg_consecutive_losses: Math.round(streaks.averageLosses ?? 0),
    recovery_factor: figures.recoveryFactor ?? 0,
    sharpe_ratio: figures.sharpeRatio ?? 0,
    z_score: figures.zScore ?? 0,
    z_score_pct: figures.zScorePercent ?? 0,
    ahpr: figures.averageHoldingPeriodReturn ?? 0,
    ahpr_pct: percentAbove(figures.averageHoldingPeriodReturn),
    ghpr: figures.geometricHoldingPeriodReturn ?? 0,
    ghpr_pct: percentAbove(figures.geometricHoldingPeriodReturn),
    lr_correlation: balanceLine.correlation ?? 0,
    lr_standard_error: money(balanceLine.standardError) ?? 0,
  };
}

/** p4 and p5 have different names for the drawdown of the balance. */
function drawdownFigures({ drawdown }: ReportFigures, kind: StatementKind, money: InMoney) {
  const prefix = kind.startsWith('p5') ? 'balance_drawdown_' : '';
  const suffix = kind.startsWith('p5') ? '' : '_drawdown';
  return {
    [`${prefix}absolute${suffix}`]: money(drawdown.absolute),
    [`${prefix}maximal${suffix}`]: money(drawdown.maximal),
    [`${prefix}maximal${suffix}_pct`]: drawdown.maximalPercent,
    [`${prefix}relative${suffix}`]: money(drawdown.relative),
    [`${prefix}relative${suffix}_pct`]: drawdown.relativePercent,
  };
}

const side = (name: string, { trades, wonPercent }: WinLoss): Figures => ({
  [`${name}_trades`]: trades,
  [`${name}_trades_pct`]: wonPercent ?? 0,
  [`${name}_positions`]: trades,
  [`${name}_positions_pct`]: wonPercent ?? 0,
});

const percentAbove = (ratio: number | undefined): number =>
  ratio === undefined ? 0 : (ratio - 1) * 100;
