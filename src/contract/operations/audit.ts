import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { answerText, idText, isoTime, page, pageOf, pathId, record } from '../primitives.ts';

const auditEntry = record('AuditEntry', {
  id: idText('Entry id'),
  at: isoTime('When it was done'),
  actor: answerText(
    256,
    'Who did it: user:<id>; operator, for the bootstrap token; cli:<name>, for a command; policy',
  ),
  action: answerText(64, 'What was done, for example quota.approved'),
  userId: Type.Optional(idText('The user whom it is about')),
  details: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'For quotas: region, requested, and all maxima from and to',
  }),
});

export const listAuditOperation = defineOperation({
  operationId: 'listAudit',
  method: 'GET',
  path: '/admin/audit',
  base: 'admin',
  scope: 'admin',
  summary: 'Who did what and when',
  description: 'Newest first.',
  querystring: Type.Object({
    userId: Type.Optional(pathId('Only entries about this user')),
    ...page,
  }),
  response: { 200: pageOf(auditEntry) },
});
