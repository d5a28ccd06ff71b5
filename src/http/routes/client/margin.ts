import type { FastifyInstance } from 'fastify';
import {
  calculateMarginOperation,
  putMarketOperation,
} from '../../../contract/operations/margin.ts';
import {
  calculateAccountMargin,
  type MarginContext,
  marginFaults,
} from '../../../services/margin/calculate-account-margin.ts';
import { marketFaults, saveAccountMarket } from '../../../services/margin/save-account-market.ts';
import { addRoute } from '../../add-route.ts';

export function registerMargin(server: FastifyInstance, context: MarginContext): void {
  addRoute(
    server,
    putMarketOperation,
    ({ principal, params, body }) => saveAccountMarket(context, principal, params.accountId, body),
    { moreFaults: ({ body }) => marketFaults(body) },
  );
  addRoute(
    server,
    calculateMarginOperation,
    async ({ principal, params, query, body: order, reply }) => {
      const { accountId } = params;
      const { body, basis, doubt } = await calculateAccountMargin(
        ...([context, principal, accountId, order, query.askPlatform === true] as const),
      );
      reply.header('margin-basis', basis);
      // Names of symbols may have any letters.
      if (doubt) reply.header('margin-doubt', encodeURI(doubt).replaceAll('%20', ' '));
      return body;
    },
    {
      moreFaults: ({ principal, params, body }) =>
        marginFaults(context, principal, params.accountId, body),
    },
  );
}
