import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { livenessOperation, readinessOperation } from '../../../contract/operations/system.ts';
import { addRoute } from '../../add-route.ts';

/** Reported by a process that can serve. */
export type Readiness = {
  quarantinedAccounts: number;
  quietJobs: boolean;
  standingWork: { work: string; seconds: number }[];
};

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
    version,
  }: {
    checkLive: () => void;
    checkReady: () => Promise<Readiness>;
    metrics: Registry;
    version: string;
  },
): void {
  addRoute(server, livenessOperation, () => {
    checkLive();
    return { status: 'live', version };
  });
  addRoute(server, readinessOperation, async () => {
    return { status: 'ready', version, ...(await checkReady()) };
  });
  // Some figures need the database: concurrent requests share them.
  let collecting: Promise<string> | undefined;
  server.get('/metrics', { config: { open: true } }, async (_request, reply) => {
    collecting ??= metrics.metrics().finally(() => {
      collecting = undefined;
    });
    reply.type(metrics.contentType);
    return collecting;
  });
}
