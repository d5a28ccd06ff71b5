import Type, { type Static } from 'typebox';
import { EVENT_KINDS, FEED_CHANGES } from '../../words/events.ts';
import { MAX_WARNING_DEALS } from '../../words/programs.ts';
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

/** How long an empty answer is held by default, and at most. */
export const DEFAULT_WAIT_SECONDS = 25;
const MAX_WAIT_SECONDS = 60;
/** Snapshots on either side of a breach. */
const MAX_EVIDENCE = 10_000;

const sequenceNumber = Type.Integer({ description: 'Place in the feed; numbers only grow' });
const measuredFields = {
  accountId: idText('Account id'),
  trackerId: idText('Tracker id'),
  startBrokerTime: brokerTimeText('Start of the period'),
  endBrokerTime: Type.Optional(brokerTimeText('End of the period; absent if it has none')),
  period: trackerPeriod,
  brokerTime: brokerTimeText('When the threshold was exceeded'),
  absoluteDrawdown: amount('Drawdown'),
  relativeDrawdown: Type.Number({ description: 'Drawdown as a fraction of 1' }),
};

const profitFields = {
  absoluteProfit: amount('Profit'),
  relativeProfit: Type.Number({ description: 'Profit as a fraction of 1' }),
};

const drawdownFields = { sequenceNumber, ...measuredFields };
const { absoluteDrawdown, relativeDrawdown, ...placeFields } = drawdownFields;

const drawdownEvent = record('DrawdownEvent', drawdownFields, {
  description: 'A drawdown threshold was exceeded',
});
export type DrawdownEventRecord = Static<typeof drawdownEvent>;

export const trackerEvent = record(
  'TrackerEvent',
  {
    kind: exceededThreshold,
    ...drawdownFields,
    ...profitFields,
    exceededThresholdType: exceededThreshold,
  },
  { description: 'A drawdown or profit threshold was exceeded' },
);
export type TrackerEventRecord = Static<typeof trackerEvent>;

const limitWarning = record(
  'LimitWarning',
  {
    kind: words(['warning'], { description: 'Source of the event' }),
    ...placeFields,
    absoluteDrawdown: Type.Optional(absoluteDrawdown),
    relativeDrawdown: Type.Optional(relativeDrawdown),
    warnAt: Type.Number({ description: 'Part of the limit from which on to warn' }),
    used: Type.Number({ description: 'Used part of the limit; 1 is all of it' }),
    rule: Type.Optional(ruleKind),
    equation: Type.Optional(answerText(500, 'What was counted, and what is allowed')),
    dealIds: Type.Optional(
      Type.Array(idText('Deal id'), {
        maxItems: MAX_WARNING_DEALS,
        description: 'The first deals that came near',
      }),
    ),
  },
  {
    description:
      'Much of a limit is used up: a drawdown limit, or that of a rule over deals, which has a rule, an equation and deals instead of drawdowns',
  },
);
export type LimitWarningRecord = Static<typeof limitWarning>;

export const revisionEvent = record(
  'RevisionEvent',
  {
    sequenceNumber,
    kind: words(['revision'], { description: 'Source of the event' }),
    revises: Type.Integer({ description: 'Number of the revised event' }),
    stillExceeded: Type.Boolean({
      description: 'Whether the limit is exceeded by the facts known now, too',
    }),
    ...measuredFields,
    ...profitFields,
  },
  { description: 'Later facts move or remove the ground of an event' },
);
export type RevisionEventRecord = Static<typeof revisionEvent>;

const enrolmentEvent = record(
  'EnrolmentEvent',
  {
    sequenceNumber,
    kind: words(['enrolment'], { description: 'Source of the event' }),
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
    reason: Type.Optional(
      answerText(500, 'Of a silence: the last failure of reading its platform'),
    ),
    clockOffsetSeconds,
  },
  { description: 'Less of an account is watched than before, or all of it again' },
);
export type FeedEventRecord = Static<typeof feedEvent>;

/** The field that names the kind. */
export const event = Type.Union(
  [trackerEvent, limitWarning, revisionEvent, enrolmentEvent, feedEvent],
  { $id: 'Event', description: 'Its kind determines the record' },
);
export type EventRecord = Static<typeof event>;

export const eventKind = words(EVENT_KINDS, {
  $id: 'EventKind',
  description:
    'A threshold that was exceeded, or is near; a revision of such an event; a change of an enrolment or of the feed',
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
    description: 'Last consumed number: the answer has later events',
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
      description: 'Seconds to hold an empty answer for an event; 0: not at all',
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
    'In order; if there are none, it waits for one, so give your client a longer time-out. Events of exceeded drawdown thresholds; profit targets are in tracker-events.\n\nAn account or tracker of another user has none.',
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
    'In order; if there are none, it waits for one, like drawdown-events/stream. Skip kinds that you do not know.',
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
  'text/event-stream. The id of each event is its sequenceNumber. Resumes after Last-Event-ID, or else after previousSequenceNumber.\n\nA comment every 15 seconds shows that the connection is alive. The server ends a stream after an hour, and when its token ends; an event "closed" gives the reason first. Reconnect with Last-Event-ID, as browsers do automatically, and no event is missed.';

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
        description: 'Last consumed number',
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
  baseline: amount('Baseline of drawdown or profit'),
  allowed: amount('Largest amount that would not have exceeded; if inclusive, least that did'),
  inclusive: Type.Boolean({ description: 'Whether reaching the threshold exceeds it' }),
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
  description: 'The measurement of a threshold, and the snapshots around it.',
  params: Type.Object({ sequenceNumber: pathId('Sequence number of the event') }),
  response: { 200: evidence },
  errors: [404],
});
