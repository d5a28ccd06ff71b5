import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type Deal, moneyOf } from '../src/domain/deal.ts';
import { type ReportFigures, reportFigures } from '../src/domain/metrics/report-figures.ts';
import type { WinLoss } from '../src/domain/metrics/win-loss.ts';
import { currencyDigits } from '../src/domain/money.ts';
import { openPositionsOf } from '../src/domain/trades/open-trades.ts';
import { createTradeState, foldDeal } from '../src/domain/trades/trade-state.ts';
import { readStatement } from '../src/statements/read-statement.ts';

/**
 * Real reports state their own figures; computed from the deals that the same report lists, ours
 * must be equal to the last printed digit. The reports are nobody's to ship, so they lie beside the
 * project where they are at hand.
 */
const DATA = new URL('../../shared/data/', import.meta.url);
const ORACLES = new URL('oracles.json', DATA);
const KINDS = ['mt4-statement', 'mt4-tester', 'mt5-history', 'mt5-tester'];
const MONEY_DIGITS = 4;

/** Figures that do not follow from the deals of a kind of report, and why. */
const OUT_OF_REACH: Record<string, string[]> = {
  // The p4 tester's drawdown runs over the equity of every tick.
  'mt4-tester': [
    'absolute_drawdown',
    'maximal_drawdown',
    'maximal_drawdown_pct',
    'relative_drawdown',
    'relative_drawdown_pct',
  ],
  // The p5 tester divides by the drawdown of the equity; its Sharpe ratio since about 2020 is made
  // from the equity too. (The build of 2016 is held to it below.)
  'mt5-tester': ['recovery_factor', 'sharpe_ratio'],
  'public/mt5-tester/mihawk2016__MT5EA.html': ['recovery_factor'],
  // It starts before the second deposit: orders that were canceled before it are no deals.
  'public/mt4-statement/fpmk__DetailedStatement_comm.htm': [
    'maximal_drawdown_pct',
    'relative_drawdown_pct',
  ],
  'public/mt4-statement/fpmk__DetailedStatement_nocom.htm': [
    'maximal_drawdown_pct',
    'relative_drawdown_pct',
  ],
  // Orders that closed within one minute, listed by no rule that the report tells.
  'public/mt4-tester/chinhpl__StrategyTester_btcusd.htm': [
    'absolute_drawdown',
    'maximal_drawdown',
    'maximal_drawdown_pct',
    'relative_drawdown',
    'relative_drawdown_pct',
    'max_consecutive_wins',
    'max_consecutive_wins_paren',
    'maximal_consecutive_profit',
    'maximal_consecutive_profit_paren',
  ],
  // Three trades: the terminal's own formula of the correlation shows.
  'public/mt5-tester/didinska21__zero_to_hero_report.html': [
    'recovery_factor',
    'sharpe_ratio',
    'lr_correlation',
  ],
};

type Oracle = { file: string; kind: string; metrics: Record<string, number | string> };

const money = (units: number | undefined): number | undefined =>
  units === undefined ? undefined : units / 10 ** MONEY_DIGITS;

const streak = (name: string, { count, money: units }: { count: number; money: number }) => ({
  [`max_consecutive_${name}`]: count,
  [`max_consecutive_${name}_paren`]: money(units),
});

const side = (name: string, { trades, wonPercent }: WinLoss) => ({
  [`${name}_trades`]: trades,
  [`${name}_trades_pct`]: wonPercent,
  [`${name}_positions`]: trades,
  [`${name}_positions_pct`]: wonPercent,
});

const percentAbove = (ratio: number | undefined): number | undefined =>
  ratio === undefined ? undefined : (ratio - 1) * 100;

/** Our figures under the reports' names. p4 statements print the gross loss without its sign. */
function namedFigures(figures: ReportFigures, kind: string): Record<string, number | undefined> {
  const isP4 = kind.startsWith('mt4');
  const isUnsigned = kind === 'mt4-statement';
  const { drawdown, streaks, balanceLine } = figures;
  const falls = {
    absolute: money(drawdown.absolute),
    maximal: money(drawdown.maximal),
    maximal_pct: drawdown.maximalPercent,
    relative: money(drawdown.relative),
    relative_pct: drawdown.relativePercent,
  };
  const drawdowns = Object.entries(falls).map(([name, value]) => [
    isP4 ? name.replace(/^[a-z]+/, '$&_drawdown') : `balance_drawdown_${name}`,
    value,
  ]);
  return {
    ...Object.fromEntries(drawdowns),
    total_net_profit: money(figures.netProfit),
    gross_profit: money(figures.grossProfit),
    gross_loss: money(isUnsigned ? -figures.grossLoss : figures.grossLoss),
    profit_factor: figures.profitFactor,
    expected_payoff: money(figures.expectancy),
    total_trades: figures.trades,
    ...side('short', figures.shortTrades),
    ...side('long', figures.longTrades),
    profit_trades: figures.won,
    profit_trades_pct: figures.wonPercent,
    loss_trades: figures.lost,
    loss_trades_pct: figures.lostPercent,
    largest_profit_trade: money(figures.largestWin),
    largest_loss_trade: money(figures.largestLoss),
    average_profit_trade: money(figures.averageWin),
    average_loss_trade: money(figures.averageLoss),
    ...streak('wins', streaks.longestWin),
    ...streak('losses', streaks.longestLoss),
    maximal_consecutive_profit: money(streaks.largestWin.money),
    maximal_consecutive_profit_paren: streaks.largestWin.count,
    maximal_consecutive_loss: money(streaks.largestLoss.money),
    maximal_consecutive_loss_paren: streaks.largestLoss.count,
    avg_consecutive_wins: Math.round(streaks.averageWins ?? 0),
    avg_consecutive_losses: Math.round(streaks.averageLosses ?? 0),
    recovery_factor: figures.recoveryFactor,
    sharpe_ratio: figures.sharpeRatio,
    z_score: figures.zScore,
    z_score_pct: figures.zScorePercent,
    ahpr: figures.averageHoldingPeriodReturn,
    ahpr_pct: percentAbove(figures.averageHoldingPeriodReturn),
    ghpr: figures.geometricHoldingPeriodReturn,
    ghpr_pct: percentAbove(figures.geometricHoldingPeriodReturn),
    lr_correlation: balanceLine.correlation,
    lr_standard_error: money(balanceLine.standardError),
  };
}

/** Units of money have four digits. */
const AVERAGES = /^(?:expected_payoff|average_(?:profit|loss)_trade)$/;

/** The terminal computes its correlation by a formula that differs in the fifth digit. */
const CORRELATION_WITHIN = 1e-4;

/** The p4 tester rounds each row, so that sums of rows drift by some cents. */
const ROUNDED_ROWS = 0.05;

/** Half of the last printed digit; workbooks print more digits than pages do. */
function allowed(key: string, printed: number, printedDigits: number): number {
  const written = String(printed).split('.')[1]?.length ?? 0;
  const digits = Math.max(written, printedDigits);
  const half = 0.5 * 10 ** -(AVERAGES.test(key) ? Math.min(digits, 4) : digits) + 1e-9;
  return key === 'lr_correlation' ? Math.max(half, CORRELATION_WITHIN) : half;
}

function differences(
  ours: Record<string, number | undefined>,
  { file, kind, metrics }: Oracle,
  printedDigits: number,
): string[] {
  const exempt = OUT_OF_REACH[file] ?? OUT_OF_REACH[kind] ?? [];
  const isRounded = kind === 'mt4-tester';
  return Object.entries(ours).flatMap(([key, value]) => {
    const printed = metrics[key];
    if (typeof printed !== 'number' || exempt.includes(key)) return [];
    const within = allowed(key, printed, printedDigits) + (isRounded ? ROUNDED_ROWS : 0);
    // Reports print 0 for what is not defined.
    const isEqual = Math.abs((value ?? 0) - printed) <= within;
    return isEqual ? [] : [`${key}: ${value}, not ${printed}`];
  });
}

/** The trades of real deals have ids of their own and, with the open positions, all the money. */
function assertComplete(deals: Deal[]): void {
  const state = createTradeState();
  const trades = deals.flatMap((deal) => foldDeal(state, deal));
  assert.equal(new Set(trades.map((trade) => trade.id)).size, trades.length);
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const closed = sum(trades.map((trade) => trade.profit));
  const open = openPositionsOf(state).map(
    ({ realisedProfit, swap, commission, fee }) => realisedProfit + swap + commission + fee,
  );
  assert.equal(closed + sum(open), sum(deals.map(moneyOf)));
}

if (!existsSync(ORACLES)) {
  test('stated figures of real reports', { skip: 'no reports in ../shared/data' }, () => {});
} else {
  const oracles: Oracle[] = JSON.parse(await readFile(ORACLES, 'utf8'));
  for (const oracle of oracles.filter((each) => KINDS.includes(each.kind))) {
    const { file, kind, metrics } = oracle;
    if (metrics.total_trades === undefined) continue;
    test(`the figures of ${file} follow from its deals`, async () => {
      const bytes = await readFile(new URL(file, DATA));
      const statement = await readStatement(bytes, { moneyDigits: MONEY_DIGITS });
      const figures = reportFigures(
        statement.deals,
        statement.platform,
        statement.carriedInBalance,
      );
      const digits = currencyDigits(statement.stated.currency ?? 'USD');
      assertComplete(statement.deals);
      assert.deepEqual(differences(namedFigures(figures, kind), oracle, digits), []);
    });
  }
}
