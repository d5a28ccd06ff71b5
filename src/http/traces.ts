import type { FastifyInstance, FastifyRequest } from 'fastify';

/** One request, as shown to the collector of traces. */
export type RequestTrace = {
  /** Runs work of the request: its calls to databases and platforms belong to the trace. */
  during<T>(work: () => T): T;
  end(statusCode: number): void;
};

export type BeginTrace = (request: FastifyRequest) => RequestTrace;

/** Traces requests of operations from their heads to the ends of their answers. */
export function registerTraces(server: FastifyInstance, begin: BeginTrace | undefined): void {
  server.decorateRequest('trace');
  if (!begin) return;
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.operation) return done();
    request.trace = begin(request);
    request.trace.during(done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    request.trace?.end(reply.statusCode);
    done();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    trace: RequestTrace | undefined;
  }
}
