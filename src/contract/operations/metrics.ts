import Type, { type Static } from 'typebox';
import { CLOSED_SIDES } from '../../words/accounts.ts';
import { MEASURED_FIGURES } from '../../words/programs.ts';
import { DURATION_WORDS, TABLE_KEY_WORDS, TABLE_KEYS } from '../../words/statistics.ts';
import { wordsOf } from '../../words/words-of.ts';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTimeText,
  count,
  currency,
  flag,
  idText,
  linkedPageOf,
  optionalText,
  page,
  record,
  setOf,
  words,
} from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { computing, MAX_TRADE_ID } from './historical-trades.ts';

/** The newest days and months of a history, and the symbols with figures of their own. */
export const MAX_GROWTH_DAYS = 6000;
export const MAX_MONTHS = 1200;
const MAX_SYMBOLS = 501;
/** Rows of a table of statistics. */
export const MAX_TABLE_ROWS = 25_000;
/** Trades whose excursions one answer looks for. */
export const MAX_EXCURSION_TRADES = 2000;
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
  lots: number('Lots of closed positions'),
  pips: maybe('Pips of the positions with pips'),
  profit: amount('Booked results, including commissions of entries and partial closes'),
  gains: maybe('Time-weighted, in percent'),
  transfers: amount('Deposits less withdrawals'),
  balance: amount('Balance at the end'),
  totalProfit: amount('Results since the account began'),
  totalGains: maybe('Time-weighted gain since the account began, in percent'),
  drawdownProfit: amount('Largest fall of the results below their highest in it'),
  drawdownPercentage: maybe('Fall of the time-weighted index below its highest, at the end'),
  belowPeak: maybe('Deepest such fall within it, in percent'),
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
  profit: amount('Booked results'),
  lots: number('Lots'),
  pips: maybe('Pips'),
  gain: maybe('Time-weighted, in percent'),
  winRate: maybe('Won trades, in percent'),
  tradesDifference: Type.Integer({ description: 'Change from the whole previous period' }),
  profitDifference: amount('Change of the profit'),
  lotsDifference: number('Change of the lots'),
  pipsDifference: maybe('Change of the pips'),
  gainDifference: maybe('Change of the gain, in percentage points'),
  winRateDifference: maybe('Change of the win rate, in percentage points'),
});

const ruinRisk = record('RiskOfRuin', {
  lossSize: number('Share of the balance; 0.1 means 10 %'),
  probabilityOfLoss: number('Probability of ever losing it, 0 to 1'),
  consecutiveLosingTrades: count('Number of average losses in a row for that'),
});

const drawdownPeriod = record('DrawdownPeriod', {
  depthPercent: number('Deepest fall below the high, in percent of it'),
  startDate: date('First day below the high'),
  troughDate: date('Deepest day'),
  recoveryDate: Type.Optional(date('First day back at the high; absent while it is not')),
});

const risk = record('RiskMetrics', {
  series: words(wordsOf(MEASURED_FIGURES), {
    description: 'Source of the daily returns: the deals, or the equity of snapshots',
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
  tailRatio: maybe('Return that one day in twenty exceeds ÷ size of valueAtRisk'),
  skewness: maybe('Of the daily returns'),
  kurtosis: maybe('Of the daily returns, above that of a normal distribution'),
  probabilisticSharpeRatio: maybe('Probability that the true ratio is above 0, in percent'),
  maxDrawdown: number('Deepest fall at the end of a day, in percent'),
  drawdowns: Type.Array(drawdownPeriod, {
    maxItems: MAX_DRAWDOWNS,
    description: 'The deepest ones, deepest first',
  }),
});

const groupFields = {
  trades: count('Closed positions'),
  wonTrades: count('Those with a net profit above zero'),
  wonTradesPercent: number('5 means 5 %'),
  lostTrades: count('The others'),
  lostTradesPercent: number('5 means 5 %'),
  longTrades: count('Long positions'),
  longTradesPercent: number('5 means 5 %'),
  shortTrades: count('Short positions'),
  shortTradesPercent: number('5 means 5 %'),
  profit: amount('Net profit'),
  wonProfit: amount('Of the won trades'),
  lostProfit: amount('Of the lost trades; not positive'),
  longProfit: amount('Of the long positions'),
  shortProfit: amount('Of the short positions'),
  gains: maybe('Returns on the balance before each trade, compounded, in percent'),
  profitFactor: maybe('wonProfit ÷ |lostProfit|'),
  expectancy: maybeAmount('Net profit per trade'),
  averageWin: maybeAmount('Average net profit of the won trades'),
  averageLoss: maybeAmount('Average net profit of the lost trades'),
  averageMinutes: number('How long positions were held'),
  averageRiskMultiple: maybe('Net profit ÷ loss at the stop, if known'),
  lots: number('Lots'),
  pips: maybe('Of the trades with pips'),
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

const magic = Type.Optional(answerText(20, 'Magic number as text, or others; absent if unknown'));
const durationWord = words(DURATION_WORDS, {
  $id: 'TradeDuration',
  description: 'Holding time: from the first length on, below the second',
});
const magicGroup = record('TradesOfMagic', { magic, ...groupFields });
const durationGroup = record('TradesOfDuration', { duration: durationWord, ...groupFields });

const spanResults = (of: string) =>
  record(`ResultsOf${of}`, {
    best: maybeAmount('Largest net profit'),
    bestDate: Type.Optional(date('First day of it, YYYY-MM-DD')),
    worst: maybeAmount('Smallest net profit'),
    worstDate: Type.Optional(date('First day of it, YYYY-MM-DD')),
    profitable: count('With a net profit above zero'),
    losing: count('With a net profit below zero'),
  });

const tradeFields = {
  trades: count('Closed positions'),
  wonTrades: count('Those with a net profit above zero'),
  wonTradesPercent: maybe('5 means 5 %'),
  lostTrades: count('The others'),
  lostTradesPercent: maybe('5 means 5 %'),
  longTrades: count('Long positions'),
  longWonTrades: count('Won ones among them'),
  longWonTradesPercent: maybe('5 means 5 %'),
  longProfit: amount('Their net profit'),
  shortTrades: count('Short positions'),
  shortWonTrades: count('Won ones among them'),
  shortWonTradesPercent: maybe('5 means 5 %'),
  shortProfit: amount('Their net profit'),
  lots: number('Lots of the closed positions'),
  totalTradeMarketValue: maybeAmount('Sum of the market values that are known'),
  pips: maybe('Sum of the pips of trades with pips'),
  wonPips: maybe('Those of the won trades'),
  lostPips: maybe('Those of the lost trades'),
  grossProfit: amount('Sum of the net profits above zero'),
  grossLoss: amount('Sum of the net profits below zero; not positive'),
  netProfit: amount('Of closed positions, net of swap, commission and fee'),
  profitFactor: maybe('grossProfit ÷ |grossLoss|'),
  expectancy: maybeAmount('Net profit per trade'),
  expectancyPips: maybe('Pips per trade with pips'),
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
  payoffRatio: maybe('Average win ÷ size of the average loss'),
  kellyPercent: maybe('Share won − share lost ÷ payoffRatio: the Kelly criterion, in percent'),
  systemQualityNumber: maybe('√trades × mean net profit ÷ its standard deviation'),
  gainToPainRatio: maybe('Net profit ÷ size of the losses of losing months'),
  riskMultiples: Type.Optional(
    record('RiskMultiples', {
      trades: count('Trades with a known stop that limited the loss'),
      total: number('Sum of net profit ÷ loss at the stop'),
      average: number('Its mean'),
      standardDeviation: number('Dividing by their number'),
      best: number('The largest'),
      worst: number('The smallest'),
      plannedReward: maybe('Mean of target ÷ stop, of trades with both'),
    }),
  ),
  excursions: Type.Optional(
    record(
      'Excursions',
      {
        lookedAt: count(
          `The newest trades since the account has snapshots, at most ${MAX_EXCURSION_TRADES}`,
        ),
        trades: count('Those of them whose excursions are known, as searchTrades has them'),
        averageAdverse: maybeAmount('Average maximum adverse excursion'),
        worstAdverse: maybeAmount('The deepest'),
        averageFavourable: maybeAmount('Average maximum favourable excursion'),
        bestFavourable: maybeAmount('The highest'),
        capturedPercent: maybe('Their net profits ÷ their favourable excursions, in percent'),
      },
      { description: 'If requested' },
    ),
  ),
  calendarResults: record('CalendarResults', {
    days: spanResults('Days'),
    weeks: spanResults('Weeks'),
    months: spanResults('Months'),
  }),
};

const streaks = record('Streaks', {
  longestWin: streak,
  longestLoss: streak,
  largestWin: streak,
  largestLoss: streak,
  averageWins: maybe('Average number of wins in a row'),
  averageLosses: maybe('Average number of losses in a row'),
});

/** Statistics of a set of closed positions: all of an account, or a part of them. */
const spreadFields = {
  streaks,
  sharpeRatio: maybe('Per trade; with 30 trades or more'),
  sortinoRatio: maybe('Per trade; with 30 trades or more'),
  averageHoldingPeriodReturn: maybe('Mean return of a trade on the balance before it, in percent'),
  geometricHoldingPeriodReturn: maybe('The geometric mean, in percent'),
  zScore: maybe('With 30 trades or more'),
  probability: maybe('Random sequences nearer to 0 than the z-score, in percent'),
  holdingTimes: record('HoldingTimesByOutcome', {
    all: Type.Optional(holdingTimes),
    won: Type.Optional(holdingTimes),
    lost: Type.Optional(holdingTimes),
  }),
  tradingStartBrokerTime: maybeTime('When the first of the closed positions opened'),
  lastTradeTime: maybeTime('When the last position closed'),
  bySymbol: Type.Array(symbolGroup, { maxItems: MAX_SYMBOLS }),
  byMagic: Type.Array(magicGroup, { maxItems: MAX_SYMBOLS }),
  byDuration: Type.Array(durationGroup, { maxItems: DURATION_WORDS.length }),
  closeTradesByWeekDay: Type.Array(weekdayGroup, { maxItems: 7 }),
  openTradesByHour: Type.Array(hourGroup, { maxItems: 24 }),
  closeTradesByHour: Type.Array(hourGroup, { maxItems: 24 }),
};

export const accountMetrics = record('AccountMetrics', {
  kind: words(['account'], { description: 'Which statistics these are' }),
  currency,
  inclusive: Type.Boolean({ description: 'Whether open positions are included' }),
  balance: amount('Sum of all deals without credit'),
  equity: amount('Equity of the last snapshot; balance and credit if there was none'),
  equityPercent: maybe('Equity in percent of the balance'),
  credit: amount('Sum of the credit deals'),
  deposits: amount('Money paid in'),
  withdrawals: amount('Money paid out; not negative'),
  highestBalance: amount('Highest balance'),
  highestBalanceDate: maybeTime('When it was first reached'),
  profit: amount('Of all deals except deposits, withdrawals and credit, at the time of booking'),
  commissions: amount('Commission of all deals'),
  interest: amount('Swap of all deals'),
  fee: amount('Fee of all deals'),
  gain: maybe(
    'Time-weighted rate of return, in percent; absent if the history does not begin with money',
  ),
  absoluteGain: maybe('Profit in percent of all deposits'),
  dailyGain: maybe('Compounded gain per calendar day since the first trade, in percent'),
  monthlyGain: maybe('Compounded gain per month of 30.44 days; the whole gain if shorter'),
  cagr: maybe('Compound annual growth rate, in percent; from 30 days on'),
  mar: maybe('cagr ÷ maxDrawdown.maximalPercent'),
  ...tradeFields,
  ...spreadFields,
  maxDrawdown: record('MaxDrawdown', {
    absolute: amount('How far the results fell below the start'),
    maximal: amount('Largest fall from a high, without transfers'),
    maximalPercent: maybe('Likewise of the time-weighted index, in percent; absent if gain is'),
  }),
  balanceDrawdown: record('BalanceDrawdown', {
    absolute: amount('Start less lowest balance'),
    maximal: amount('Largest fall from a high'),
    maximalPercent: number('That fall in percent of its high'),
    relative: amount('The largest fall in percent of its high'),
    relativePercent: number('The percentage of that fall'),
  }),
  recoveryFactor: maybe('profit ÷ maxDrawdown.maximal'),
  riskOfRuin: Type.Array(ruinRisk, { maxItems: 10, description: 'Empty without a loss' }),
  risk,
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
});
export type AccountMetricsRecord = Static<typeof accountMetrics>;

/** Input: a time, or a date for its beginning. */
export const moment = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'broker-moment',
      maxLength: 23,
      description: `${description}, broker time YYYY-MM-DD HH:mm:ss.SSS, or YYYY-MM-DD for its start`,
    }),
  );

const side = words(CLOSED_SIDES, { $id: 'ClosedSide', description: 'Bought, or sold' });

/** A filter of trades: the property that a part of them shares. */
const partQuery = {
  from: moment('Closed at or after this'),
  to: moment('Closed before this'),
  symbol: optionalText(64, 'Symbol, as the platform names it'),
  side: Type.Optional(side),
  magic: Type.Optional(
    Type.Integer({
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Magic number of the expert; 0 for manual trades',
    }),
  ),
  comment: optionalText(64, 'Part of the comment (its first 64 characters), in any case'),
};

const partFields = {
  ...{ profit: amount('Net profit'), gain: maybe('Time-weighted, in percent') },
  commissions: amount('Commission of the trades'),
  interest: amount('Swap of the trades'),
  fee: amount('Fee of the trades'),
};

const partMetrics = record(
  'PartMetrics',
  {
    kind: words(['part'], { description: 'Which statistics these are' }),
    currency,
    part: record('MetricsPart', {
      ...{ from: maybeTime('As requested'), to: maybeTime('As requested') },
      symbol: Type.Optional(answerText(64, 'As requested')),
      side: Type.Optional(side),
      magic: Type.Optional(Type.Integer({ description: 'As requested' })),
      comment: Type.Optional(answerText(64, 'As requested')),
    }),
    ...partFields,
    ...tradeFields,
    ...spreadFields,
    maxDrawdown: record('PartDrawdown', {
      absolute: amount('How far the results fell below the start'),
      maximal: amount('Largest fall from a high'),
    }),
    recoveryFactor: maybe('profit ÷ maxDrawdown.maximal'),
    before: Type.Optional(
      record(
        'PartBefore',
        {
          ...{ from: maybeTime('Beginning'), to: maybeTime('End') },
          ...groupFields,
        },
        { description: 'The figures of the previous stretch of equal length; if from is given' },
      ),
    ),
    risk: Type.Optional(risk),
    deposits: maybeAmount('Money paid in'),
    withdrawals: maybeAmount('Money paid out; not negative'),
    dailyGrowth: Type.Optional(Type.Array(dailyGrowth, { maxItems: MAX_GROWTH_DAYS })),
    monthlyAnalytics: Type.Optional(Type.Array(monthlyAnalytics, { maxItems: MAX_MONTHS })),
  },
  {
    description:
      'Statistics of a part of the trades. The gain, risk, transfers, days and months are present if only whole days were requested: they belong to the account, not to some of its trades',
  },
);
export type PartMetricsRecord = Static<typeof partMetrics>;

export const readMetricsOperation = defineOperation({
  operationId: 'readMetrics',
  method: 'GET',
  path: '/users/current/accounts/:accountId/metrics',
  base: 'stats',
  scope: 'read',
  summary: 'Statistics of an account',
  description:
    'Over the whole history, or PartMetrics of the trades that match all conditions. An undefined figure, such as an average of nothing, is absent. 202 while the trades are being computed. 403 if statistics are not enabled on the account.',
  params: accountParams,
  querystring: Type.Object({
    includeOpenPositions: flag(
      'Counts the open result of the last snapshot as realised now: in profit, gain, drawdowns and growth, but not in the trades, nor in a part of them',
    ),
    includeExcursions: flag('Adds the maximum adverse and favourable excursions of the trades'),
    ...partQuery,
  }),
  response: { 200: Type.Union([accountMetrics, partMetrics]), 202: computing },
  isSentInParts: true,
  errors: [404],
});

const ANY_KEY = TABLE_KEY_WORDS.join('|');

const tableKey = words(TABLE_KEY_WORDS, {
  $id: 'TableKey',
  description: Object.entries(TABLE_KEYS)
    .map(([word, meaning]) => `${word}: ${meaning}`)
    .join('; '),
});

export const readMetricsTableOperation = defineOperation({
  operationId: 'readMetricsTable',
  method: 'GET',
  path: '/users/current/accounts/:accountId/metrics/table',
  base: 'stats',
  scope: 'read',
  summary: 'Statistics of an account, by up to two keys',
  description:
    'A row for each value of the keys, in the order of the values. 202 while the trades are being computed. 403 if statistics are not enabled on the account.',
  params: accountParams,
  querystring: Type.Object({
    by: Type.String({
      maxLength: 32,
      pattern: `^(?:${ANY_KEY})(?:,(?:${ANY_KEY}))?$`,
      expected: `must be one of ${TABLE_KEY_WORDS.join(', ')}, or two of them with a comma between`,
      description: 'One key, or two with a comma between: symbol,side',
    }),
    ...partQuery,
  }),
  response: {
    200: record('MetricsTable', {
      currency,
      by: setOf(tableKey, TABLE_KEY_WORDS.length),
      rows: Type.Array(
        record('MetricsTableRow', {
          symbol: Type.Optional(answerText(64, 'Symbol, or others')),
          side: Type.Optional(side),
          outcome: Type.Optional(words(['won', 'lost'], { description: 'won: a profit above 0' })),
          hour: Type.Optional(Type.Integer({ description: '0 to 23' })),
          weekday: Type.Optional(Type.Integer({ description: 'Sunday 0 to Saturday 6' })),
          month: Type.Optional(answerText(7, 'YYYY-MM')),
          duration: Type.Optional(durationWord),
          magic,
          ...groupFields,
        }),
        { maxItems: MAX_TABLE_ROWS },
      ),
    }),
    202: computing,
  },
  isSentInParts: true,
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
  durationInMinutes: Type.Integer({ description: 'Minutes until now, rounded down' }),
  realisedProfit: amount('Result of partial closes, before swap, commission and fee'),
  swap: amount('Swap'),
  commission: amount('Commission'),
  fee: amount('Fee'),
  comment: Type.Optional(answerText(4000, 'Comment of what opened it')),
});

export const readOpenTradesOperation = defineOperation({
  operationId: 'readOpenTrades',
  method: 'GET',
  path: '/users/current/accounts/:accountId/open-trades',
  base: 'stats',
  scope: 'read',
  summary: 'Open positions',
  description:
    'In the order of opening, according to the deals; current prices are not included. 202 while the trades are being computed. 403 if statistics are not enabled on the account.',
  params: accountParams,
  querystring: Type.Object(page),
  response: { 200: linkedPageOf(openTrade), 202: computing },
  isPaged: true,
  errors: [404],
});
