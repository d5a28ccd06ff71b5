import type { FastifyInstance } from 'fastify';
import type { Principal } from '../services/context.ts';
import { requireScope } from '../services/context.ts';
import { ServiceError } from '../services/errors.ts';

export type Authenticate = (token: string | undefined) => Promise<Principal>;

/**
 * Answers 401 and 403 before a body is read. Operations are closed unless they say `public`.
 */
export function registerAuthentication(server: FastifyInstance, authenticate: Authenticate): void {
  server.decorateRequest('principal');
  server.addHook('onRequest', async (request) => {
    const operation = request.routeOptions.config.operation;
    if (!operation) {
      if (request.is404 || request.routeOptions.config.open) return;
      throw new ServiceError('unauthorized', 'This address is not open');
    }
    if (operation.scope === 'public') return;
    const header = request.headers['auth-token'];
    request.principal = await authenticate(typeof header === 'string' ? header : undefined);
    requireScope(request.principal, operation.scope);
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages and documents that need no token: the dashboard's files and the reference. */
    open?: boolean;
  }
}
