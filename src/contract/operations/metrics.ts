import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTimeText,
  count,
  currency,
  idText,
  record,
} from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { computing, MAX_TRADE_ID } from './historical-trades.ts';

/** Calendar days, months and symbols that a history may touch. */
const [MAX_DAYS, MAX_MONTHS, MAX_SYMBOLS] = [4_000_000, 120_000, 1_000_000];
const MAX_OPEN_TRADES = 1_000_000;

const number = (description: string) => Type.Number({ description });
const maybe = (description: string) => Type.Optional(Type.Number({ description }));

const tradeSummaryFields = {
  trades: count('Closed positions'),
  won: count('Those with a net profit above zero'),
  lost: count('The others'),
  wonPercent: maybe('5 stands for 5 %'),
  lostPercent: maybe('5 stands for 5 %'),
  grossProfit: amount('Sum of the results above zero'),
  grossLoss: amount('Sum of the results below zero; not positive'),
  netProfit: amount('Net of swap, commission and fee'),
  profitFactor: maybe('grossProfit ÷ |grossLoss|'),
  expectancy: Type.Optional(amount('Net profit per trade')),
  averageWin: Type.Optional(amount('Average result of the won trades')),
  averageLoss: Type.Optional(amount('Average result of the lost trades')),
  largestWin: Type.Optional(amount('Largest result')),
  largestLoss: Type.Optional(amount('Smallest result')),
};
const tradeSummary = record('TradeSummary', tradeSummaryFields);

const extremeTrade = record('ExtremeTrade', {
  positionId: answerText(MAX_TRADE_ID, 'Position id'),
  symbol: Type.Optional(answerText(64, 'Symbol')),
  profit: amount('Net profit'),
  closeTime: brokerTimeText('When the position closed'),
});

const streak = record('Streak', {
  count: count('Trades in a row'),
  money: amount('Sum of their net profits'),
});

const holdingTimes = record('HoldingTimes', {
  averageMinutes: number('Minutes'),
  medianMinutes: number('Minutes'),
  shortestMinutes: number('Minutes'),
  longestMinutes: number('Minutes'),
});

const growth = record('Growth', {
  date: answerText(10, 'YYYY-MM-DD or YYYY-MM, broker time'),
  trades: count('Closed positions'),
  profit: amount('Result'),
  gain: maybe('Time-weighted, in percent'),
  belowPeak: maybe('Deepest fall of the time-weighted index from its high until then, in percent'),
  transfers: amount('Deposits less withdrawals'),
  balance: amount('Balance at the end, open positions included'),
});

const groupFields = {
  trades: count('Closed positions'),
  won: count('Those with a net profit above zero'),
  wonPercent: number('5 stands for 5 %'),
  profit: amount('Net profit'),
  volume: number('Lots'),
  pips: maybe('Of the trades that have pips'),
};
const symbolGroup = record('TradesOfSymbol', { key: answerText(64, 'Symbol'), ...groupFields });
const clockGroup = record('TradesOfClock', {
  key: Type.Integer({ description: 'Weekday, Sunday 0 to Saturday 6, or hour; broker time' }),
  ...groupFields,
});

export const accountMetrics = record('AccountMetrics', {
  currency,
  balance: amount('Sum of all deals without credit'),
  equity: amount('Equity of the last snapshot; the balance where none came'),
  credit: Type.Optional(amount('Sum of the credit deals')),
  deposits: amount('Money paid in'),
  withdrawals: amount('Money paid out; not negative'),
  profit: amount('Of trades, and of costs and income without a position'),
  ...tradeSummaryFields,
  longTrades: tradeSummary,
  shortTrades: tradeSummary,
  bestTrade: Type.Optional(extremeTrade),
  worstTrade: Type.Optional(extremeTrade),
  streaks: record('Streaks', {
    longestWin: streak,
    longestLoss: streak,
    largestWin: streak,
    largestLoss: streak,
    averageWins: maybe('Average number of wins in a row'),
    averageLosses: maybe('Average number of losses in a row'),
  }),
  commission: amount('Commission'),
  swap: amount('Swap'),
  fee: amount('Fee'),
  volume: number('Lots'),
  pips: maybe('Sum of the pips of the trades that have pips'),
  averagePips: maybe('Pips per trade that has pips'),
  gain: maybe(
    'Time-weighted rate of return, in percent; absent where the history does not begin with money',
  ),
  absoluteGain: maybe('Profit in percent of all deposits'),
  maxDrawdown: record('TradeDrawdown', {
    absolute: amount('How far the results fell below the start'),
    maximal: amount('Largest fall from a high, by closed trades, transfers left out'),
    maximalPercent: maybe('The same of the time-weighted index, in percent; absent as gain is'),
  }),
  recoveryFactor: maybe('profit ÷ maxDrawdown.maximal'),
  standardDeviation: Type.Optional(amount('Of the net profits of the trades')),
  sharpeRatio: maybe('Per trade; with 30 trades or more'),
  sortinoRatio: maybe('Per trade; with 30 trades or more'),
  averageHoldingPeriodReturn: maybe('Arithmetic mean of balance after ÷ before a trade'),
  geometricHoldingPeriodReturn: maybe('Geometric mean of balance after ÷ before a trade'),
  zScore: maybe('With 30 trades or more'),
  holdingTimes: record('HoldingTimesByOutcome', {
    all: Type.Optional(holdingTimes),
    won: Type.Optional(holdingTimes),
    lost: Type.Optional(holdingTimes),
  }),
  firstTradeTime: Type.Optional(brokerTimeText('When the first position opened')),
  lastTradeTime: Type.Optional(brokerTimeText('When the last position closed')),
  daysSinceFirstTrade: Type.Optional(count('Whole days')),
  tradesPerDay: maybe('Trades per begun day'),
  dailyGrowth: Type.Array(growth, { maxItems: MAX_DAYS }),
  monthlyGrowth: Type.Array(growth, { maxItems: MAX_MONTHS }),
  bySymbol: Type.Array(symbolGroup, { maxItems: MAX_SYMBOLS }),
  byWeekday: Type.Array(clockGroup, { maxItems: 7, description: 'Of closing' }),
  byOpenHour: Type.Array(clockGroup, { maxItems: 24 }),
  byCloseHour: Type.Array(clockGroup, { maxItems: 24 }),
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
    'As far as the deals tell; prices of now are not known here. 202 while the trades are being computed. 403 when statistics are not enabled on the account.',
  params: accountParams,
  response: { 200: Type.Array(openTrade, { maxItems: MAX_OPEN_TRADES }), 202: computing },
  errors: [404],
});
