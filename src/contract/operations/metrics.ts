import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTimeText,
  count,
  currency,
  idText,
  linkedPageOf,
  page,
  record,
  words,
} from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { computing, MAX_TRADE_ID } from './historical-trades.ts';

/** The newest days and months of a history, and the symbols that are told apart. */
export const MAX_GROWTH_DAYS = 6000;
export const MAX_MONTHS = 1200;
const MAX_SYMBOLS = 501;
const MAX_DRAWDOWNS = 10;

const number = (description: string) => Type.Number({ description });
const maybe = (description: string) => Type.Optional(Type.Number({ description }));
const maybeAmount = (description: string) => Type.Optional(amount(description));
const maybeTime = (description: string) => Type.Optional(brokerTimeText(description));
const date = (description: string) => answerText(10, description);

const streak = record('Streak', {
  count: count('Trades in a row'),
  money: amount('Sum of their net profits'),
});

const holdingTimes = record('HoldingTimes', {
  averageMinutes: number('Minutes'),
  medianMinutes: number('Minutes; exact, or within 2 % of many different ones'),
  shortestMinutes: number('Minutes'),
  longestMinutes: number('Minutes'),
});

const growthFields = {
  trades: count('Closed positions'),
  lots: number('Lots of those'),
  pips: maybe('Pips of those that have any'),
  profit: amount('Results that were booked: also commissions of entries and partial closes'),
  gains: maybe('Time-weighted, in percent'),
  transfers: amount('Deposits less withdrawals'),
  balance: amount('Balance at the end'),
  totalProfit: amount('Results since the account began'),
  totalGains: maybe('Time-weighted gain since the account began, in percent'),
  drawdownProfit: amount('Largest fall of the results below their highest in it'),
  drawdownPercentage: maybe('Fall of the time-weighted index below its highest, at the end'),
  belowPeak: maybe('The deepest such fall in it, in percent'),
};
const dailyGrowth = record('DailyGrowth', {
  date: date('YYYY-MM-DD, broker time'),
  ...growthFields,
});
const monthlyAnalytics = record('MonthlyAnalytics', {
  date: date('YYYY-MM, broker time'),
  ...growthFields,
});

const period = record('PeriodMetrics', {
  trades: count('Closed positions'),
  profit: amount('Results that were booked'),
  lots: number('Lots'),
  pips: maybe('Pips'),
  gain: maybe('Time-weighted, in percent'),
});

const ruinRisk = record('RiskOfRuin', {
  lossSize: number('Share of the balance; 0.1 stands for 10 %'),
  probabilityOfLoss: number('Probability that it is lost some day, 0 to 1'),
  consecutiveLosingTrades: count('Average losses in a row that make it up'),
});

const drawdownPeriod = record('DrawdownPeriod', {
  depthPercent: number('Deepest fall below the high, in percent of it'),
  startDate: date('First day below the high'),
  troughDate: date('Deepest day'),
  recoveryDate: Type.Optional(date('First day back at the high; absent while it is not')),
});

const risk = record('RiskMetrics', {
  series: words(['balance', 'equity'], {
    description: 'What the daily returns are made of: the deals, or the equity of snapshots',
  }),
  equitySince: Type.Optional(date('First day of the equity; days before are of the balance')),
  days: count('Days with a return'),
  annualReturn: maybe('Compounded over 252 days, in percent'),
  volatility: maybe('Sample deviation × √252, in percent'),
  sharpeRatio: maybe('Mean ÷ sample deviation × √252'),
  sortinoRatio: maybe('Mean ÷ downside deviation × √252'),
  calmarRatio: maybe('annualReturn ÷ maxDrawdown'),
  omegaRatio: maybe('Sum of the gains ÷ sum of the losses'),
  ulcerIndex: number('Root of the mean square of the falls below the highest, in percent'),
  valueAtRisk: maybe('The return that one day in twenty falls below, in percent'),
  conditionalValueAtRisk: maybe('Mean return of those days, in percent'),
  skewness: maybe('Of the daily returns'),
  kurtosis: maybe('Of the daily returns, above that of a normal distribution'),
  probabilisticSharpeRatio: maybe('How sure it is that the true ratio is above 0, in percent'),
  maxDrawdown: number('Deepest fall at the end of a day, in percent'),
  drawdowns: Type.Array(drawdownPeriod, {
    maxItems: MAX_DRAWDOWNS,
    description: 'The deepest ones, deepest first',
  }),
});

const groupFields = {
  trades: count('Closed positions'),
  wonTrades: count('Those with a net profit above zero'),
  wonTradesPercent: number('5 stands for 5 %'),
  profit: amount('Net profit'),
  lots: number('Lots'),
  pips: maybe('Of the trades that have pips'),
};
const symbolGroup = record('TradesOfSymbol', { symbol: answerText(64, 'Symbol'), ...groupFields });
const weekdayGroup = record('TradesOfWeekDay', {
  day: Type.Integer({ description: 'Weekday of broker time, Sunday 0 to Saturday 6' }),
  ...groupFields,
});
const hourGroup = record('TradesOfHour', {
  hour: Type.Integer({ description: 'Hour of broker time' }),
  ...groupFields,
});

const tradeFields = {
  trades: count('Closed positions'),
  wonTrades: count('Those with a net profit above zero'),
  wonTradesPercent: maybe('5 stands for 5 %'),
  lostTrades: count('The others'),
  lostTradesPercent: maybe('5 stands for 5 %'),
  longTrades: count('Positions that were bought'),
  longWonTrades: count('Won ones among them'),
  longWonTradesPercent: maybe('5 stands for 5 %'),
  longProfit: amount('Their net profit'),
  shortTrades: count('Positions that were sold'),
  shortWonTrades: count('Won ones among them'),
  shortWonTradesPercent: maybe('5 stands for 5 %'),
  shortProfit: amount('Their net profit'),
  lots: number('Lots of the closed positions'),
  pips: maybe('Sum of the pips of the trades that have pips'),
  wonPips: maybe('Those of the won trades'),
  lostPips: maybe('Those of the lost trades'),
  grossProfit: amount('Sum of the net profits above zero'),
  grossLoss: amount('Sum of the net profits below zero; not positive'),
  netProfit: amount('Of closed positions, net of swap, commission and fee'),
  profitFactor: maybe('grossProfit ÷ |grossLoss|'),
  expectancy: maybeAmount('Net profit per trade'),
  expectancyPips: maybe('Pips per trade that has pips'),
  averageWin: maybeAmount('Average net profit of the won trades'),
  averageWinPips: maybe('Average pips of the won trades'),
  averageLoss: maybeAmount('Average net profit of the lost trades'),
  averageLossPips: maybe('Average pips of the lost trades'),
  bestTrade: maybeAmount('Largest net profit'),
  bestTradeId: Type.Optional(answerText(MAX_TRADE_ID, 'Its position id')),
  bestTradeDate: maybeTime('When it closed'),
  bestTradePips: maybe('Most pips'),
  bestTradePipsDate: maybeTime('When that trade closed'),
  worstTrade: maybeAmount('Smallest net profit'),
  worstTradeId: Type.Optional(answerText(MAX_TRADE_ID, 'Its position id')),
  worstTradeDate: maybeTime('When it closed'),
  worstTradePips: maybe('Least pips'),
  worstTradePipsDate: maybeTime('When that trade closed'),
  standardDeviationProfit: maybeAmount('Of the net profits, dividing by their number'),
  kurtosisProfit: maybe('Of the net profits, above a normal distribution; from 30 trades on'),
  averageTradeLengthInMilliseconds: maybe('From the first entry to the last exit'),
};

export const accountMetrics = record('AccountMetrics', {
  currency,
  inclusive: Type.Boolean({ description: 'Whether open positions are included' }),
  balance: amount('Sum of all deals without credit'),
  equity: amount('Equity of the last snapshot; balance and credit where none came'),
  equityPercent: maybe('Equity in percent of the balance'),
  credit: amount('Sum of the credit deals'),
  deposits: amount('Money paid in'),
  withdrawals: amount('Money paid out; not negative'),
  highestBalance: amount('Highest balance'),
  highestBalanceDate: maybeTime('When it was first there'),
  profit: amount('Of all deals but deposits, withdrawals and credit, when they were booked'),
  commissions: amount('Commission of all deals'),
  interest: amount('Swap of all deals'),
  fee: amount('Fee of all deals'),
  gain: maybe(
    'Time-weighted rate of return, in percent; absent where the history does not begin with money',
  ),
  absoluteGain: maybe('Profit in percent of all deposits'),
  dailyGain: maybe('Compounded gain of a calendar day since the first trade, in percent'),
  monthlyGain: maybe('Compounded gain of a month of 30.44 days; the whole gain of less than one'),
  cagr: maybe('Compound annual growth rate, in percent; from 30 days on'),
  mar: maybe('cagr ÷ maxDrawdown.maximalPercent'),
  ...tradeFields,
  streaks: record('Streaks', {
    longestWin: streak,
    longestLoss: streak,
    largestWin: streak,
    largestLoss: streak,
    averageWins: maybe('Average number of wins in a row'),
    averageLosses: maybe('Average number of losses in a row'),
  }),
  maxDrawdown: record('MaxDrawdown', {
    absolute: amount('How far the results fell below the start'),
    maximal: amount('Largest fall from a high, transfers left out'),
    maximalPercent: maybe('The same of the time-weighted index, in percent; absent as gain is'),
  }),
  balanceDrawdown: record('BalanceDrawdown', {
    absolute: amount('Start less lowest balance'),
    maximal: amount('Largest fall from a high'),
    maximalPercent: number('That fall in percent of its high'),
    relative: amount('The fall that is largest in percent of its high'),
    relativePercent: number('The percentage of that fall'),
  }),
  recoveryFactor: maybe('profit ÷ maxDrawdown.maximal'),
  sharpeRatio: maybe('Per trade; with 30 trades or more'),
  sortinoRatio: maybe('Per trade; with 30 trades or more'),
  averageHoldingPeriodReturn: maybe('Mean return of a trade on the balance before it, in percent'),
  geometricHoldingPeriodReturn: maybe('The geometric mean, in percent'),
  zScore: maybe('With 30 trades or more'),
  probability: maybe('Of chance sequences that lie nearer to 0 than the z-score, in percent'),
  riskOfRuin: Type.Array(ruinRisk, { maxItems: 10, description: 'Empty without a loss' }),
  risk,
  holdingTimes: record('HoldingTimesByOutcome', {
    all: Type.Optional(holdingTimes),
    won: Type.Optional(holdingTimes),
    lost: Type.Optional(holdingTimes),
  }),
  tradingStartBrokerTime: maybeTime('When the first position opened that is closed'),
  lastTradeTime: maybeTime('When the last position closed'),
  daysSinceTradingStarted: Type.Optional(count('Whole days')),
  tradesPerDay: maybe('Trades per begun day'),
  periods: record('Periods', {
    today: Type.Optional(period),
    thisWeek: Type.Optional(period),
    thisMonth: Type.Optional(period),
    thisYear: Type.Optional(period),
  }),
  dailyGrowth: Type.Array(dailyGrowth, { maxItems: MAX_GROWTH_DAYS, description: 'The newest' }),
  monthlyAnalytics: Type.Array(monthlyAnalytics, {
    maxItems: MAX_MONTHS,
    description: 'The newest',
  }),
  bySymbol: Type.Array(symbolGroup, { maxItems: MAX_SYMBOLS }),
  closeTradesByWeekDay: Type.Array(weekdayGroup, { maxItems: 7 }),
  openTradesByHour: Type.Array(hourGroup, { maxItems: 24 }),
  closeTradesByHour: Type.Array(hourGroup, { maxItems: 24 }),
});
export type AccountMetricsRecord = Static<typeof accountMetrics>;

export const readMetricsOperation = defineOperation({
  operationId: 'readMetrics',
  method: 'GET',
  path: '/users/current/accounts/:accountId/metrics',
  base: 'stats',
  scope: 'read',
  summary: 'Statistics of an account',
  description:
    'Over the whole history. A figure that is not defined, such as an average of nothing, is absent. 202 while the trades are being computed. 403 when statistics are not enabled on the account.',
  params: accountParams,
  querystring: Type.Object({
    includeOpenPositions: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Counts what open positions stand at by the last snapshot as a result of now: in profit, gain, drawdowns and growth, not in the trades',
      }),
    ),
  }),
  response: { 200: accountMetrics, 202: computing },
  errors: [404],
});

const openTrade = record('OpenTrade', {
  _id: answerText(MAX_TRADE_ID, 'Account id, a plus sign and position id'),
  accountId: idText('Account id'),
  positionId: answerText(MAX_TRADE_ID, 'Position id'),
  type: answerText(64, 'Type of the opening deal'),
  symbol: Type.Optional(answerText(64, 'Symbol')),
  volume: number('Lots still open'),
  openTime: brokerTimeText('When the position opened'),
  openPrice: maybe('Volume-weighted'),
  durationInMinutes: Type.Integer({ description: 'Until now, whole minutes' }),
  realisedProfit: amount('What partial closes brought, before swap, commission and fee'),
  swap: amount('Swap'),
  commission: amount('Commission'),
  fee: amount('Fee'),
  comment: Type.Optional(answerText(4000, 'Comment')),
});

export const readOpenTradesOperation = defineOperation({
  operationId: 'readOpenTrades',
  method: 'GET',
  path: '/users/current/accounts/:accountId/open-trades',
  base: 'stats',
  scope: 'read',
  summary: 'Open positions',
  description:
    'In the order of opening, as far as the deals tell; prices of now are not known here. 202 while the trades are being computed. 403 when statistics are not enabled on the account.',
  params: accountParams,
  querystring: Type.Object(page),
  response: { 200: linkedPageOf(openTrade), 202: computing },
  isPaged: true,
  errors: [404],
});
