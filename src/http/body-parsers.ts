import type { FastifyInstance } from 'fastify';
import { type Fault, invalid } from '../services/errors.ts';

export const NDJSON = 'application/x-ndjson';
const MAX_FAULTS = 100;

/** JSON as Fastify reads it (prototype keys refused), NDJSON as an array of its lines' values. */
export function registerBodyParsers(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients send the type without a body on operations that need none.
    if (body.length === 0) done(null, undefined);
    else parseJson(request, body.toString(), done);
  });
  server.addContentTypeParser(
    [NDJSON, 'application/ndjson', 'application/jsonl'],
    { parseAs: 'string' },
    async (_request: unknown, body: string) => parseNdjson(body),
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
