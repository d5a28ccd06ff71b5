import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { accountParams } from './accounts.ts';

const number = (description: string) => Type.Number({ description });
const maybe = (description: string) => Type.Optional(Type.Number({ description }));

const winLoss = Type.Object({
  trades: Type.Integer(),
  won: Type.Integer({ description: 'Net profit above zero' }),
  lost: Type.Integer(),
  wonPercent: maybe('5 stands for 5 %'),
  lostPercent: maybe('5 stands for 5 %'),
  grossProfit: number('Sum of the results above zero'),
  grossLoss: number('Sum of the results below zero; not positive'),
  netProfit: number('Net of swap, commission and fee'),
  profitFactor: maybe('grossProfit / |grossLoss|'),
  expectancy: maybe('Net profit per trade'),
  averageWin: maybe('Average result of the won trades'),
  averageLoss: maybe('Average result of the lost trades'),
  largestWin: maybe('Largest result'),
  largestLoss: maybe('Smallest result'),
});

const extremeTrade = Type.Object({
  positionId: Type.String(),
  symbol: Type.Optional(Type.String()),
  profit: Type.Number(),
  closeTime: Type.String(),
});

const streak = Type.Object({ count: Type.Integer(), money: Type.Number() });

const holdingTimes = Type.Object({
  averageMinutes: Type.Number(),
  medianMinutes: Type.Number(),
  shortestMinutes: Type.Number(),
  longestMinutes: Type.Number(),
});

const growth = Type.Object({
  date: Type.String({ description: 'YYYY-MM-DD or YYYY-MM, broker time' }),
  trades: Type.Integer(),
  profit: Type.Number(),
  gain: maybe('Time-weighted, in percent'),
  belowPeak: maybe('Deepest fall of the time-weighted index from its high until then, in percent'),
  transfers: number('Deposits less withdrawals'),
  balance: number('At the end, open positions included'),
});

const group = (key: ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>) =>
  Type.Object({
    key,
    trades: Type.Integer(),
    won: Type.Integer(),
    wonPercent: Type.Number(),
    profit: Type.Number(),
    volume: number('Lots'),
    pips: maybe('Of the trades that have pips'),
  });

export const accountMetrics = Type.Object(
  {
    currency: Type.String(),
    balance: Type.Number(),
    equity: number('Of the last snapshot; the balance where none came'),
    credit: Type.Optional(Type.Number()),
    deposits: Type.Number(),
    withdrawals: number('Not negative'),
    profit: number('Of trades, and of costs and income without a position'),
    ...winLoss.properties,
    longTrades: winLoss,
    shortTrades: winLoss,
    bestTrade: Type.Optional(extremeTrade),
    worstTrade: Type.Optional(extremeTrade),
    streaks: Type.Object({
      longestWin: streak,
      longestLoss: streak,
      largestWin: streak,
      largestLoss: streak,
      averageWins: maybe('Average length'),
      averageLosses: maybe('Average length'),
    }),
    commission: Type.Number(),
    swap: Type.Number(),
    fee: Type.Number(),
    volume: number('Lots'),
    pips: Type.Optional(Type.Number()),
    averagePips: Type.Optional(Type.Number()),
    gain: maybe(
      'Time-weighted rate of return, in percent; absent where the history does not begin with money',
    ),
    absoluteGain: maybe('Profit in percent of all deposits'),
    maxDrawdown: Type.Object({
      absolute: number('How far the results fell below the start'),
      maximal: number('Largest fall from a high, by closed trades, transfers left out'),
      maximalPercent: maybe('The same of the time-weighted index, in percent; absent as gain is'),
    }),
    recoveryFactor: Type.Optional(Type.Number()),
    standardDeviation: maybe('Of the net profits of the trades'),
    sharpeRatio: maybe('Per trade; from 30 trades on'),
    sortinoRatio: maybe('Per trade; from 30 trades on'),
    averageHoldingPeriodReturn: Type.Optional(Type.Number()),
    geometricHoldingPeriodReturn: Type.Optional(Type.Number()),
    zScore: maybe('From 30 trades on'),
    holdingTimes: Type.Object({
      all: Type.Optional(holdingTimes),
      won: Type.Optional(holdingTimes),
      lost: Type.Optional(holdingTimes),
    }),
    firstTradeTime: Type.Optional(Type.String()),
    lastTradeTime: Type.Optional(Type.String()),
    daysSinceFirstTrade: Type.Optional(Type.Integer()),
    tradesPerDay: Type.Optional(Type.Number()),
    dailyGrowth: Type.Array(growth),
    monthlyGrowth: Type.Array(growth),
    bySymbol: Type.Array(group(Type.String())),
    byWeekday: Type.Array(
      group(Type.Integer({ description: 'Sunday 0 to Saturday 6, of closing' })),
    ),
    byOpenHour: Type.Array(group(Type.Integer())),
    byCloseHour: Type.Array(group(Type.Integer())),
  },
  { $id: 'AccountMetrics' },
);
export type AccountMetricsRecord = Static<typeof accountMetrics>;

const computing = Type.Object({ status: Type.String(), message: Type.String() });

export const readMetricsOperation = defineOperation({
  operationId: 'readMetrics',
  method: 'GET',
  path: '/users/current/accounts/:accountId/metrics',
  base: 'stats',
  scope: 'read',
  summary: 'Statistics of an account; a figure that is not defined is absent',
  params: accountParams,
  isLong: true,
  response: { 200: accountMetrics, 202: computing },
  errors: [404],
});

const openTrade = Type.Object(
  {
    _id: Type.String(),
    accountId: Type.String(),
    positionId: Type.String(),
    type: Type.String(),
    symbol: Type.Optional(Type.String()),
    volume: number('Lots still open'),
    openTime: Type.String(),
    openPrice: maybe('Volume-weighted'),
    durationInMinutes: Type.Integer({ description: 'Until now, whole minutes' }),
    realisedProfit: number('What partial closes brought, before swap, commission and fee'),
    swap: Type.Number(),
    commission: Type.Number(),
    fee: Type.Number(),
    comment: Type.Optional(Type.String()),
  },
  { $id: 'OpenTrade' },
);

export const readOpenTradesOperation = defineOperation({
  operationId: 'readOpenTrades',
  method: 'GET',
  path: '/users/current/accounts/:accountId/open-trades',
  base: 'stats',
  scope: 'read',
  summary: 'Positions that are open, as far as the deals tell',
  params: accountParams,
  isLong: true,
  response: { 200: Type.Array(openTrade), 202: computing },
  errors: [404],
});
