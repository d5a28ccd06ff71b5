import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { livenessOperation, readinessOperation } from '../../../contract/operations/system.ts';
import { addRoute } from '../../add-route.ts';

/**
 * Liveness (503 when only a restart helps), readiness (503 while the database is gone or live state
 * stands still) and Prometheus metrics.
 */
export function registerHealth(
  server: FastifyInstance,
  {
    checkLive,
    checkReady,
    metrics,
  }: { checkLive: () => void; checkReady: () => Promise<void>; metrics: Registry },
): void {
  addRoute(server, livenessOperation, () => {
    checkLive();
    return { status: 'live' };
  });
  addRoute(server, readinessOperation, async () => {
    await checkReady();
    return { status: 'ready' };
  });
  server.get(
    '/metrics',
    { config: { open: true }, schema: { hide: true } },
    async (_request, reply) => {
      reply.type(metrics.contentType);
      return metrics.metrics();
    },
  );
}
