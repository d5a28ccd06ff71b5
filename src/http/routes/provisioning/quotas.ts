import type { FastifyInstance } from 'fastify';
import {
  listRegionsOperation,
  readRegionQuotasOperation,
  readUserQuotasOperation,
  requestQuotasOperation,
} from '../../../contract/operations/quotas.ts';
import type { Context } from '../../../services/context.ts';
import type { QuotaSettings } from '../../../services/quotas/quota-settings.ts';
import { readRegionQuotas, readUserQuotas } from '../../../services/quotas/read-quotas.ts';
import { requestQuotas } from '../../../services/quotas/request-quotas.ts';
import { addRoute } from '../../add-route.ts';

export function registerQuotas(server: FastifyInstance, context: Context & QuotaSettings): void {
  addRoute(server, readUserQuotasOperation, ({ principal }) => readUserQuotas(context, principal));
  addRoute(server, requestQuotasOperation, async ({ principal, params, body, reply }) => {
    const { id, created } = await requestQuotas(context, principal, params.region, body);
    if (created) return { id };
    reply.code(204);
    return undefined;
  });
  addRoute(server, listRegionsOperation, () => [...context.regions]);
  addRoute(server, readRegionQuotasOperation, ({ principal, params }) =>
    readRegionQuotas(context, principal, params.region),
  );
}
