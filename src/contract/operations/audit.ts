import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { page, pathId } from '../primitives.ts';

const auditEntry = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ description: 'ISO time, UTC' }),
    actor: Type.String({
      description:
        'user:<id>; operator, for the bootstrap token; cli:<name>, for a command; or policy',
    }),
    action: Type.String({ description: 'For example quota.approved' }),
    userId: Type.Optional(Type.String({ description: 'The user whom it is about' })),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: 'For quotas: region, requested, and all maxima from and to',
    }),
  },
  { $id: 'AuditEntry' },
);

export const listAuditOperation = defineOperation({
  operationId: 'listAudit',
  method: 'GET',
  path: '/admin/audit',
  base: 'admin',
  scope: 'admin',
  summary: 'Who did what and when, newest first',
  querystring: Type.Object({
    userId: Type.Optional(pathId('Only entries about this user')),
    ...page,
  }),
  isLong: true,
  response: { 200: Type.Array(auditEntry) },
});
