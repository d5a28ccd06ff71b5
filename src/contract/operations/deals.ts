import Type, { type Static } from 'typebox';
import { DEAL_ENTRIES, DEAL_TYPES, MAX_LOTS } from '../../words/deals.ts';
import { defineOperation } from '../operation.ts';
import {
  brokerTime,
  count,
  idText,
  MAX_PAGE,
  MAX_PRICE,
  money,
  optionalComment,
  optionalText,
  page,
  pathId,
  record,
  words,
} from '../primitives.ts';
import { accountParams } from './accounts.ts';

export const MAX_DEALS_PER_REQUEST = 10_000;
/** Ten thousand deals of a generous 1.6 KB each. */
const DEALS_BODY_BYTES = 16 * 1024 * 1024;

export const dealType = words(DEAL_TYPES, {
  $id: 'DealType',
  description:
    'Kind of deal: an execution, or an operation on the balance. OTHER is for unknown kinds that moved the balance, OTHER_CREDIT for those that moved the credit',
});
const dealEntry = words(DEAL_ENTRIES, {
  $id: 'DealEntry',
  description: 'Whether an execution opens, closes, reverses or closes by',
});

const ONE_WORD = { pattern: '^[^\\p{Cc}]+$', expected: 'must not contain control characters' };
const ticket = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, ...ONE_WORD, description });

const level = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: MAX_PRICE, description });

/** Symbols have the platform's own names: `EURUSD.m`, `#AAPL`. */
export const symbolName = Type.String({
  minLength: 1,
  maxLength: 64,
  ...ONE_WORD,
  description: 'Symbol, as the platform names it',
});

/** A deal sent by a client. */
export const dealInput = record(
  'Deal',
  {
    id: ticket('Deal ticket; a deal with a known id is a duplicate and changes nothing'),
    positionId: Type.Optional(ticket('Position id; without it deals are netted per symbol')),
    type: dealType,
    entry: Type.Optional(dealEntry),
    symbol: Type.Optional(symbolName),
    volume: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_LOTS, description: 'Lots' })),
    price: Type.Optional(
      Type.Number({ minimum: -MAX_PRICE, maximum: MAX_PRICE, description: 'Price of execution' }),
    ),
    profit: money('Result before swap, commission and fee, or the amount of a balance operation'),
    swap: Type.Optional(money('Swap; a cost is negative')),
    commission: Type.Optional(money('Commission; a cost is negative')),
    fee: Type.Optional(money('Fee; a cost is negative')),
    brokerTime: brokerTime('When the deal was made'),
    comment: optionalComment(256, 'Comment'),
    magic: Type.Optional(
      Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Magic number of the expert; 0 for manual trades',
      }),
    ),
    stopLoss: Type.Optional(level('Price of the stop; for the opening deal, the planned one')),
    takeProfit: Type.Optional(level('Price of the target')),
    digits: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description: "Decimal digits of the symbol's price",
      }),
    ),
    contractSize: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: MAX_PRICE, description: 'Units of one lot' }),
    ),
  },
  { description: 'One execution or one operation on the balance' },
);
export type DealRecord = Static<typeof dealInput>;

const PATH = '/users/current/accounts/:accountId/deals';

export const recordDealsOperation = defineOperation({
  operationId: 'recordDeals',
  method: 'POST',
  path: PATH,
  base: 'stats',
  scope: 'ingest',
  summary: 'Record deals',
  description: `At most ${MAX_DEALS_PER_REQUEST} deals, as a JSON array or as NDJSON, one per line. Executions need symbol, volume and price. Deals may come late and in any order. Sent again, they change nothing. One bad row refuses all rows.`,
  params: accountParams,
  body: Type.Array(dealInput, { maxItems: MAX_DEALS_PER_REQUEST }),
  bodyLimitBytes: DEALS_BODY_BYTES,
  response: {
    200: record('RecordedDeals', {
      accepted: count('New deals'),
      duplicates: count('Known deals'),
    }),
  },
  errors: [404],
});

const dealParams = Type.Object({ ...accountParams.properties, dealId: pathId('Deal id') });
/** A position in the list of deals. */
const MAX_CURSOR = 256;

export const storedDeal = record(
  'StoredDeal',
  {
    ...dealInput.properties,
    importId: Type.Optional(idText('Id of the import that brought it')),
  },
  { description: 'A deal, and its source' },
);
export type StoredDealRecord = Static<typeof storedDeal>;

export const listDealsOperation = defineOperation({
  operationId: 'listDeals',
  method: 'GET',
  path: PATH,
  base: 'stats',
  scope: 'read',
  summary: 'List deals',
  description:
    'Stored deals in the order of their time, those of one moment in the order of their ids as text. If the answer has `next`, there may be more: send it as `after`.',
  params: accountParams,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Inclusive')),
    endTime: Type.Optional(brokerTime('Exclusive')),
    after: optionalText(MAX_CURSOR, '`next` of the previous page, instead of startTime'),
    limit: page.limit,
  }),
  response: {
    200: record('DealPage', {
      deals: Type.Array(storedDeal, { maxItems: MAX_PAGE }),
      next: Type.Optional(Type.String({ maxLength: MAX_CURSOR, description: 'Value for `after`' })),
    }),
  },
  errors: [404],
});

export const correctDealOperation = defineOperation({
  operationId: 'correctDeal',
  method: 'PUT',
  path: `${PATH}/:dealId`,
  base: 'stats',
  scope: 'write',
  summary: 'Correct a deal',
  description:
    "The body replaces the deal's fields; trades and metrics follow. Trackers keep their findings from the old deal.",
  params: dealParams,
  body: record('DealCorrection', Type.Omit(dealInput, ['id']).properties),
  response: { 204: null },
  errors: [404],
});

export const deleteDealOperation = defineOperation({
  operationId: 'deleteDeal',
  method: 'DELETE',
  path: `${PATH}/:dealId`,
  base: 'stats',
  scope: 'write',
  summary: 'Delete a deal',
  description:
    'Trades and metrics follow; trackers keep their findings from it. A report or a platform that lists the deal brings it back when it is read again.',
  params: dealParams,
  response: { 204: null },
  errors: [404],
});
