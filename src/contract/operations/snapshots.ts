import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime, count, identifier, money, record } from '../primitives.ts';
import { dealInput, MAX_DEALS_PER_REQUEST } from './deals.ts';

export const MAX_SNAPSHOTS_PER_REQUEST = 10_000;
/** Ten thousand snapshots of 160 bytes each, and deals with many of them. */
const SNAPSHOTS_BODY_BYTES = 16 * 1024 * 1024;
const MAX_DEALS_PER_SNAPSHOT = 1000;

const snapshot = record(
  'Snapshot',
  {
    accountId: identifier('Account id'),
    brokerTime: brokerTime('When the account was in this state'),
    balance: money('Balance'),
    equity: money('Equity, with the profit of open positions and credit'),
    margin: Type.Optional(money('Margin in use; checked, not stored')),
    freeMargin: Type.Optional(money('Free margin; checked, not stored')),
    credit: Type.Optional(money('Credit; checked, not stored')),
    deals: Type.Optional(
      Type.Array(dealInput, {
        maxItems: MAX_DEALS_PER_SNAPSHOT,
        description: 'Deals of the same moment, already included in balance and equity',
      }),
    ),
  },
  { description: 'Balance and equity of an account at one moment' },
);
export type SnapshotRecord = Static<typeof snapshot>;

export const recordSnapshotsOperation = defineOperation({
  operationId: 'recordSnapshots',
  method: 'POST',
  path: '/users/current/snapshots',
  base: 'risk',
  scope: 'ingest',
  summary: 'Record balance and equity of many accounts',
  description: `At most ${MAX_SNAPSHOTS_PER_REQUEST} snapshots, as NDJSON, one per line, or as a JSON array; with at most ${MAX_DEALS_PER_REQUEST} deals in all; durable when answered. One bad row refuses all rows. Rows sent again change nothing. A row more than 24 hours ahead of its account's clock is refused.`,
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'A request repeated with its key gets the same answer; kept for a day',
      }),
    ),
  }),
  body: Type.Array(snapshot, { maxItems: MAX_SNAPSHOTS_PER_REQUEST }),
  consumes: ['application/json', 'application/x-ndjson'],
  bodyLimitBytes: SNAPSHOTS_BODY_BYTES,
  response: {
    200: record('RecordedSnapshots', {
      accepted: count('Rows now durable'),
      late: count('Accepted rows that are older than the newest of their account'),
    }),
  },
  errors: [404, 409],
});
