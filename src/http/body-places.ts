import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Places } from '../services/places.ts';
import { answerClientError } from './errors.ts';
import { holdPlace } from './held-places.ts';

const MEBIBYTE = 1024 * 1024;
/**
 * Bytes of bodies that are being received or looked at. The longest body is a statement of 50 MiB.
 */
const BODY_SHARES = { process: 256 * MEBIBYTE, user: 128 * MEBIBYTE, token: 64 * MEBIBYTE };
const RETRY_AFTER_SECONDS = 2;
/** A body of which nothing comes for so long is given up. */
const IDLE_UPLOAD_MS = 20_000;
/** Shorter bodies come with the head, or within the time of a request. */
const LEAST_WATCHED_BYTES = 64 * 1024;

/**
 * Reserves the memory of a body before its first byte is read, as long as it says it is, or as long
 * as the operation allows where it does not say; and ends uploads that stand still.
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
    if (bytes > 0 && request.principal) {
      holdPlace(request, reply, places.take(request.principal, bytes));
      if (bytes > LEAST_WATCHED_BYTES) watch(request, idleMs);
    }
    done(null, payload);
  });
  return places;
}

/** A body that is longer than the operation reads is refused unread: it takes nothing. */
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
