import type { FastifyInstance } from 'fastify';
import { recordDealsOperation } from '../../../contract/operations/deals.ts';
import type { Context } from '../../../services/context.ts';
import { recordDeals } from '../../../services/deals/record-deals.ts';
import { addRoute } from '../../add-route.ts';

export function registerDeals(server: FastifyInstance, context: Context): void {
  addRoute(server, recordDealsOperation, ({ principal, params, body }) =>
    recordDeals(context, principal, params.accountId, body),
  );
}
