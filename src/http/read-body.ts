import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Check } from '../contract/check.ts';
import type { Faults } from '../contract/faults.ts';
import type { Operation } from '../contract/operation.ts';
import { readJson, readNdjson } from '../contract/read-json.ts';
import { ServiceError } from '../services/errors.ts';
import { inTurns } from '../services/turns.ts';
import { receiveBody } from './receive-body.ts';

export const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

/** Bodies come as bytes: what they are is for their operation to say. */
export function registerBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', receiveBody);
}

/** The type without its parameters, in lower case. */
export const contentTypeOf = (request: FastifyRequest): string =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/**
 * Reads the body of an operation and checks it. Throws `unsupportedMedia` for another type than
 * JSON (or NDJSON, for rows), `tooLarge` for more rows than the operation takes.
 */
export async function readBody(
  request: FastifyRequest,
  { bodyIsOptional }: Operation,
  check: Check,
  faults: Faults,
): Promise<unknown> {
  const bytes = request.body instanceof Buffer ? request.body : EMPTY;
  const type = contentTypeOf(request);
  const isNdjson = check.items !== undefined && NDJSON_TYPES.includes(type);
  // No line is a list of no rows.
  if (bytes.length === 0 && !isNdjson) {
    if (!bodyIsOptional) faults.add('body', 'is required');
    return undefined;
  }
  if (!isNdjson && !JSON_TYPES.has(type)) {
    const wanted = check.items ? 'application/json or application/x-ndjson' : 'application/json';
    throw new ServiceError('unsupportedMedia', `Send the body as ${wanted}`);
  }
  const read = await inTurns((isNdjson ? readNdjson : readJson)(bytes, check, faults));
  if (read === 'tooMany') {
    throw new ServiceError('tooLarge', `Send at most ${check.maxItems} rows in one request`);
  }
  return read.value;
}

/** Clients that are told no type send none, or that of a form as curl does; what comes is JSON. */
const JSON_TYPES = new Set(['application/json', '', 'application/x-www-form-urlencoded']);
const EMPTY = Buffer.alloc(0);
