import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { until } from '../../test/servers/until.ts';
import type { Operation } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { UNSHARED } from '../http/add-route.ts';
import { createServer } from '../http/server.ts';
import { TOKEN_SCOPES } from '../words/service.ts';
import { createLogger } from './logger.ts';
import { type RouteParts, registerRoutes } from './routes.ts';

/** More than there are places or turns of any kind for all users together. */
const GREEDY = 70;
/** Streams and snapshots have bounds of their own, which are tested with them. */
const SHARED = OPERATIONS.filter(
  ({ operationId, scope, streams }) => scope !== 'public' && !streams && !(operationId in UNSHARED),
);

/** The real routes with their places and turns; requests are begun, and last until told to end. */
async function startHolding() {
  const begun: string[] = [];
  let end = Promise.withResolvers<void>();
  const hold = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    begun.push(request.principal.userId ?? '');
    await request.held?.during(() => end.promise);
    reply.hijack();
    reply.raw.end();
    return reply;
  };
  const server = await createServer({
    ...{ logger: createLogger('silent'), metrics: new Registry(), newId: () => 'request' },
    ...{ trustedProxies: [], corsOrigins: [], compatibility: 'none' },
    ...{ refusalsPerMinute: 0, requestsPerMinute: 0 },
    authenticate: async ({ token }) => ({
      ...{ userId: token, tokenId: token ?? '', scopes: new Set(TOKEN_SCOPES) },
      accountNumbers: undefined,
    }),
    routes: (routes) => {
      routes.addHook('onRoute', (route) => {
        if (route.config && 'operation' in route.config) route.handler = hold;
      });
      registerRoutes(routes, nothing);
    },
  });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const send = ({ method, path }: Operation, user: string): Promise<number> =>
    fetch(address + path.replaceAll(/:\w+/g, 'x'), {
      method,
      headers: { 'auth-token': user },
    }).then(({ status }) => status);
  return {
    begun,
    send,
    /** Ends those that were begun and those that have yet to begin, until all were answered. */
    endAll: async (sent: readonly Promise<number>[]) => {
      end.resolve();
      const statuses = await Promise.all(sent);
      end = Promise.withResolvers();
      begun.length = 0;
      return statuses;
    },
    close: () => {
      end.resolve();
      return server.close();
    },
  };
}

/** Whatever routes take from it at their registration; none of it is used by a held request. */
const given: Partial<Record<string | symbol, unknown>> = {
  ...{ isApi: true, metrics: new Registry(), quotas: { regions: ['main'] } },
  context: { catalogue: { onChange() {} } },
};
const nothing = new Proxy({} as RouteParts, { get: (_, name) => given[name] ?? {} });

describe('shares', () => {
  it('of no operation can be all taken by one user', async () => {
    await using stack = new AsyncDisposableStack();
    const { begun, send, endAll, close } = await startHolding();
    stack.defer(close);
    for (const operation of SHARED) {
      const greedy = Array.from({ length: GREEDY }, () => send(operation, 'greedy'));
      await until(() => begun.length > 0, `${operation.operationId} of the greedy user`);
      const other = send(operation, 'other');
      await until(() => begun.includes('other'), `${operation.operationId} of another user`);
      assert.ok(begun.length < GREEDY, operation.operationId);
      const statuses = await endAll([...greedy, other]);
      assert.equal(statuses.pop(), 200);
      for (const status of statuses) assert.ok([200, 429].includes(status), `${status}`);
    }
  });
});
