import type { Platform } from '../../words/accounts.ts';
import { compareIds, type Deal, isTradeDeal, moneyOf } from '../deal.ts';
import type { Money } from '../money.ts';
import { tradesOf } from '../trades/trade-state.ts';
import { type BalanceDrawdown, balanceDrawdownOf } from './balance-drawdown.ts';
import {
  averageHoldingPeriodReturn,
  geometricHoldingPeriodReturn,
  returnSumsOf,
  returnsOf,
  sharpeRatioFrom,
} from './holding-period-returns.ts';
import { type LinearFit, linearFitOf } from './linear-regression.ts';
import { averageMoney, ratioOf, totalOf } from './ratio.ts';
import { type Streaks, streaksOf } from './streaks.ts';
import { type WinLoss, winLossOf } from './win-loss.ts';
import { zScoreOf, zScorePercentOf } from './z-score.ts';

/** The figures of a terminal's own report. Money in units; ratios as plain numbers. */
export type ReportFigures = WinLoss & {
  shortTrades: WinLoss;
  longTrades: WinLoss;
  streaks: Streaks;
  drawdown: BalanceDrawdown;
  /** Net profit over the maximal drawdown of the balance. */
  recoveryFactor?: number | undefined;
  sharpeRatio?: number | undefined;
  averageHoldingPeriodReturn?: number | undefined;
  geometricHoldingPeriodReturn?: number | undefined;
  zScore?: number | undefined;
  zScorePercent?: number | undefined;
  /** The line through the starting balance and the balances after each trade. */
  balanceLine: LinearFit;
};

/** A trade in terms of a report: its net result, and whether the position was long. */
type Counted = { result: Money; isLong: boolean };

/**
 * The figures of a report by the rules of its terminal, which are not those of account metrics. On
 * both, a result of zero is won, and deposits and withdrawals after the first trade are left out.
 *
 * p4: a trade is a closed ticket with all its money, by closing time; the balance moves by trades.
 * p5: a trade is a closing deal (out, in/out, out by) with its own money; gross profit and loss,
 * their averages and the balance include every deal, so that commissions on entry count there.
 *
 * @param balanceBefore balance that was carried into the report, without its deposits
 */
export function reportFigures(
  deals: readonly Deal[],
  platform: Platform,
  balanceBefore: Money = 0,
): ReportFigures {
  const counted = platform === 'p4' ? closedTickets(deals) : closingDeals(deals);
  const results = counted.map((each) => each.result);
  const changes = platform === 'p4' ? results : deals.filter(isTradeDeal).map(moneyOf);
  const start = balanceBefore + depositsBeforeTrading(deals, platform);
  const { grossProfit, grossLoss, netProfit } = winLossOf(changes);
  const drawdown = balanceDrawdownOf(start, changes);
  const { returns, balances } =
    platform === 'p4' ? courseOfResults(start, results) : courseOf(start, deals);
  const sums = returnSumsOf(returns);
  const zScore = zScoreOf(results, 'not-negative');
  const byTrade = winLossOf(results, 'not-negative');
  const wins = byTrade.won;
  return {
    ...byTrade,
    ...{ grossProfit, grossLoss, netProfit, drawdown },
    profitFactor: ratioOf(grossProfit, -grossLoss),
    expectancy: averageMoney(netProfit, counted.length),
    averageWin: averageMoney(grossProfit, wins),
    averageLoss: averageMoney(grossLoss, counted.length - wins),
    shortTrades: winLossOf(resultsOf(counted, false), 'not-negative'),
    longTrades: winLossOf(resultsOf(counted, true), 'not-negative'),
    streaks: streaksOf(results, 'not-negative'),
    balanceLine: linearFitOf(balances),
    recoveryFactor: ratioOf(netProfit, drawdown.maximal),
    sharpeRatio: sharpeRatioFrom(sums),
    averageHoldingPeriodReturn: averageHoldingPeriodReturn(sums),
    geometricHoldingPeriodReturn: geometricHoldingPeriodReturn(sums),
    zScore,
    zScorePercent: zScore === undefined ? undefined : zScorePercentOf(zScore),
  };
}

const closedTickets = (deals: readonly Deal[]): Counted[] =>
  tradesOf(deals)
    .filter(isTradeDeal)
    .sort((a, b) => a.closeTimeMs - b.closeTimeMs || compareIds(a.positionId, b.positionId))
    .map(({ profit, type }) => ({ result: profit, isLong: type === 'DEAL_TYPE_BUY' }));

const isClosing = (deal: Deal): boolean => isTradeDeal(deal) && deal.entry !== 'DEAL_ENTRY_IN';

const closingDeals = (deals: readonly Deal[]): Counted[] =>
  deals
    .filter(isClosing)
    .map((deal) => ({ result: moneyOf(deal), isLong: deal.type === 'DEAL_TYPE_SELL' }));

const resultsOf = (counted: readonly Counted[], isLong: boolean): Money[] =>
  counted.filter((each) => each.isLong === isLong).map((each) => each.result);

/** Only p5 leaves out withdrawals before the first trade. */
function depositsBeforeTrading(deals: readonly Deal[], platform: Platform): Money {
  const first = deals.findIndex(isTradeDeal);
  const before = first < 0 ? deals : deals.slice(0, first);
  return totalOf(before, (deal) =>
    platform === 'p4' ? moneyOf(deal) : Math.max(0, moneyOf(deal)),
  );
}

type Course = { returns: number[]; balances: Money[] };

/**
 * The return of each closing deal on the balance before it, and the balances after them. The
 * balance includes every deal, so that commissions on entry move it between two closings.
 */
function courseOf(start: Money, deals: readonly Deal[]): Course {
  const course: Course = { returns: [], balances: [start] };
  let balance = start;
  for (const deal of deals.filter(isTradeDeal)) {
    const result = moneyOf(deal);
    if (isClosing(deal) && balance > 0) course.returns.push(result / balance);
    balance += result;
    if (isClosing(deal)) course.balances.push(balance);
  }
  return course;
}

function courseOfResults(start: Money, results: readonly Money[]): Course {
  const balances = [start];
  for (const result of results) balances.push((balances.at(-1) ?? start) + result);
  return { returns: returnsOf(start, results), balances };
}
