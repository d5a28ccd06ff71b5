import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  listOwnQuotaRequestsOperation,
  listRegionsOperation,
  readRegionQuotasOperation,
  readStorageOperation,
  readUserQuotasOperation,
  requestQuotasOperation,
} from '../../../contract/operations/quotas.ts';
import { words } from '../../../contract/primitives.ts';
import { type Context, userOf } from '../../../services/context.ts';
import { listQuotaRequests } from '../../../services/quotas/list-quota-requests.ts';
import type { QuotaSettings } from '../../../services/quotas/quota-settings.ts';
import { readRegionQuotas, readUserQuotas } from '../../../services/quotas/read-quotas.ts';
import { readStorage } from '../../../services/quotas/read-storage.ts';
import { requestQuotas } from '../../../services/quotas/request-quotas.ts';
import { addRoute } from '../../add-route.ts';
import { sendOffsetPage } from '../../send-page.ts';

export function registerQuotas(server: FastifyInstance, context: Context & QuotaSettings): void {
  addRoute(server, readUserQuotasOperation, ({ principal }) => readUserQuotas(context, principal));
  // The regions are known when the server starts, so an unknown one is reported with the other
  // faults.
  const params = Type.Object({ region: words(context.regions) });
  addRoute(
    server,
    { ...requestQuotasOperation, params },
    async ({ principal, params, body, reply }) => {
      const { id, created } = await requestQuotas(context, principal, params.region, body);
      if (created) return { id };
      reply.code(204);
      return undefined;
    },
  );
  addRoute(server, listOwnQuotaRequestsOperation, ({ principal, query, ...call }) =>
    sendOffsetPage(
      call,
      query,
      ({ state, ...page }) => listQuotaRequests(context, { state, ...page }, userOf(principal)),
      100,
    ),
  );
  addRoute(server, readStorageOperation, ({ principal }) => readStorage(context, principal));
  addRoute(server, listRegionsOperation, () => [...context.regions]);
  addRoute(server, readRegionQuotasOperation, ({ principal, params }) =>
    readRegionQuotas(context, principal, params.region),
  );
}
