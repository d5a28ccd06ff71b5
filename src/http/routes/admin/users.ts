import type { FastifyInstance } from 'fastify';
import {
  createTokenOperation,
  createUserOperation,
  deleteTokenOperation,
  deleteUserOperation,
  listTokensOperation,
  listUsersOperation,
  MAX_TOKEN_PAGE,
  rotateTokenOperation,
} from '../../../contract/operations/users.ts';
import { actorOf } from '../../../services/changes.ts';
import type { PlatformContext } from '../../../services/platform-accounts/use-platform.ts';
import { createUser } from '../../../services/users/create-user.ts';
import { deleteUser } from '../../../services/users/delete-user.ts';
import { listUsers } from '../../../services/users/list-users.ts';
import { presentToken } from '../../../services/users/present-token.ts';
import { presentUser } from '../../../services/users/present-user.ts';
import { revokeToken } from '../../../services/users/revoke-token.ts';
import { rotateToken } from '../../../services/users/rotate-token.ts';
import { createToken, readTokens } from '../../../services/users/tokens.ts';
import { addRoute } from '../../add-route.ts';
import { sendOffsetPage, sendPage } from '../../send-page.ts';

export function registerUsers(server: FastifyInstance, context: PlatformContext): void {
  addRoute(server, createUserOperation, ({ principal, body }) =>
    createUser(context, actorOf(principal), body),
  );
  addRoute(server, listUsersOperation, ({ query, ...call }) =>
    sendOffsetPage(call, query, async ({ limit, offset }) => {
      const users = await listUsers(context, limit, offset);
      return users.map(presentUser);
    }),
  );
  addRoute(server, deleteUserOperation, ({ principal, params }) =>
    deleteUser(context, actorOf(principal), params.userId),
  );
  addRoute(server, createTokenOperation, ({ principal, params, body }) =>
    createToken(context, actorOf(principal), params.userId, body),
  );
  addRoute(server, listTokensOperation, async ({ params, query, ...call }) =>
    sendPage(
      call,
      await readTokens(context, params.userId, { limit: MAX_TOKEN_PAGE, ...query }),
      presentToken,
    ),
  );
  addRoute(server, rotateTokenOperation, ({ principal, params, body }) =>
    rotateToken(context, actorOf(principal), params.id, body),
  );
  addRoute(server, deleteTokenOperation, ({ principal, params, query }) =>
    revokeToken(context, actorOf(principal), params.id, query),
  );
}
