import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { page, pathId } from '../primitives.ts';

const MAIL_STATES = ['queued', 'sent', 'logged', 'failed'] as const;

const mail = Type.Object(
  {
    id: Type.String(),
    messageId: Type.String({ description: 'The Message-ID header, the same at every attempt' }),
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    state: Type.Enum([...MAIL_STATES], {
      description: 'logged: written to the log for want of a mail server; failed: given up',
    }),
    attempts: Type.Integer(),
    queuedAt: Type.String({ description: 'ISO time, UTC' }),
    nextAttemptAt: Type.Optional(Type.String({ description: 'While it is queued' })),
    settledAt: Type.Optional(Type.String()),
    lastResult: Type.Optional(Type.String({ description: "The mail server's last words" })),
  },
  { $id: 'Mail' },
);

export const listMailOperation = defineOperation({
  operationId: 'listMail',
  method: 'GET',
  path: '/admin/mail',
  base: 'admin',
  scope: 'admin',
  summary: 'Mails, newest first',
  querystring: Type.Object({ state: Type.Optional(Type.Enum([...MAIL_STATES])), ...page }),
  response: { 200: Type.Array(mail) },
});

export const resendMailOperation = defineOperation({
  operationId: 'resendMail',
  method: 'POST',
  path: '/admin/mail/:id/resend',
  base: 'admin',
  scope: 'admin',
  summary: 'Queue a mail again that was given up or only logged',
  params: Type.Object({ id: pathId('Mail id') }),
  response: { 204: null },
  errors: [404, 409],
});
