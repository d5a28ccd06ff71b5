import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  count,
  currency,
  idText,
  isoTime,
  MAX_PAGE,
  pathId,
  record,
  words,
} from '../primitives.ts';
import { MAX_NAMED_ACCOUNTS } from './live-standing.ts';

/** Hours that one answer holds. */
export const MAX_CURVE_HOURS = MAX_PAGE;

const inCurrency = (description: string) =>
  Type.Number({ description: `${description}, in the currency of the curve` });

const curveHour = record('CombinedCurveHour', {
  startTime: isoTime('Start of the hour'),
  balance: inCurrency('Sum of the balances at the end of the hour'),
  equity: inCurrency('Sum of the equities at the end of the hour'),
  accounts: count('How many accounts it is of: those that had a reading by then'),
  quiet: count('How many of them had no reading within the hour: their last one counts on'),
});

const curveRate = record('CurveRate', {
  currency,
  rate: Type.Number({ description: 'Units of the currency of the curve for one of this currency' }),
  symbols: Type.Array(answerText(128, 'Symbol of a pair'), {
    maxItems: 2,
    description: 'The pair that was quoted, or the two that were joined',
  }),
  quotedBy: Type.Array(idText('Account id'), {
    maxItems: 2,
    description: 'For each of the symbols, the account whose market has the quote',
  }),
  quoteTime: isoTime('When the quote was made, of two the older'),
});

const leftOut = record('LeftOutAccount', {
  accountId: idText('Account id'),
  reason: words(['noRate', 'noReadings'], {
    description:
      'noRate: no quote of the last seven days converts its currency; noReadings: none before the end of the range',
  }),
});

const combinedCurve = record('CombinedCurve', {
  currency,
  hours: Type.Array(curveHour, {
    maxItems: MAX_CURVE_HOURS,
    description: 'In order, from the first with an account to the running one',
  }),
  rates: Type.Array(curveRate, {
    maxItems: MAX_NAMED_ACCOUNTS,
    description: 'Of the accounts that were converted, in the order of their currencies',
  }),
  leftOut: Type.Array(leftOut, {
    maxItems: MAX_NAMED_ACCOUNTS,
    description: 'Accounts that are not in the curve, in the order in which they were asked for',
  }),
});
export type CombinedCurveRecord = Static<typeof combinedCurve>;

export const readCombinedCurveOperation = defineOperation({
  operationId: 'readCombinedCurve',
  method: 'GET',
  path: '/users/current/equity-curve',
  base: 'risk',
  scope: 'read',
  summary: 'One curve of several accounts in one currency',
  description: `Balance and equity of the accounts together, by hours of UTC that begin in [the hour of startTime, endTime), at most ${MAX_CURVE_HOURS}; default: the last 30 days. Each account counts with its last reading before the end of an hour, from its first reading on. As of a moment ago: what came just now may be missing.\n\nOther currencies are converted with the newest quotes of the accounts' markets (\`putMarket\`), of those that the token reaches: the middle of bid and ask of the pair, else of the inverse pair, else of two pairs by way of USD or EUR, none older than seven days. The whole range is converted at the one rate of now, so the curve moves with trading, not with currencies. Sums are exact and rounded once, to the digits that money of the currency has, halves away from zero.`,
  querystring: Type.Object({
    accountId: Type.Array(pathId('Account id'), {
      minItems: 1,
      maxItems: MAX_NAMED_ACCOUNTS,
      uniqueItems: true,
      description: 'The accounts, the parameter repeated',
    }),
    currency,
    startTime: Type.Optional(isoTime('Start of the range')),
    endTime: Type.Optional(isoTime('End of the range, exclusive; default: now')),
  }),
  response: { 200: combinedCurve },
  errors: [404],
});
