import type { FastifyInstance } from 'fastify';
import {
  decideQuotaRequestOperation,
  listQuotaRequestsOperation,
  setQuotasOperation,
} from '../../../contract/operations/quotas.ts';
import { actorOf } from '../../../services/changes.ts';
import type { Context } from '../../../services/context.ts';
import { decideQuotaRequest } from '../../../services/quotas/decide-quota-request.ts';
import { listQuotaRequests } from '../../../services/quotas/list-quota-requests.ts';
import type { QuotaSettings } from '../../../services/quotas/quota-settings.ts';
import { setQuotas } from '../../../services/quotas/set-quotas.ts';
import { addRoute } from '../../add-route.ts';
import { sendOffsetPage } from '../../send-page.ts';

export function registerQuotaRequests(
  server: FastifyInstance,
  context: Context & QuotaSettings,
): void {
  addRoute(server, setQuotasOperation, ({ principal, params, body }) =>
    setQuotas(context, actorOf(principal), params.userId, params.region, body),
  );
  addRoute(server, listQuotaRequestsOperation, ({ query, ...call }) =>
    sendOffsetPage(call, query, ({ state, ...page }) =>
      listQuotaRequests(context, { state, ...page }),
    ),
  );
  addRoute(server, decideQuotaRequestOperation, ({ principal, params, body }) =>
    decideQuotaRequest(context, actorOf(principal), params.id, body),
  );
}
