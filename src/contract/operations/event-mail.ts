import Type from 'typebox';
import { MAIL_TIMINGS } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import { record, words } from '../primitives.ts';

const choice = words(MAIL_TIMINGS, {
  $id: 'MailTiming',
  description:
    'immediate: within seconds, at most one mail per minute; digest: one mail per day, after midnight UTC',
});

export const eventMail = record(
  'EventMail',
  {
    breaches: choice,
    warnings: choice,
  },
  {
    description:
      'Events mailed to the user: breaches are broken loss limits; warnings are near limits and silent feeds; each with its revisions',
  },
);

const eventMailChange = record('EventMailChange', Type.Partial(eventMail).properties, {
  minProperties: 1,
  description: 'Absent fields stay unchanged',
});

const PATH = '/users/current/event-mail';

export const readEventMailOperation = defineOperation({
  operationId: 'readEventMail',
  method: 'GET',
  path: PATH,
  base: 'risk',
  scope: 'read',
  summary: 'Read your settings of event mails',
  description: 'No events are mailed by default. 403 for a token restricted to specific accounts.',
  response: { 200: eventMail },
});

export const setEventMailOperation = defineOperation({
  operationId: 'setEventMail',
  method: 'PUT',
  path: PATH,
  base: 'risk',
  scope: 'write',
  summary: 'Change your settings of event mails',
  description:
    'To the e-mail address of the user, from now on: earlier events are not mailed. 403 for a token restricted to specific accounts.',
  body: eventMailChange,
  response: { 204: null },
});
