import type { FastifyInstance } from 'fastify';
import {
  decideQuotaRequestOperation,
  listQuotaRequestsOperation,
  type QuotaRequestRecord,
  setQuotasOperation,
} from '../../../contract/operations/quotas.ts';
import { actorOf } from '../../../services/audit/record-audit.ts';
import type { Context } from '../../../services/context.ts';
import { decideQuotaRequest } from '../../../services/quotas/decide-quota-request.ts';
import { listQuotaRequests } from '../../../services/quotas/list-quota-requests.ts';
import type { QuotaSettings } from '../../../services/quotas/quota-settings.ts';
import { setQuotas } from '../../../services/quotas/set-quotas.ts';
import { addRoute } from '../../add-route.ts';

type Listed = Awaited<ReturnType<typeof listQuotaRequests>>[number];

export function registerQuotaRequests(
  server: FastifyInstance,
  context: Context & QuotaSettings,
): void {
  addRoute(server, setQuotasOperation, ({ principal, params, body }) =>
    setQuotas(context, actorOf(principal), params.userId, params.region, body),
  );
  addRoute(server, listQuotaRequestsOperation, async ({ query }) => {
    const page = { state: query.state, limit: query.limit ?? 1000, offset: query.offset ?? 0 };
    return (await listQuotaRequests(context, page)).map(presentQuotaRequest);
  });
  addRoute(server, decideQuotaRequestOperation, ({ principal, params, body }) =>
    decideQuotaRequest(context, actorOf(principal), params.id, body),
  );
}

function presentQuotaRequest(request: Listed): QuotaRequestRecord {
  const { justification, decidedBy, message } = request;
  return {
    id: request.id,
    userId: request.userId,
    email: request.email,
    region: request.region,
    state: request.state,
    requested: request.requested,
    ...(justification === null ? {} : { justification }),
    createdAt: new Date(request.createdAtMs).toISOString(),
    updatedAt: new Date(request.updatedAtMs).toISOString(),
    ...(request.decidedAtMs === null
      ? {}
      : { decidedAt: new Date(request.decidedAtMs).toISOString() }),
    ...(decidedBy === null ? {} : { decidedBy }),
    ...(message === null ? {} : { message }),
  };
}
