import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime, MAX_PRICE, money, optionalText } from '../primitives.ts';
import { accountParams } from './accounts.ts';

export const MAX_DEALS_PER_REQUEST = 10_000;
/** Ten thousand deals of a generous 1.6 KB each. */
const DEALS_BODY_BYTES = 16 * 1024 * 1024;
const MAX_LOTS = 10_000_000;

const DEAL_TYPES = [
  'DEAL_TYPE_BUY',
  'DEAL_TYPE_SELL',
  'DEAL_TYPE_BALANCE',
  'DEAL_TYPE_CREDIT',
  'DEAL_TYPE_CHARGE',
  'DEAL_TYPE_CORRECTION',
  'DEAL_TYPE_BONUS',
  'DEAL_TYPE_COMMISSION',
  'DEAL_TYPE_COMMISSION_DAILY',
  'DEAL_TYPE_COMMISSION_MONTHLY',
  'DEAL_TYPE_COMMISSION_AGENT_DAILY',
  'DEAL_TYPE_COMMISSION_AGENT_MONTHLY',
  'DEAL_TYPE_INTEREST',
  'DEAL_TYPE_BUY_CANCELED',
  'DEAL_TYPE_SELL_CANCELED',
  'DEAL_TYPE_DIVIDEND',
  'DEAL_TYPE_DIVIDEND_FRANKED',
  'DEAL_TYPE_TAX',
  'DEAL_TYPE_AGENT',
  'DEAL_TYPE_SO_COMPENSATION',
] as const;
const DEAL_ENTRIES = [
  'DEAL_ENTRY_IN',
  'DEAL_ENTRY_OUT',
  'DEAL_ENTRY_INOUT',
  'DEAL_ENTRY_OUT_BY',
] as const;

const ticket = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\p{Cc}]+$', description });
const price = Type.Number({ minimum: -MAX_PRICE, maximum: MAX_PRICE });

/** A deal as clients send it; amounts in the account's currency, volume in lots. */
export const dealInput = Type.Object(
  {
    id: ticket('Deal ticket; a deal with a known id is a duplicate and changes nothing'),
    positionId: Type.Optional(ticket('Position id; without it deals are netted per symbol')),
    type: Type.Enum([...DEAL_TYPES]),
    entry: Type.Optional(Type.Enum([...DEAL_ENTRIES])),
    symbol: Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\p{Cc}]+$' })),
    volume: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_LOTS, description: 'Lots' })),
    price: Type.Optional(price),
    profit: money('Result before swap, commission and fee, or the amount of a balance operation'),
    swap: Type.Optional(money('Swap')),
    commission: Type.Optional(money('Commission')),
    fee: Type.Optional(money('Fee')),
    brokerTime: brokerTime('When the deal was made'),
    comment: optionalText(256, 'Comment'),
    digits: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10, description: "Digits of the symbol's price" }),
    ),
    contractSize: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: MAX_PRICE })),
  },
  { $id: 'Deal', additionalProperties: false },
);

export const recordDealsOperation = defineOperation({
  operationId: 'recordDeals',
  method: 'POST',
  path: '/users/current/accounts/:accountId/deals',
  base: 'stats',
  scope: 'ingest',
  summary: 'Record deals; sent again they change nothing',
  description: `An array, or NDJSON (application/x-ndjson), of at most ${MAX_DEALS_PER_REQUEST} deals. One bad row refuses all, with every fault named.`,
  params: accountParams,
  body: Type.Array(dealInput, { maxItems: MAX_DEALS_PER_REQUEST }),
  bodyLimitBytes: DEALS_BODY_BYTES,
  response: { 200: Type.Object({ accepted: Type.Integer(), duplicates: Type.Integer() }) },
  errors: [404],
});
