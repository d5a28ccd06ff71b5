import type { FastifyInstance } from 'fastify';
import { recordDealsOperation } from '../../../contract/operations/deals.ts';
import { accessAccount } from '../../../services/accounts/access-account.ts';
import type { Context } from '../../../services/context.ts';
import { recordDeals } from '../../../services/deals/record-deals.ts';
import { addRoute } from '../../add-route.ts';

export function registerDeals(server: FastifyInstance, context: Context): void {
  addRoute(server, recordDealsOperation, async ({ principal, params, body }) => {
    const account = await accessAccount(context, principal, params.accountId);
    return recordDeals(context, account, body);
  });
}
