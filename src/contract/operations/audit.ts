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
    'Who did it: user:<id>; operator (the bootstrap token); cli:<name> (a command); policy',
  ),
  actorEmail: Type.Optional(answerText(254, 'The e-mail address of that user')),
  tokenId: Type.Optional(idText('The token used, or bootstrap; absent for commands and policies')),
  action: answerText(64, 'The action, for example quota.approved', { isAscii: true }),
  userId: Type.Optional(idText('The user concerned')),
  userEmail: Type.Optional(answerText(254, 'The e-mail address of that user')),
  accountId: Type.Optional(idText('The account concerned')),
  accountName: Type.Optional(answerText(200, 'The name of that account, while it exists')),
  details: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description:
      'In the form of the API: money in the currency, times as text. For quotas: region, requested, and all maxima from and to',
  }),
});

export const listAuditOperation = defineOperation({
  operationId: 'listAudit',
  method: 'GET',
  path: '/admin/audit',
  base: 'admin',
  scope: 'admin',
  summary: 'List the audit',
  description: 'Who did what and when, newest first. Entries must pass all filters.',
  querystring: Type.Object({
    userId: Type.Optional(pathId('Only entries about this user')),
    accountId: Type.Optional(pathId('Only entries about this account')),
    actor: Type.Optional(pathId('Only actions of this actor, for example operator or user:<id>')),
    action: Type.Optional(
      text(64, 'Only this action, or all with this beginning: tracker, or tracker.created', {
        pattern: '^[A-Za-z.-]+$',
        expected: 'must be letters and dots, for example tracker.created',
      }),
    ),
    ...page,
  }),
  response: { 200: linkedPageOf(auditEntry) },
  isPaged: true,
});
