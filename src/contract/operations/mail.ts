import Type from 'typebox';
import { MAIL_STATES } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  count,
  idText,
  isoTime,
  linkedPageOf,
  pageUpTo,
  pathId,
  record,
  words,
} from '../primitives.ts';

export const MAX_MAIL_PAGE = 100;

const mailState = words(MAIL_STATES, {
  $id: 'MailState',
  description: 'logged: written to the log for lack of a mail server; failed: given up',
});

const mail = record('Mail', {
  id: idText('E-mail id'),
  messageId: answerText(512, 'The Message-ID header, equal at every attempt'),
  to: answerText(254, 'Address of the user'),
  subject: answerText(1000, 'Subject'),
  text: answerText(20_000, 'Text of the e-mail; empty if it has a one-time code'),
  state: mailState,
  attempts: count('How often it was tried'),
  queuedAt: isoTime('When it was written'),
  nextAttemptAt: Type.Optional(isoTime('While queued: time of the next attempt')),
  settledAt: Type.Optional(isoTime('When it was sent, logged or given up')),
  lastResult: Type.Optional(answerText(4000, 'The last answer of the mail server')),
});

export const listMailOperation = defineOperation({
  operationId: 'listMail',
  method: 'GET',
  path: '/admin/mail',
  base: 'admin',
  scope: 'admin',
  summary: 'List e-mails',
  description: 'Newest first.',
  querystring: Type.Object({ state: Type.Optional(mailState), ...pageUpTo(MAX_MAIL_PAGE) }),
  response: { 200: linkedPageOf(mail, { maxItems: MAX_MAIL_PAGE }) },
  isPaged: true,
});

export const resendMailOperation = defineOperation({
  operationId: 'resendMail',
  method: 'POST',
  path: '/admin/mail/:id/resend',
  base: 'admin',
  scope: 'admin',
  summary: 'Send an e-mail again',
  description:
    'For an e-mail that failed or was only logged; 409 for one that is queued or sent, or that had a one-time code.',
  params: Type.Object({ id: pathId('E-mail id') }),
  response: { 204: null },
  errors: [404, 409],
});
