import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

/** Seconds of every request by operation and status; the log tells slow and failed ones. */
export function registerMetrics(server: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'plimsoll_http_request_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30],
    registers: [registry],
  });
  // Looking a child up by its labels costs several times as much as observing.
  const observers = new Map<string, Histogram.Internal<'operation' | 'status'>[]>();
  const observerOf = (operation: string, status: number) => {
    let ofOperation = observers.get(operation);
    if (!ofOperation) {
      ofOperation = [];
      observers.set(operation, ofOperation);
    }
    ofOperation[status] ??= seconds.labels(operation, String(status));
    return ofOperation[status];
  };
  server.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation?.operationId ?? 'none';
    const took = reply.elapsedTime / 1000;
    observerOf(operation, reply.statusCode).observe(took);
    const { id, log } = request;
    log.debug({ reqId: id, operation, status: reply.statusCode, seconds: took }, 'answered');
    done();
  });
}
