import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  idText,
  isoTime,
  linkedPageOf,
  page,
  pathId,
  record,
  text,
} from '../primitives.ts';

const auditEntry = record('AuditEntry', {
  id: idText('Entry id'),
  at: isoTime('When it was done'),
  actor: answerText(
    100,
    'Who did it: user:<id>; operator, for the bootstrap token; cli:<name>, for a command; policy',
  ),
  actorEmail: Type.Optional(answerText(254, 'The e-mail address of a user who did it')),
  tokenId: Type.Optional(
    idText('The token with which it was done, or bootstrap; absent for commands and policies'),
  ),
  action: answerText(64, 'What was done, for example quota.approved', { isAscii: true }),
  userId: Type.Optional(idText('The user whom it is about')),
  userEmail: Type.Optional(answerText(254, 'The e-mail address of that user')),
  accountId: Type.Optional(idText('The account that it is about')),
  accountName: Type.Optional(answerText(200, 'The name of that account, while it exists')),
  details: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description:
      'As the records of the API: money in the currency, times as text. For quotas: region, requested, and all maxima from and to',
  }),
});

export const listAuditOperation = defineOperation({
  operationId: 'listAudit',
  method: 'GET',
  path: '/admin/audit',
  base: 'admin',
  scope: 'admin',
  summary: 'Who did what and when',
  description: 'Newest first, of what all filters let through.',
  querystring: Type.Object({
    userId: Type.Optional(pathId('Only entries about this user')),
    accountId: Type.Optional(pathId('Only entries about this account')),
    actor: Type.Optional(pathId('Only what this one did, for example operator or user:<id>')),
    action: Type.Optional(
      text(64, 'Only this action, or all that begin so: tracker, or tracker.created', {
        pattern: '^[A-Za-z.-]+$',
        expected: 'must be letters and dots, for example tracker.created',
      }),
    ),
    ...page,
  }),
  response: { 200: linkedPageOf(auditEntry) },
  isPaged: true,
});
