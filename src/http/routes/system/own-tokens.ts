import type { FastifyInstance } from 'fastify';
import {
  createOwnTokenOperation,
  deleteOwnTokenOperation,
  listOwnTokensOperation,
  rotateOwnTokenOperation,
} from '../../../contract/operations/own-tokens.ts';
import { MAX_TOKEN_PAGE } from '../../../contract/operations/users.ts';
import type { Context } from '../../../services/context.ts';
import {
  createOwnToken,
  listOwnTokens,
  revokeOwnToken,
  rotateOwnToken,
} from '../../../services/users/own-tokens.ts';
import { presentToken } from '../../../services/users/present-token.ts';
import { addRoute } from '../../add-route.ts';
import { sendPage } from '../../send-page.ts';

export function registerOwnTokens(server: FastifyInstance, context: Context): void {
  addRoute(server, listOwnTokensOperation, async ({ principal, query, ...call }) =>
    sendPage(
      call,
      await listOwnTokens(context, principal, { limit: MAX_TOKEN_PAGE, ...query }),
      presentToken,
    ),
  );
  addRoute(server, createOwnTokenOperation, ({ principal, body }) =>
    createOwnToken(context, principal, body),
  );
  addRoute(server, rotateOwnTokenOperation, ({ principal, params, body }) =>
    rotateOwnToken(context, principal, params.id, body ?? {}),
  );
  addRoute(server, deleteOwnTokenOperation, ({ principal, params, query }) =>
    revokeOwnToken(context, principal, params.id, query.withMade ?? false),
  );
}
