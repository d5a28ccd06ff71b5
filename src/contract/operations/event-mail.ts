import Type from 'typebox';
import { MAIL_TIMINGS } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import { record, words } from '../primitives.ts';

const choice = words(MAIL_TIMINGS, {
  $id: 'MailTiming',
  description:
    'immediate: within seconds, joined to one mail a minute; digest: one mail a day, after midnight UTC',
});

export const eventMail = record(
  'EventMail',
  {
    breaches: choice,
    warnings: choice,
  },
  {
    description:
      'Which events are mailed to the user: breaches are broken limits of loss; warnings are limits that are near, and feeds that fell silent; each with its revisions',
  },
);

const eventMailChange = record('EventMailChange', Type.Partial(eventMail).properties, {
  minProperties: 1,
  description: 'What is absent stays as it is',
});

const PATH = '/users/current/event-mail';

export const readEventMailOperation = defineOperation({
  operationId: 'readEventMail',
  method: 'GET',
  path: PATH,
  base: 'risk',
  scope: 'read',
  summary: 'Read which events are mailed to you',
  description:
    'Nothing is mailed until you ask for it. 403 for a token restricted to specific accounts.',
  response: { 200: eventMail },
});

export const setEventMailOperation = defineOperation({
  operationId: 'setEventMail',
  method: 'PUT',
  path: PATH,
  base: 'risk',
  scope: 'write',
  summary: 'Choose which events are mailed to you',
  description:
    'To the e-mail address of the user, from now on: earlier events are not mailed. 403 for a token restricted to specific accounts.',
  body: eventMailChange,
  response: { 204: null },
});
