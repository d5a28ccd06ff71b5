import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorRecord, ErrorStatus } from '../contract/error-record.ts';
import { methodsAt } from '../contract/methods-at.ts';
import {
  type Fault,
  ServiceError,
  type ServiceErrorCode,
  wordsOfOutage,
} from '../services/errors.ts';
import { errorOccurrence } from './error-occurrence.ts';

/** Not by `import`, which would load Node's own fetch, too: see `feeds/send-webhook.ts`. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

const STATUS: Record<ServiceErrorCode, ErrorStatus> = {
  validation: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  unsupportedMedia: 415,
  tooManyRequests: 429,
  unavailable: 503,
};

const RETRY_AFTER_SECONDS = 2;

type Answer = {
  status: ErrorStatus;
  message: string;
  details?: ErrorRecord['details'];
  retryAfterSeconds?: number | undefined;
};

const faultOf = (parameter: string, message: string): Fault[] => [{ parameter, message }];

/** Every failure becomes the error record, and a line in the log under the same id. */
export function registerErrors(server: FastifyInstance): void {
  server.setErrorHandler(answerFailure);
  server.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const methods = methodsAt(path);
    if (methods.length === 0) {
      const message = `There is no ${request.method} ${path}; /docs lists all operations`;
      return send(request, reply, { status: 404, message });
    }
    const allowed = methods.join(', ');
    const message = `${request.method} is not served here, but ${allowed}`;
    send(request, reply.header('allow', allowed), { status: 405, message });
  });
}

/** Also answers failures before there is a route, such as an address that cannot be decoded. */
export function answerFailure(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  send(request, reply, answerFor(error, request), error);
}

/**
 * Answers requests that the HTTP parser could not read, or that timed out, and ends the connection.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const message = CLIENT_ERRORS[error.code ?? ''] ?? 'The request is not valid HTTP';
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    const details = status === 400 ? { details: faultOf('request', message) } : {};
    const body = JSON.stringify(errorOccurrence(status, message, details));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}

const CLIENT_ERRORS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
  HPE_HEADER_OVERFLOW: 'The request headers are too long',
};

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, message, details, retryAfterSeconds = RETRY_AFTER_SECONDS }: Answer,
  cause?: Error,
): void {
  const isLater = status === 429 || status === 503;
  if (isLater) reply.header('retry-after', retryAfterSeconds);
  const record = errorOccurrence(status, message, {
    ...(details === undefined ? {} : { details }),
    ...(isLater ? { retryAfterSeconds } : {}),
  });
  logFailure(request, record.id, status, message, cause);
  request.server.countRefusal(request.ip, status);
  // No error may be cached: an address that is missing here may be there after an upgrade.
  reply.header('cache-control', 'no-store');
  reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(record));
}

/**
 * Logs the user and the operation, never the content; the cause only if the fault is the server's.
 */
function logFailure(
  request: FastifyRequest,
  errorId: number,
  status: number,
  message: string,
  cause: Error | undefined,
): void {
  const { id, method, principal, routeOptions, log } = request;
  const level = status === 500 ? 'error' : status === 503 ? 'warn' : 'info';
  const fields = {
    reqId: id,
    errorId,
    status,
    method,
    operation: routeOptions.config?.operation?.operationId,
    userId: principal?.userId,
    tokenId: principal?.tokenId,
    err: status >= 500 ? cause : undefined,
  };
  log[level](fields, message);
}

/** The part of a failure that a client may know. */
function answerFor(error: FastifyError, request: FastifyRequest): Answer {
  if (error instanceof ServiceError) {
    return answerForRefusal(error, request);
  }
  const outage = wordsOfOutage(error);
  if (outage !== undefined) return { status: 503, message: outage };
  const known = KNOWN_FAILURES[error.code];
  if (known) return known(request);
  const { statusCode = 500 } = error;
  const status = Object.values(STATUS).find((known) => known === statusCode);
  if (status && status !== 400) return { status, message: error.message };
  if (statusCode >= 400 && statusCode < 500) {
    const message = `${error.message} (${STATUS_CODES[statusCode]})`;
    return { status: 400, message, details: faultOf('request', message) };
  }
  return { status: 500, message: 'Internal error; see the server log for this id' };
}

/**
 * An operation that documents no 404 answers 400 if something named in its path does not exist:
 * those of the specification whose only documented failure is 400.
 */
function answerForRefusal(error: ServiceError, { routeOptions }: FastifyRequest): Answer {
  const { code, message, details, retryAfterSeconds } = error;
  const operation = routeOptions.config?.operation;
  if (code === 'notFound' && operation && !operation.errors?.includes(404)) {
    const [parameter = 'path'] = Object.keys(operation.params?.properties ?? {});
    return { status: 400, message, details: faultOf(parameter, 'is not known') };
  }
  const named = details ? { details: details as ErrorRecord['details'] } : {};
  return { status: STATUS[code], message, ...named, retryAfterSeconds };
}

/** Fastify's own failures, in our words. */
const KNOWN_FAILURES: Record<string, (request: FastifyRequest) => Answer> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions: { bodyLimit } }) => ({
    status: 413,
    message: `The body is longer than the ${bodyLimit} bytes that this operation reads`,
  }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => ({
    status: 415,
    message: 'The content-type is not valid',
  }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => {
    const message = 'The body is not as long as content-length says';
    return { status: 400, message, details: faultOf('body', message) };
  },
  FST_ERR_MAX_PARAM_LENGTH: () => {
    const message = 'A part of the path is too long';
    return { status: 400, message, details: faultOf('path', message) };
  },
};
