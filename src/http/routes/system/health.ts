import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { livenessOperation, readinessOperation } from '../../../contract/operations/system.ts';
import { addRoute } from '../../add-route.ts';

/** Liveness, readiness (503 while the database is gone or live state stands still) and Prometheus metrics. */
export function registerHealth(
  server: FastifyInstance,
  { checkReady, metrics }: { checkReady: () => Promise<void>; metrics: Registry },
): void {
  addRoute(server, livenessOperation, () => ({ status: 'live' }));
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
