import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime, identifier, money } from '../primitives.ts';
import { dealInput } from './deals.ts';

export const MAX_SNAPSHOTS_PER_REQUEST = 10_000;
/** Ten thousand snapshots of 160 bytes each, and deals with many of them. */
const SNAPSHOTS_BODY_BYTES = 16 * 1024 * 1024;
export const MAX_DEALS_PER_SNAPSHOT = 1000;

export const snapshotDeals = Type.Array(dealInput, {
  maxItems: MAX_DEALS_PER_SNAPSHOT,
  description: 'Deals of the same moment, whose money balance and equity hold already',
});

/** For the reference: rows are read by a faster way than the check of other bodies. */
const snapshot = Type.Object(
  {
    accountId: identifier('Account id'),
    brokerTime: brokerTime('When the account stood so'),
    balance: money('Balance'),
    equity: money('Equity, with the profit of open positions and credit'),
    margin: Type.Optional(money('Margin in use; checked, not stored')),
    freeMargin: Type.Optional(money('Free margin; checked, not stored')),
    credit: Type.Optional(money('Credit; checked, not stored')),
    deals: Type.Optional(snapshotDeals),
  },
  { $id: 'Snapshot', additionalProperties: false },
);

export const recordSnapshotsOperation = defineOperation({
  operationId: 'recordSnapshots',
  method: 'POST',
  path: '/users/current/snapshots',
  base: 'risk',
  scope: 'ingest',
  summary: 'Record balance and equity of many accounts; durable when answered',
  description: `NDJSON (application/x-ndjson) of at most ${MAX_SNAPSHOTS_PER_REQUEST} lines, or a JSON array. One bad row refuses all, with every fault named by its index. The same rows sent again change nothing; with an Idempotency-Key header they also get the same answer. A row whose time is more than 24 hours ahead of its account's clock is bad.`,
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'The same key, the same answer' }),
    ),
  }),
  body: Type.Array(snapshot, { maxItems: MAX_SNAPSHOTS_PER_REQUEST }),
  consumes: ['application/x-ndjson', 'application/json'],
  bodyLimitBytes: SNAPSHOTS_BODY_BYTES,
  response: {
    200: Type.Object({
      accepted: Type.Integer({ description: 'Rows that are durable now' }),
      late: Type.Integer({ description: 'Those of them that are older than what was known' }),
    }),
  },
  errors: [404, 409],
});
