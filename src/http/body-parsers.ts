import type { FastifyInstance } from 'fastify';
import { type Fault, invalid } from '../services/errors.ts';

export const NDJSON = 'application/x-ndjson';
const MAX_FAULTS = 100;

/**
 * JSON as Fastify reads it (prototype keys refused), NDJSON as an array of its lines' values.
 * Bodies of other types reach only operations that say what they consume, as bytes.
 */
export function registerBodyParsers(server: FastifyInstance): void {
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
