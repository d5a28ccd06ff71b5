import Type, { type Static } from 'typebox';
import { LIVE_BEGINNINGS, LIVE_PARTS } from '../../words/events.ts';
import { defineOperation } from '../operation.ts';
import {
  brokerTimeText,
  count,
  idText,
  isoTime,
  pathId,
  record,
  setOf,
  words,
} from '../primitives.ts';
import { standing } from './account-standing.ts';
import { MAX_LIMITS_PER_ACCOUNT } from './enrolments.ts';
import { equityChartItem } from './equity-chart.ts';
import { handling, incidentEntry, MAX_COUNTED_INCIDENTS, version } from './incidents.ts';
import { periodStatistics } from './trackers.ts';

/** Accounts that a request may name. */
export const MAX_NAMED_ACCOUNTS = 100;
/** Incidents of one account in a message. */
export const MAX_TOLD_INCIDENTS = 20;
/** Incidents of one account that a stream can catch up with. */
export const MAX_KEPT_INCIDENTS = 100;

const begin = record(
  'LiveBegin',
  {
    kind: words(['begin'], { description: 'First message, and where the state is told anew' }),
    reason: words(LIVE_BEGINNINGS, {
      description:
        'first: no id was given; unknownId: what came since it is not known here; forgotten: the server had to forget; after these, drop what you know: the whole state follows. resumed: only what has changed since the id follows',
    }),
    accounts: count('Number of accounts that are followed'),
  },
  { description: 'How the stream begins' },
);

const liveStatistics = record('LivePeriod', {
  trackerId: idText('Tracker id'),
  ...periodStatistics.properties,
});

const liveIncident = record('LiveIncident', {
  id: Type.Integer({ description: 'The smallest number of its events' }),
  brokerTime: brokerTimeText('Moment of the account at which thresholds were exceeded'),
  version,
  acknowledged: handling.acknowledged,
  assignee: handling.assignee,
  entryCount: handling.entryCount,
  entry: Type.Optional(incidentEntry),
});

const account = record(
  'LiveAccount',
  {
    kind: words(['account'], { description: 'An account' }),
    accountId: idText('Account id'),
    receivedAt: Type.Optional(isoTime('With the standing: when its newest snapshot came in')),
    standing: Type.Optional(standing),
    statistics: Type.Optional(
      Type.Array(liveStatistics, {
        maxItems: MAX_LIMITS_PER_ACCOUNT,
        description: 'The running periods of its trackers',
      }),
    ),
    chartItem: Type.Optional(equityChartItem),
    openIncidents: Type.Optional(
      count(`Number of its open incidents, counted up to ${MAX_COUNTED_INCIDENTS}`),
    ),
    incidents: Type.Optional(
      Type.Array(liveIncident, {
        maxItems: MAX_TOLD_INCIDENTS,
        description: 'Those that are new or were handled, with the newest entry of each',
      }),
    ),
    moreIncidents: Type.Optional(
      Type.Boolean({ description: 'True: more than can be told have changed; list them' }),
    ),
    lastEvent: Type.Optional(
      Type.Integer({ description: 'Number of its newest event, of any kind' }),
    ),
  },
  { description: 'What has changed of an account: the parts that are here replace those before' },
);

const gone = record(
  'LiveGone',
  { kind: words(['gone'], { description: 'A deleted account' }), accountId: idText('Account id') },
  { description: 'An account was deleted' },
);

const complete = record(
  'LiveComplete',
  { kind: words(['complete'], { description: 'The whole state was told' }) },
  { description: 'What follows are changes, and ids to resume from' },
);

/** The field that names the kind. */
const message = Type.Union([begin, account, gone, complete], {
  $id: 'LiveMessage',
  description: 'Its kind determines the record',
});
export type LiveMessage = Static<typeof message>;

export const followStandingOperation = defineOperation({
  operationId: 'followStanding',
  method: 'GET',
  path: '/users/current/standing/live',
  base: 'risk',
  scope: 'read',
  summary: 'Standing of accounts as server-sent events',
  description:
    'text/event-stream: what accounts stand at, the running periods of their trackers, the running hour and the handling of incidents, as they change. First `begin`, then all accounts, then `complete`; from there on changes, at most four messages a second for each account. Who reads slowly misses states in between, never the newest.\n\nResumes after Last-Event-ID if the changes since are still known; `begin` says so. Times of a standing that depend on the moment of asking are absent (ageSeconds, secondsToReset), and so are dayProfit and lossPerHour.\n\nA comment every 15 seconds shows that the connection is alive. The server ends a stream after an hour, and at once when its token ends; an event "closed" gives the reason first.',
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({ maxLength: 100, description: 'The last id of the stream before' }),
    ),
  }),
  querystring: Type.Object({
    accountId: Type.Optional(
      Type.Array(pathId('Account id'), {
        maxItems: MAX_NAMED_ACCOUNTS,
        uniqueItems: true,
        description: 'Only these accounts, the parameter repeated; default: all',
      }),
    ),
    part: Type.Optional(
      setOf(words(LIVE_PARTS), LIVE_PARTS.length, {
        description: 'Only these parts, the parameter repeated; default: all',
      }),
    ),
  }),
  response: { 200: null },
  streams: message,
  errors: [404],
});
