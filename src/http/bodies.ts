import type { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Check } from '../contract/check.ts';
import type { Faults } from '../contract/faults.ts';
import type { Operation } from '../contract/operation.ts';
import { readJson, readNdjson } from '../contract/read-json.ts';
import type { Principal } from '../services/context.ts';
import { ServiceError } from '../services/errors.ts';
import type { Places } from '../services/places.ts';
import { inTurns } from '../services/turns.ts';
import { answerClientError } from './errors.ts';
import { holdPlace } from './held-places.ts';

const MEBIBYTE = 1024 * 1024;
/**
 * Bytes of bodies that are being received or checked. The longest body is a statement of 50 MiB.
 */
const BODY_SHARES = { process: 256 * MEBIBYTE, user: 128 * MEBIBYTE, token: 64 * MEBIBYTE };
const RETRY_AFTER_SECONDS = 2;
/** A body that stands still for this long is given up. */
const IDLE_UPLOAD_MS = 20_000;
/** Shorter bodies arrive with the head, or within a request's usual time. */
const LEAST_WATCHED_BYTES = 64 * 1024;

/**
 * Reserves the memory of a body before its first byte is read, by its stated length or, without
 * one, by the operation's bound; ends uploads that stand still.
 */
export function registerBodyPlaces(server: FastifyInstance, idleMs = IDLE_UPLOAD_MS): Places {
  const places = server.places.create(
    'bodyBytes',
    'bytes of request bodies',
    BODY_SHARES,
    RETRY_AFTER_SECONDS,
  );
  server.addHook('preParsing', (request, reply, payload, done) => {
    const bytes = bodyBytes(request);
    if (bytes > 0) {
      const principal = request.principal ?? strangerAt(request.ip);
      holdPlace(request, reply, places.take(principal, bytes));
      if (bytes > LEAST_WATCHED_BYTES) watch(request, idleMs);
    }
    done(null, payload);
  });
  return places;
}

/** Who signs in: together they have the share of one user. */
const strangerAt = (address: string): Principal => ({
  ...{ userId: 'stranger', tokenId: `stranger:${address}`, scopes: new Set<never>() },
  accountNumbers: undefined,
});

/** A body longer than the operation allows is refused unread: it takes no memory. */
function bodyBytes({ headers, routeOptions }: FastifyRequest): number {
  const { bodyLimit } = routeOptions;
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  const length = Number(headers['content-length'] ?? 0);
  return length > bodyLimit ? 0 : length;
}

function watch({ raw }: FastifyRequest, idleMs: number): void {
  raw.setTimeout(idleMs, () => {
    answerClientError(
      Object.assign(new Error('idle'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      raw.socket,
    );
  });
  raw.once('end', () => raw.setTimeout(0));
}

/** A body without a stated length starts with this much memory, and grows by this factor. */
const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;

type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Receives a body into one piece of memory, of its stated length. Each part is copied to its place
 * as it comes, so that nothing is joined at the end: joining 16 MB would take too long. No two
 * bodies share memory, not even empty ones: the owner of a body may transfer its memory to another
 * thread. Compressed bodies are refused (`unsupportedMedia`): a small one may unpack to any size.
 */
function receiveBody(request: FastifyRequest, payload: Readable, done: Done): void {
  const { bodyLimit } = request.routeOptions;
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.toLowerCase() !== 'identity') {
    done(
      new ServiceError('unsupportedMedia', 'Send the body uncompressed, without content-encoding'),
    );
    return;
  }
  const said = request.headers['content-length'];
  const length = said === undefined ? undefined : Number(said);
  if (length !== undefined && length > bodyLimit) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    return;
  }
  let memory: Buffer | undefined;
  let received = 0;
  const take = (part: Buffer): void => {
    const needed = received + part.length;
    if (needed > bodyLimit) {
      finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return;
    }
    memory ??= Buffer.allocUnsafe(length ?? Math.min(FIRST_BYTES, bodyLimit));
    if (needed > memory.length) memory = grown(memory, received, needed, bodyLimit);
    part.copy(memory, received);
    received = needed;
  };
  const finish = (error: Error | null): void => {
    payload.off('data', take).off('end', end).off('error', fail).off('close', cut);
    if (error) done(error);
    else done(null, memory?.subarray(0, received) ?? Buffer.alloc(0));
  };
  const end = (): void => {
    const isWhole = length === undefined || received === length;
    finish(isWhole ? null : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  };
  const fail = (error: Error): void => finish(Object.assign(error, { statusCode: 400 }));
  const cut = (): void => fail(new Error('The body was cut off'));
  // The client left while its token was checked: it gets no answer.
  if (payload.destroyed) {
    cut();
    return;
  }
  payload.on('data', take).on('end', end).on('error', fail).on('close', cut);
  payload.resume();
}

function grown(memory: Buffer, used: number, needed: number, most: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(most, Math.max(needed, memory.length * GROWTH)));
  memory.copy(larger, 0, 0, used);
  return larger;
}

export const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

/** Bodies come as bytes: each operation decides what they are. */
export function registerBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', receiveBody);
}

/** The type without its parameters, in lower case. */
export const contentTypeOf = (request: FastifyRequest): string =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/**
 * Reads the body of an operation and checks it. Throws `unsupportedMedia` for another type than
 * JSON (or NDJSON, for rows), `tooLarge` for more rows than the operation accepts.
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
  // An empty body is a list without rows.
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

/**
 * Without an explicit type, clients send none, that of a form, as curl does, or that of plain text,
 * as fetch does; the body is JSON.
 */
const JSON_TYPES = new Set([
  ...['application/json', '', 'application/x-www-form-urlencoded', 'text/plain'],
]);
const EMPTY = Buffer.alloc(0);
