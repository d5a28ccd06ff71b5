import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  amount,
  brokerTime,
  brokerTimeText,
  idText,
  MAX_PAGE,
  page,
  pageOf,
  pathId,
  record,
} from '../primitives.ts';
import { exceededThreshold, trackerPeriod } from './trackers.ts';

/** How long an empty answer is held unless the request says otherwise, and at most. */
export const DEFAULT_WAIT_SECONDS = 25;
const MAX_WAIT_SECONDS = 60;
/** Snapshots on either side of a breach. */
const MAX_EVIDENCE = 10_000;

const drawdownFields = {
  sequenceNumber: Type.Integer({ description: 'Place in the feed; numbers only grow' }),
  accountId: idText('Account id'),
  trackerId: idText('Tracker id'),
  startBrokerTime: brokerTimeText('Start of the period'),
  endBrokerTime: Type.Optional(brokerTimeText('End of the period; absent when it has none')),
  period: trackerPeriod,
  brokerTime: brokerTimeText('When the threshold was exceeded'),
  absoluteDrawdown: amount('Drawdown'),
  relativeDrawdown: Type.Number({ description: 'Drawdown as a fraction of 1' }),
};

const drawdownEvent = record('DrawdownEvent', drawdownFields, {
  description: 'A drawdown threshold was exceeded',
});
export type DrawdownEventRecord = Static<typeof drawdownEvent>;

export const trackerEvent = record(
  'TrackerEvent',
  {
    ...drawdownFields,
    absoluteProfit: amount('Profit'),
    relativeProfit: Type.Number({ description: 'Profit as a fraction of 1' }),
    exceededThresholdType: exceededThreshold,
  },
  { description: 'A drawdown or profit threshold was exceeded' },
);
export type TrackerEventRecord = Static<typeof trackerEvent>;

const filters = {
  accountId: Type.Optional(pathId('Only events of this account')),
  trackerId: Type.Optional(pathId('Only events of this tracker')),
};
const { limit } = page;
const previousSequenceNumber = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Last number that was consumed: events after it are answered',
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
  summary: 'Drawdown events after a number',
  description:
    "In order; waits for one to come when there is none, so give your client a longer time-out. Events of exceeded drawdown thresholds; profit targets are in tracker-events. Of an account or tracker that is not the user's there are none.",
  querystring: streamQuery,
  response: { 200: pageOf(drawdownEvent) },
});

export const trackerEventStreamOperation = defineOperation({
  operationId: 'streamTrackerEvents',
  method: 'GET',
  path: '/users/current/tracker-events/stream',
  base: 'risk',
  scope: 'read',
  summary: 'Drawdown and profit events after a number',
  description: 'In order; waits for one to come when there is none, as drawdown-events/stream.',
  querystring: streamQuery,
  response: { 200: pageOf(trackerEvent) },
});

export const trackerEventsByTimeOperation = defineOperation({
  operationId: 'readTrackerEventsByBrokerTime',
  method: 'GET',
  path: '/users/current/tracker-events/by-broker-time',
  base: 'risk',
  scope: 'read',
  summary: 'Drawdown and profit events of a range of broker time',
  description: `Both ends inclusive, in the order of time, then number. At most ${MAX_PAGE}.`,
  querystring: Type.Object({
    startBrokerTime: Type.Optional(brokerTime('Start of the range')),
    endBrokerTime: Type.Optional(brokerTime('End of the range')),
    ...filters,
    limit,
  }),
  response: { 200: pageOf(trackerEvent) },
});

const LIVE =
  'text/event-stream. The id of each event is its sequenceNumber. Resumes after Last-Event-ID, else after previousSequenceNumber. A comment every 15 seconds shows that the connection lives. The server ends a stream after an hour, and when its token ends; an event "closed" tells the reason first. Connect again with Last-Event-ID, as browsers do by themselves, and nothing is missed.';

export const liveDrawdownEventsOperation = defineOperation({
  operationId: 'followDrawdownEvents',
  method: 'GET',
  path: '/users/current/drawdown-events/live',
  base: 'risk',
  scope: 'read',
  summary: 'Drawdown events as server-sent events',
  description: LIVE,
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Last number that was consumed',
      }),
    ),
  }),
  querystring: Type.Object({ previousSequenceNumber, ...filters }),
  response: { 200: null },
  streams: drawdownEvent,
});

export const liveTrackerEventsOperation = defineOperation({
  ...liveDrawdownEventsOperation,
  operationId: 'followTrackerEvents',
  path: '/users/current/tracker-events/live',
  summary: 'Drawdown and profit events as server-sent events',
  description: LIVE,
  streams: trackerEvent,
});

const snapshot = record('EvidenceSnapshot', {
  brokerTime: brokerTimeText('When the account stood so'),
  balance: amount('Balance'),
  equity: amount('Equity'),
});

const evidence = record('Evidence', {
  event: trackerEvent,
  initialBalance: amount('Balance at the start of the period'),
  baseline: amount('What drawdown or profit was measured from'),
  allowed: amount('Largest amount that would not have exceeded; if inclusive, least that did'),
  inclusive: Type.Boolean({ description: 'The threshold is exceeded by reaching it' }),
  adjustment: amount('Money of deals taken out of the equity'),
  balance: amount('Balance of the snapshot that exceeded'),
  equity: amount('Equity of the snapshot that exceeded'),
  before: Type.Array(snapshot, {
    maxItems: MAX_EVIDENCE,
    description: 'Snapshots up to the breach, which is the last',
  }),
  after: Type.Array(snapshot, {
    maxItems: MAX_EVIDENCE,
    description: 'Snapshots after the breach',
  }),
  complete: Type.Boolean({ description: 'False while snapshots after the breach are added' }),
});
export type EvidenceRecord = Static<typeof evidence>;

export const evidenceOperation = defineOperation({
  operationId: 'readEvidence',
  method: 'GET',
  path: '/users/current/tracker-events/:sequenceNumber/evidence',
  base: 'risk',
  scope: 'read',
  summary: 'What proves an event',
  description: 'How it was measured, and the snapshots around it.',
  params: Type.Object({ sequenceNumber: pathId('Sequence number of the event') }),
  response: { 200: evidence },
  errors: [404],
});
