import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { pathId } from '../primitives.ts';
import { trackerEvent } from './tracker-events.ts';
import { MAX_TRACKERS_PER_ACCOUNT } from './trackers.ts';

export const MAX_INCIDENTS = 200;
/** More are not counted. */
export const MAX_COUNTED_INCIDENTS = 1000;
export const MAX_HANDLED_INCIDENTS = 1000;
const MAX_ENTRIES = 1000;
const MAX_NOTE_LENGTH = 2000;
const MAX_ASSIGNEE_LENGTH = 100;

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const number = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const incidentEvent = Type.Object(
  {
    ...trackerEvent.properties,
    trackerName: Type.Optional(text(200, 'Absent when the tracker was deleted')),
  },
  { $id: 'IncidentEvent', additionalProperties: false },
);

const incidentEntry = Type.Object(
  {
    at: text(24, 'ISO time, UTC'),
    author: text(200, 'Name of the token, else of the user'),
    kind: Type.Enum(['acknowledged', 'reopened', 'assigned', 'noted']),
    words: Type.Optional(text(MAX_NOTE_LENGTH, 'The note, or who it was assigned to')),
  },
  { $id: 'IncidentEntry', additionalProperties: false },
);

const incident = Type.Object(
  {
    id: number('The least number of its events'),
    accountId: text(128, 'Account id'),
    accountName: text(200, 'Name of the account'),
    login: text(18, 'Login on the platform'),
    currency: text(5, 'Currency of the account'),
    brokerTime: text(23, 'Moment of the account at which thresholds were exceeded'),
    events: Type.Array(incidentEvent, {
      maxItems: MAX_TRACKERS_PER_ACCOUNT,
      description: 'All of that moment, in the order of their numbers',
    }),
    acknowledged: Type.Boolean(),
    assignee: Type.Optional(text(MAX_ASSIGNEE_LENGTH, 'Who looks after it')),
    entries: Type.Array(incidentEntry, {
      maxItems: MAX_ENTRIES,
      description: 'What was done about it, in order; the newest of them',
    }),
  },
  { $id: 'Incident', additionalProperties: false },
);
export type IncidentRecord = Static<typeof incident>;

export const listIncidentsOperation = defineOperation({
  operationId: 'listIncidents',
  method: 'GET',
  path: '/users/current/incidents',
  base: 'risk',
  scope: 'read',
  summary: 'Exceeded thresholds by account and moment, newest first',
  description:
    'Open until somebody acknowledges them. What a new tracker found in periods that were over is acknowledged from the start. Go on with `before` as `next` says.',
  querystring: Type.Object({
    state: Type.Optional(Type.Enum(['open', 'all'], { default: 'open' })),
    kind: Type.Optional(Type.Enum(['drawdown', 'profit'], { description: 'Only of this kind' })),
    accountId: Type.Optional(pathId('Only of this account')),
    before: Type.Optional(number('Only those with lesser ids')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_INCIDENTS, default: 50 })),
  }),
  isLong: true,
  response: {
    200: Type.Object(
      {
        open: Type.Integer({
          description: `How many of the kind and account are open; no more than ${MAX_COUNTED_INCIDENTS} are counted`,
        }),
        incidents: Type.Array(incident, { maxItems: MAX_INCIDENTS }),
        next: Type.Optional(number('`before` of the next page; absent after the last')),
      },
      { additionalProperties: false },
    ),
  },
});

export const readIncidentOperation = defineOperation({
  operationId: 'readIncident',
  method: 'GET',
  path: '/users/current/incidents/:id',
  base: 'risk',
  scope: 'read',
  summary: 'One incident, by the number of any of its events',
  params: Type.Object({ id: pathId('Sequence number of an event') }),
  response: { 200: incident },
  errors: [404],
});

export const handleIncidentsOperation = defineOperation({
  operationId: 'handleIncidents',
  method: 'PATCH',
  path: '/users/current/incidents',
  base: 'risk',
  scope: 'write',
  summary: 'Acknowledge, open again, assign or annotate incidents',
  description: 'All of them or, where one is not found, none. The audit keeps who did what.',
  body: Type.Object(
    {
      ids: Type.Array(number('Id of an incident'), {
        minItems: 1,
        maxItems: MAX_HANDLED_INCIDENTS,
        uniqueItems: true,
      }),
      acknowledged: Type.Optional(Type.Boolean({ description: 'False opens them again' })),
      assignee: Type.Optional(
        Type.String({
          maxLength: MAX_ASSIGNEE_LENGTH,
          pattern: '^[^\\p{Cc}]*$',
          description: 'Who looks after them; empty: nobody',
        }),
      ),
      note: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_NOTE_LENGTH,
          pattern: '^(?:[^\\p{Cc}]|[\\t\\r\\n])*$',
          description: 'Words that are added',
        }),
      ),
    },
    { additionalProperties: false, minProperties: 2 },
  ),
  response: { 204: null },
  errors: [404],
});
