import type { FastifyInstance } from 'fastify';
import { type AuditRecord, listAuditOperation } from '../../../contract/operations/audit.ts';
import { listAudit } from '../../../services/audit/list-audit.ts';
import type { Context } from '../../../services/context.ts';
import { addRoute } from '../../add-route.ts';

export function registerAudit(server: FastifyInstance, context: Context): void {
  addRoute(server, listAuditOperation, async ({ query }): Promise<AuditRecord[]> => {
    const page = { userId: query.userId, limit: query.limit ?? 1000, offset: query.offset ?? 0 };
    return (await listAudit(context, page)).map(({ id, atMs, actor, action, userId, details }) => ({
      id,
      at: new Date(atMs).toISOString(),
      actor,
      action,
      ...(userId === null ? {} : { userId }),
      details,
    }));
  });
}
