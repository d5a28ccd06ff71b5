import Type, { type Static } from 'typebox';
import { INCIDENT_CHOICES, INCIDENT_ENTRIES } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  brokerTimeText,
  currency,
  idText,
  isoTime,
  linkedPageOf,
  pageFrom,
  pathId,
  record,
  words,
} from '../primitives.ts';
import { breachAction } from './breach-actions.ts';
import { MAX_LIMITS_PER_ACCOUNT } from './enrolments.ts';
import { revisionEvent, trackerEvent } from './tracker-events.ts';
import { exceededThreshold, MAX_ACTIONS } from './trackers.ts';

export const MAX_INCIDENTS = 200;
/** Size at which a page of incidents ends before its limit. */
export const INCIDENT_PAGE_BYTES = 780_000;
/** More than this are not counted. */
export const MAX_COUNTED_INCIDENTS = 1000;
export const MAX_HANDLED_INCIDENTS = 200;
/** Most entries of an incident; notes end earlier, at the second number. */
export const MAX_HANDLING_ENTRIES = 500;
export const MAX_ENTRIES_WITH_NOTE = 400;
/** The newest entries that an incident shows in a list, and when read singly. */
export const LISTED_ENTRIES = 5;
export const SHOWN_ENTRIES = 50;
/** The newest are shown. */
export const MAX_REVISIONS = 100;
const MAX_NOTE_LENGTH = 2000;
const MAX_ASSIGNEE_LENGTH = 100;

const number = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const incidentEvent = record('IncidentEvent', {
  ...trackerEvent.properties,
  trackerName: Type.Optional(
    answerText(250, 'For a rule, its phase and kind; absent if the tracker was deleted'),
  ),
});

export const incidentEntry = record('IncidentEntry', {
  place: number('Counts the entries of the incident, from 1'),
  at: isoTime('When'),
  author: answerText(200, 'Name of the token, else of the user'),
  kind: words(INCIDENT_ENTRIES, { description: 'The action' }),
  words: Type.Optional(answerText(MAX_NOTE_LENGTH, 'The note, or the assignee')),
});

export const version = Type.String({
  maxLength: 20,
  pattern: '^\\d{1,3}-\\d{1,16}$',
  expected: 'must be the version of an incident',
  description: 'Changes whenever its events, their revisions or its handling do',
});

/** Actions of people on an incident. */
export const handling = {
  acknowledged: Type.Boolean({ description: 'No one needs to act any more' }),
  assignee: Type.Optional(answerText(MAX_ASSIGNEE_LENGTH, 'The assignee')),
  entryCount: number('Number of entries'),
  entries: Type.Array(incidentEntry, {
    maxItems: SHOWN_ENTRIES,
    description: `Its handling, in order: the newest ${SHOWN_ENTRIES} entries, in lists ${LISTED_ENTRIES}`,
  }),
};

const incident = record('Incident', {
  id: number('The smallest number of its events'),
  accountId: idText('Account id'),
  accountName: answerText(200, 'Name of the account'),
  login: answerText(18, 'Login on the platform'),
  currency: currency,
  brokerTime: brokerTimeText('Moment of the account at which thresholds were exceeded'),
  events: Type.Array(incidentEvent, {
    maxItems: MAX_LIMITS_PER_ACCOUNT,
    description: 'All of that moment, in the order of their numbers',
  }),
  revisions: Type.Array(revisionEvent, {
    maxItems: MAX_REVISIONS,
    description:
      'Later corrections of these events, in the order of their numbers; each reopens the incident',
  }),
  actions: Type.Array(breachAction, {
    maxItems: MAX_LIMITS_PER_ACCOUNT * MAX_ACTIONS,
    description: 'Actions of its trackers on the platform, in the order of their ids',
  }),
  ...handling,
  version,
});
export type IncidentRecord = Static<typeof incident>;

export const listIncidentsOperation = defineOperation({
  operationId: 'listIncidents',
  method: 'GET',
  path: '/users/current/incidents',
  base: 'risk',
  scope: 'read',
  summary: 'List incidents',
  description:
    'Exceeded thresholds by account and moment, newest first. Open until acknowledged. For the next page, send `next` as `before`; a page of much text ends before its limit.\n\nFindings of a new tracker in past periods are acknowledged from the start.',
  querystring: Type.Object({
    state: Type.Optional(
      words(INCIDENT_CHOICES, { default: 'open', description: 'Which incidents' }),
    ),
    kind: Type.Optional(exceededThreshold),
    accountId: Type.Optional(pathId('Only of this account')),
    label: Type.Optional(
      Type.String({ maxLength: 50, description: 'Only of accounts with this label' }),
    ),
    before: Type.Optional(number('Only those with lower ids')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_INCIDENTS,
        default: 50,
        description: 'Largest number of incidents in the answer',
      }),
    ),
  }),
  response: {
    200: record('Incidents', {
      open: Type.Integer({
        description: `Number of open ones of the kind, account and label; counted up to ${MAX_COUNTED_INCIDENTS}`,
      }),
      incidents: Type.Array(incident, { maxItems: MAX_INCIDENTS, maxBytes: INCIDENT_PAGE_BYTES }),
      next: Type.Optional(number('`before` of the next page; absent after the last')),
    }),
  },
});

export const readIncidentOperation = defineOperation({
  operationId: 'readIncident',
  method: 'GET',
  path: '/users/current/incidents/:id',
  base: 'risk',
  scope: 'read',
  summary: 'Read an incident',
  description: 'By the number of any of its events.',
  params: Type.Object({ id: pathId('Sequence number of an event') }),
  response: { 200: incident },
  errors: [404],
});

export const listIncidentEntriesOperation = defineOperation({
  operationId: 'listIncidentEntries',
  method: 'GET',
  path: '/users/current/incidents/:id/entries',
  base: 'risk',
  scope: 'read',
  summary: 'List the handling of an incident',
  description: 'Newest first.',
  params: Type.Object({ id: pathId('Sequence number of an event') }),
  querystring: Type.Object(pageFrom(number, SHOWN_ENTRIES)),
  response: { 200: linkedPageOf(incidentEntry, { maxItems: SHOWN_ENTRIES }) },
  isPaged: true,
  errors: [404],
});

export const handleIncidentsOperation = defineOperation({
  operationId: 'handleIncidents',
  method: 'PATCH',
  path: '/users/current/incidents',
  base: 'risk',
  scope: 'write',
  summary: 'Handle incidents',
  description:
    'Acknowledges, reopens, assigns or annotates: all of them, or none if one is not found. The audit records who did what. With `versions`, 409 and nothing done if one is not as it was seen: `details` name these. An incident takes notes up to its 400th entry, and 500 in all; 409 beyond.',
  body: record(
    'IncidentHandling',
    {
      ids: Type.Array(number('Id of an incident'), {
        minItems: 1,
        maxItems: MAX_HANDLED_INCIDENTS,
        uniqueItems: true,
      }),
      versions: Type.Optional(
        Type.Array(version, {
          minItems: 1,
          maxItems: MAX_HANDLED_INCIDENTS,
          description: 'Those that were seen, in the order of `ids`',
        }),
      ),
      acknowledged: Type.Optional(Type.Boolean({ description: 'False reopens them' })),
      assignee: Type.Optional(
        Type.String({
          maxLength: MAX_ASSIGNEE_LENGTH,
          pattern: '^[^\\p{Cc}]*$',
          expected: 'must not contain control characters',
          description: 'The assignee; empty: none',
        }),
      ),
      note: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_NOTE_LENGTH,
          pattern: '^(?:[^\\p{Cc}]|[\\t\\r\\n])*$',
          expected: 'must not contain control characters but tabs and line breaks',
          description: 'Note to add',
        }),
      ),
    },
    { minProperties: 2 },
  ),
  response: {
    200: record('HandledIncidents', {
      incidents: Type.Array(record('HandledIncident', { id: number('As it was named'), version }), {
        maxItems: MAX_HANDLED_INCIDENTS,
        description: 'In the order of `ids`',
      }),
    }),
  },
  errors: [404, 409],
});
