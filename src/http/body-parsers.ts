import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Fault, invalid, ServiceError } from '../services/errors.ts';

const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];
const MAX_FAULTS = 100;

const takesFiles = (request: FastifyRequest): boolean =>
  request.routeOptions.config.operation?.consumes !== undefined;

/**
 * JSON as Fastify reads it (prototype keys refused), NDJSON as an array of its lines' values.
 * Operations that take files get the bytes of any type; others refuse types that they don't know.
 */
export function registerBodyParsers(server: FastifyInstance): void {
  server.removeContentTypeParser(['text/plain']);
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (takesFiles(request)) done(null, body);
    // Clients send the type without a body on operations that need none.
    else if (body.length === 0) done(null, undefined);
    else parseJson(request, body.toString(), done);
  });
  server.addContentTypeParser(
    NDJSON,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      takesFiles(request) ? body : parseNdjson(body.toString()),
  );
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (takesFiles(request)) return body;
      if (body.length === 0) return undefined;
      throw new ServiceError('unsupportedMedia', 'Send the body as application/json');
    },
  );
}

/** Values of the lines; blank lines are skipped. Throws `validation` naming every line that is not JSON. */
export function parseNdjson(body: string): unknown[] {
  const values: unknown[] = [];
  const faults: Fault[] = [];
  for (const line of body.split('\n')) {
    if (line.trim() === '') continue;
    try {
      values.push(JSON.parse(line));
    } catch {
      faults.push({ parameter: `[${values.length + faults.length}]`, message: 'is not JSON' });
      if (faults.length >= MAX_FAULTS) break;
    }
  }
  if (faults.length > 0) throw invalid(faults);
  return values;
}
