import Type, { type Static } from 'typebox';
import { EVENT_KINDS, FEED_CHANGES } from '../../words/events.ts';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTime,
  brokerTimeText,
  clockOffsetSeconds,
  idText,
  isoTime,
  MAX_PAGE,
  page,
  pageOf,
  pathId,
  record,
  words,
} from '../primitives.ts';
import { enrolmentState, ruleKind } from './programs.ts';
import { exceededThreshold, trackerPeriod } from './trackers.ts';

/** How long an empty answer is held unless the request says otherwise, and at most. */
export const DEFAULT_WAIT_SECONDS = 25;
const MAX_WAIT_SECONDS = 60;
/** Snapshots on either side of a breach. */
const MAX_EVIDENCE = 10_000;

const sequenceNumber = Type.Integer({ description: 'Place in the feed; numbers only grow' });
const measuredFields = {
  accountId: idText('Account id'),
  trackerId: idText('Tracker id'),
  startBrokerTime: brokerTimeText('Start of the period'),
  endBrokerTime: Type.Optional(brokerTimeText('End of the period; absent when it has none')),
  period: trackerPeriod,
  brokerTime: brokerTimeText('When the threshold was exceeded'),
  absoluteDrawdown: amount('Drawdown'),
  relativeDrawdown: Type.Number({ description: 'Drawdown as a fraction of 1' }),
};

const drawdownFields = { sequenceNumber, ...measuredFields };

const drawdownEvent = record('DrawdownEvent', drawdownFields, {
  description: 'A drawdown threshold was exceeded',
});
export type DrawdownEventRecord = Static<typeof drawdownEvent>;

export const trackerEvent = record(
  'TrackerEvent',
  {
    kind: exceededThreshold,
    ...drawdownFields,
    absoluteProfit: amount('Profit'),
    relativeProfit: Type.Number({ description: 'Profit as a fraction of 1' }),
    exceededThresholdType: exceededThreshold,
  },
  { description: 'A drawdown or profit threshold was exceeded' },
);
export type TrackerEventRecord = Static<typeof trackerEvent>;

const limitWarning = record(
  'LimitWarning',
  {
    kind: words(['warning'], { description: 'What the event is of' }),
    ...drawdownFields,
    warnAt: Type.Number({ description: 'Part of the limit at which it was to be told' }),
    used: Type.Number({ description: 'Part of the limit that was used up; 1 is all of it' }),
  },
  { description: 'Much of a drawdown limit is used up' },
);
export type LimitWarningRecord = Static<typeof limitWarning>;

export const revisionEvent = record(
  'RevisionEvent',
  {
    sequenceNumber,
    kind: words(['revision'], { description: 'What the event is of' }),
    revises: Type.Integer({ description: 'Number of the event whose ground has changed' }),
    stillExceeded: Type.Boolean({ description: 'The limit is exceeded by what is known now, too' }),
    ...measuredFields,
  },
  { description: 'What became known later moves or removes the ground of an event' },
);
export type RevisionEventRecord = Static<typeof revisionEvent>;

const enrolmentEvent = record(
  'EnrolmentEvent',
  {
    sequenceNumber,
    kind: words(['enrolment'], { description: 'What the event is of' }),
    accountId: idText('Account id'),
    enrolmentId: idText('Enrolment id'),
    state: enrolmentState,
    brokerTime: brokerTimeText('When its state changed'),
    rule: Type.Optional(ruleKind),
    trackerId: Type.Optional(idText('Tracker of the limit that was broken; its event comes first')),
  },
  { description: 'The state of an enrolment has changed' },
);
export type EnrolmentEventRecord = Static<typeof enrolmentEvent>;

const feedEvent = record(
  'FeedEvent',
  {
    sequenceNumber,
    kind: words(FEED_CHANGES, {
      description:
        'The feed fell silent, or came back; its clock is off, or right again; the account has lost its last loss limit',
    }),
    accountId: idText('Account id'),
    brokerTime: brokerTimeText(
      'Time of the last snapshot before a silence, or of the first one after it; of the one that showed the clock',
    ),
    silentSeconds: Type.Optional(Type.Number({ description: 'How long nothing came in' })),
    reason: Type.Optional(answerText(500, 'Of a silence: why its platform could not be read last')),
    clockOffsetSeconds,
  },
  { description: 'Less is seen of an account than before, or as much again' },
);
export type FeedEventRecord = Static<typeof feedEvent>;

/** What tells of which kind it is. */
export const event = Type.Union(
  [trackerEvent, limitWarning, revisionEvent, enrolmentEvent, feedEvent],
  { $id: 'Event', description: 'Its kind tells which record it is' },
);
export type EventRecord = Static<typeof event>;

export const eventKind = words(EVENT_KINDS, {
  $id: 'EventKind',
  description:
    'A threshold that was exceeded, or is near; such an event revised; a change of an enrolment; of the feed',
});

const filters = {
  accountId: Type.Optional(pathId('Only events of this account')),
  trackerId: Type.Optional(pathId('Only events of this tracker, or this enrolment')),
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
    "In order; waits for one to come when there is none, so give your client a longer time-out. Events of exceeded drawdown thresholds; profit targets are in tracker-events.\n\nOf an account or tracker that is not the user's there are none.",
  querystring: streamQuery,
  response: { 200: pageOf(drawdownEvent) },
});

export const trackerEventStreamOperation = defineOperation({
  operationId: 'streamTrackerEvents',
  method: 'GET',
  path: '/users/current/tracker-events/stream',
  base: 'risk',
  scope: 'read',
  summary: 'Events of all kinds after a number',
  description:
    'In order; waits for one to come when there is none, as drawdown-events/stream. Skip kinds that you do not know.',
  querystring: streamQuery,
  response: { 200: pageOf(event) },
});

export const trackerEventsByTimeOperation = defineOperation({
  operationId: 'readTrackerEventsByBrokerTime',
  method: 'GET',
  path: '/users/current/tracker-events/by-broker-time',
  base: 'risk',
  scope: 'read',
  summary: 'Events of all kinds of a range of broker time',
  description: `Both ends inclusive, in the order of time, then number. At most ${MAX_PAGE}.`,
  querystring: Type.Object({
    startBrokerTime: Type.Optional(brokerTime('Start of the range')),
    endBrokerTime: Type.Optional(brokerTime('End of the range')),
    ...filters,
    limit,
  }),
  response: { 200: pageOf(event) },
});

const LIVE =
  'text/event-stream. The id of each event is its sequenceNumber. Resumes after Last-Event-ID, else after previousSequenceNumber.\n\nA comment every 15 seconds shows that the connection lives. The server ends a stream after an hour, and when its token ends; an event "closed" tells the reason first. Connect again with Last-Event-ID, as browsers do by themselves, and nothing is missed.';

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
  summary: 'Events of all kinds as server-sent events',
  description: LIVE,
  streams: event,
});

const snapshot = record('EvidenceSnapshot', {
  brokerTime: brokerTimeText('When the account was in this state'),
  balance: amount('Balance'),
  equity: amount('Equity'),
  receivedAt: isoTime('When Plimsoll received it'),
});

export const evidenceSnapshots = (description: string) =>
  Type.Array(snapshot, { maxItems: MAX_EVIDENCE, description });

const evidence = record('Evidence', {
  event: trackerEvent,
  initialBalance: amount('Balance at the start of the period'),
  baseline: amount('What drawdown or profit was measured from'),
  allowed: amount('Largest amount that would not have exceeded; if inclusive, least that did'),
  inclusive: Type.Boolean({ description: 'The threshold is exceeded by reaching it' }),
  adjustment: amount('Money of deals taken out of the equity'),
  balance: amount('Balance of the snapshot that exceeded'),
  equity: amount('Equity of the snapshot that exceeded'),
  before: evidenceSnapshots('Snapshots up to the breach, which is the last'),
  after: evidenceSnapshots('Snapshots after the breach'),
  complete: Type.Boolean({ description: 'False while snapshots after the breach are added' }),
});
export type EvidenceRecord = Static<typeof evidence>;

export const evidenceOperation = defineOperation({
  operationId: 'readEvidence',
  method: 'GET',
  path: '/users/current/tracker-events/:sequenceNumber/evidence',
  base: 'risk',
  scope: 'read',
  summary: 'Read the evidence of an event',
  description: 'How a threshold was measured, and the snapshots around it.',
  params: Type.Object({ sequenceNumber: pathId('Sequence number of the event') }),
  response: { 200: evidence },
  errors: [404],
});
