import type { FastifyInstance } from 'fastify';
import { listAuditOperation } from '../../../contract/operations/audit.ts';
import { listAudit } from '../../../services/audit/list-audit.ts';
import type { Context } from '../../../services/context.ts';
import { addRoute } from '../../add-route.ts';
import { sendOffsetPage } from '../../send-page.ts';

export function registerAudit(server: FastifyInstance, context: Context): void {
  addRoute(server, listAuditOperation, ({ query, ...call }) =>
    sendOffsetPage(call, query, (page) => listAudit(context, page)),
  );
}
