import type { FastifyInstance } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Seconds of every request by operation and status; the log lists slow and failed ones. */
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
  const ofUser = userMetrics(registry);
  server.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation?.operationId ?? 'none';
    const took = reply.elapsedTime / 1000;
    observerOf(operation, reply.statusCode).observe(took);
    const sent = Number(request.headers['content-length'] ?? 0);
    if (request.principal?.userId) ofUser(request.principal.userId, took, sent);
    const { id, log } = request;
    log.debug({ reqId: id, operation, status: reply.statusCode, seconds: took }, 'answered');
    done();
  });
}

/** Each user is a series: further users share one. */
const MAX_USERS = 1000;

/** Resources of this process used by each user, to find the ones that overload it. */
function userMetrics(registry: Registry): (userId: string, seconds: number, bytes: number) => void {
  const labels = { labelNames: ['user' as const], registers: [registry] };
  const seconds = new Counter({
    name: 'plimsoll_user_request_seconds_total',
    help: 'How long requests of a user took',
    ...labels,
  });
  const bytes = new Counter({
    name: 'plimsoll_user_request_bytes_total',
    help: 'Bytes of the bodies that a user sent',
    ...labels,
  });
  const known = new Set<string>();
  return (userId, took, sent) => {
    if (known.size < MAX_USERS) known.add(userId);
    const user = known.has(userId) ? userId : 'others';
    seconds.labels(user).inc(took);
    if (sent > 0) bytes.labels(user).inc(sent);
  };
}
