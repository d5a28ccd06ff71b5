import type { FastifyInstance } from 'fastify';
import {
  correctDealOperation,
  deleteDealOperation,
  listDealsOperation,
  recordDealsOperation,
} from '../../../contract/operations/deals.ts';
import { MAX_PAGE } from '../../../contract/primitives.ts';
import type { Context } from '../../../services/context.ts';
import { correctDeal, deleteDeal } from '../../../services/deals/change-deal.ts';
import { readDealPage } from '../../../services/deals/read-deal-page.ts';
import { recordDeals } from '../../../services/deals/record-deals.ts';
import { addRoute } from '../../add-route.ts';

export function registerDeals(server: FastifyInstance, context: Context): void {
  addRoute(server, recordDealsOperation, ({ principal, params, body }) =>
    recordDeals(context, principal, params.accountId, body),
  );
  addRoute(server, listDealsOperation, ({ principal, params, query }) => {
    const { limit = MAX_PAGE, ...range } = query;
    return readDealPage(context, principal, params.accountId, { ...range, limit });
  });
  addRoute(server, correctDealOperation, ({ principal, params, body }) =>
    correctDeal(context, principal, params.accountId, { ...body, id: params.dealId }),
  );
  addRoute(server, deleteDealOperation, ({ principal, params }) =>
    deleteDeal(context, principal, params.accountId, params.dealId),
  );
}
