import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime, pathId } from '../primitives.ts';

/** How long an empty answer is held unless the request says otherwise, and at most. */
export const DEFAULT_WAIT_SECONDS = 25;
const MAX_WAIT_SECONDS = 60;

const drawdownFields = {
  sequenceNumber: Type.Integer({ description: 'Place in the feed; numbers only grow' }),
  accountId: Type.String(),
  trackerId: Type.String(),
  startBrokerTime: Type.String({ description: 'Start of the period' }),
  endBrokerTime: Type.Optional(
    Type.String({ description: 'End of the period; absent when it has none' }),
  ),
  period: Type.String(),
  brokerTime: Type.String({ description: 'When the threshold was exceeded' }),
  absoluteDrawdown: Type.Number(),
  relativeDrawdown: Type.Number({ description: 'Fraction of 1' }),
};

const drawdownEvent = Type.Object(drawdownFields, { $id: 'DrawdownEvent' });
export type DrawdownEventRecord = Static<typeof drawdownEvent>;

export const trackerEvent = Type.Object(
  {
    ...drawdownFields,
    absoluteProfit: Type.Number(),
    relativeProfit: Type.Number({ description: 'Fraction of 1' }),
    exceededThresholdType: Type.Enum(['drawdown', 'profit']),
  },
  { $id: 'TrackerEvent' },
);
export type TrackerEventRecord = Static<typeof trackerEvent>;

const filters = {
  accountId: Type.Optional(pathId('Only events of this account')),
  trackerId: Type.Optional(pathId('Only events of this tracker')),
};
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }));
const previousSequenceNumber = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Last consumed number; events after it are answered',
  }),
);

const streamQuery = Type.Object({
  previousSequenceNumber,
  ...filters,
  limit,
  wait: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      default: DEFAULT_WAIT_SECONDS,
      description: 'Seconds that an empty answer is held for an event to come; 0: not at all',
    }),
  ),
});

export const drawdownEventStreamOperation = defineOperation({
  operationId: 'streamDrawdownEvents',
  method: 'GET',
  path: '/users/current/drawdown-events/stream',
  base: 'risk',
  scope: 'read',
  summary: 'Drawdown events after a number, in order; waits for one to come',
  description:
    "Events of exceeded drawdown thresholds; profit targets are in tracker-events. Of an account or tracker that is not the user's there are none.",
  querystring: streamQuery,
  response: { 200: Type.Array(drawdownEvent) },
});

export const trackerEventStreamOperation = defineOperation({
  operationId: 'streamTrackerEvents',
  method: 'GET',
  path: '/users/current/tracker-events/stream',
  base: 'risk',
  scope: 'read',
  summary: 'Drawdown and profit events after a number, in order; waits for one to come',
  querystring: streamQuery,
  response: { 200: Type.Array(trackerEvent) },
});

export const trackerEventsByTimeOperation = defineOperation({
  operationId: 'readTrackerEventsByBrokerTime',
  method: 'GET',
  path: '/users/current/tracker-events/by-broker-time',
  base: 'risk',
  scope: 'read',
  summary: 'Events of a range of broker time, both ends inclusive',
  querystring: Type.Object({
    startBrokerTime: Type.Optional(brokerTime('Start of the range')),
    endBrokerTime: Type.Optional(brokerTime('End of the range')),
    ...filters,
    limit,
  }),
  isLong: true,
  response: { 200: Type.Array(trackerEvent) },
});

export const liveDrawdownEventsOperation = defineOperation({
  operationId: 'followDrawdownEvents',
  method: 'GET',
  path: '/users/current/drawdown-events/live',
  base: 'risk',
  scope: 'read',
  summary: 'Drawdown events as server-sent events',
  description:
    'text/event-stream; the id of each event is its sequenceNumber, data a DrawdownEvent. Resumes after Last-Event-ID, else after previousSequenceNumber. A comment every 15 seconds shows that the connection lives; before the server ends it, an event "closed" tells the reason.',
  headers: Type.Object({
    'last-event-id': Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  querystring: Type.Object({ previousSequenceNumber, ...filters }),
  response: { 200: null },
});

export const liveTrackerEventsOperation = defineOperation({
  ...liveDrawdownEventsOperation,
  operationId: 'followTrackerEvents',
  path: '/users/current/tracker-events/live',
  summary: 'Drawdown and profit events as server-sent events',
  description: 'As drawdown-events/live; data a TrackerEvent.',
});

const snapshot = Type.Object({
  brokerTime: Type.String(),
  balance: Type.Number(),
  equity: Type.Number(),
});

const evidence = Type.Object(
  {
    event: trackerEvent,
    initialBalance: Type.Number({ description: 'Balance at the start of the period' }),
    baseline: Type.Number({ description: 'What drawdown or profit was measured from' }),
    allowed: Type.Number({
      description: 'Largest amount that would not have exceeded; if inclusive, least that did',
    }),
    inclusive: Type.Boolean({ description: 'The threshold is exceeded by reaching it' }),
    adjustment: Type.Number({ description: 'Money of deals taken out of the equity' }),
    balance: Type.Number({ description: 'Balance of the snapshot that exceeded' }),
    equity: Type.Number({ description: 'Equity of the snapshot that exceeded' }),
    before: Type.Array(snapshot, { description: 'Snapshots up to the breach, which is the last' }),
    after: Type.Array(snapshot, { description: 'Snapshots after the breach' }),
    complete: Type.Boolean({ description: 'False while snapshots after the breach are added' }),
  },
  { $id: 'Evidence' },
);
export type EvidenceRecord = Static<typeof evidence>;

export const evidenceOperation = defineOperation({
  operationId: 'readEvidence',
  method: 'GET',
  path: '/users/current/tracker-events/:sequenceNumber/evidence',
  base: 'risk',
  scope: 'read',
  summary: 'What proves an event: how it was measured and the snapshots around it',
  params: Type.Object({ sequenceNumber: pathId('Sequence number of the event') }),
  isLong: true,
  response: { 200: evidence },
  errors: [404],
});
