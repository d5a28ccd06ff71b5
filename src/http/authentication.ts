import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../services/context.ts';
import { requireScope } from '../services/context.ts';
import { ServiceError } from '../services/errors.ts';
import type { Presented } from '../services/users/authenticate.ts';
import { presentedBy, requireOwnPage } from './session-cookie.ts';

export type Authenticate = (presented: Presented) => Promise<Principal>;

/**
 * Answers 401 and 403 before a body is read. Operations are closed unless they say `public`.
 */
export function registerAuthentication(server: FastifyInstance, authenticate: Authenticate): void {
  server.decorate('authenticate', authenticate);
  server.decorateRequest('principal');
  server.addHook('onRequest', async (request) => {
    const operation = request.routeOptions.config.operation;
    if (!operation) {
      if (request.is404 || request.routeOptions.config.open) return;
      throw new ServiceError('unauthorized', 'This address is not open');
    }
    if (operation.scope === 'public') return;
    const presented = presentedBy(request);
    if (presented.session !== undefined) requireOwnPage(request);
    request.principal = await authenticate(presented);
    requireScope(request.principal, operation.scope);
  });
}

/**
 * Whether a long request may continue: its token has neither ended nor changed since it began.
 * Throws the database's errors.
 */
export async function stillAllowed(request: FastifyRequest): Promise<boolean> {
  const { principal: before, server, routeOptions } = request;
  const { scope = 'public' } = routeOptions.config.operation ?? {};
  try {
    const now = await server.authenticate(presentedBy(request));
    return (
      now === before || (isSameReach(now, before) && scope !== 'public' && now.scopes.has(scope))
    );
  } catch (error) {
    const isRefused = error instanceof ServiceError && error.code === 'unauthorized';
    if (isRefused) return false;
    throw error;
  }
}

function isSameReach(
  { accountNumbers: now }: Principal,
  { accountNumbers: before }: Principal,
): boolean {
  if (!now || !before) return now === before;
  return now.size === before.size && before.isSubsetOf(now);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages and documents that need no token: the dashboard's files and the reference. */
    open?: boolean;
  }
  interface FastifyInstance {
    authenticate: Authenticate;
  }
}
