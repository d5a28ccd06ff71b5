import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorRecord } from '../contract/error-record.ts';
import { outageOf, ServiceError, type ServiceErrorCode } from '../services/errors.ts';

type Shape = { status: number; error: ErrorRecord['error'] };

const BY_CODE: Record<ServiceErrorCode, Shape> = {
  validation: { status: 400, error: 'ValidationError' },
  unauthorized: { status: 401, error: 'UnauthorizedError' },
  forbidden: { status: 403, error: 'ForbiddenError' },
  notFound: { status: 404, error: 'NotFoundError' },
  conflict: { status: 409, error: 'ConflictError' },
  tooLarge: { status: 413, error: 'PayloadTooLargeError' },
  unsupportedMedia: { status: 415, error: 'UnsupportedMediaTypeError' },
  tooManyRequests: { status: 429, error: 'TooManyRequestsError' },
  unavailable: { status: 503, error: 'ServiceUnavailableError' },
};

const RETRY_AFTER_SECONDS = 2;

type Answer = Shape & {
  message: string;
  details?: unknown;
  retryAfterSeconds?: number | undefined;
};

/** Every failure becomes the error record, and a line in the log under the same id. */
export function registerErrors(server: FastifyInstance): void {
  server.setErrorHandler(answerFailure);
  server.setNotFoundHandler((request, reply) => {
    const message = `There is no ${request.method} ${request.url.split('?')[0]}; /docs lists all operations`;
    send(request, reply, nextId(), { ...BY_CODE.notFound, message });
  });
}

/** Also answers what fails before there is a route: an address that can't be decoded. */
export function answerFailure(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  send(request, reply, nextId(), answerFor(error), error);
}

/** Answers what the HTTP parser did not understand or wait for, and ends the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const message = CLIENT_ERRORS[error.code ?? ''] ?? 'The request is not valid HTTP';
    const details = [{ parameter: 'request', message }];
    const record = { id: nextId(), error: BY_CODE.validation.error, message, details };
    const body = JSON.stringify(record);
    const head = [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}

const CLIENT_ERRORS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
  HPE_HEADER_OVERFLOW: 'The head of the request is too long',
};

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  id: number,
  { status, error, message, details, retryAfterSeconds }: Answer,
  cause?: Error,
): void {
  const record: ErrorRecord = { id, error, message };
  if (details !== undefined) record.details = details;
  if (status === 429 || status === 503) {
    const seconds = retryAfterSeconds ?? RETRY_AFTER_SECONDS;
    reply.header('retry-after', seconds);
    const recommendedRetryTime = new Date(Date.now() + seconds * 1000).toISOString();
    record.metadata = { recommendedRetryTime };
  }
  const level = status === 500 ? 'error' : status === 503 ? 'warn' : 'info';
  const fields = { reqId: request.id, errorId: id, status };
  request.log[level]({ ...fields, err: status >= 500 ? cause : undefined }, message);
  reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(record));
}

/** Tells what a client may know of a failure. */
function answerFor(error: FastifyError): Answer {
  if (error instanceof ServiceError) {
    const { message, details, retryAfterSeconds } = error;
    return { ...BY_CODE[error.code], message, details, retryAfterSeconds };
  }
  const outage = outageOf(error);
  if (outage) {
    return { ...BY_CODE.unavailable, message: `The ${outage} does not answer; try again later` };
  }
  const known = Object.values(BY_CODE).find((shape) => shape.status === error.statusCode);
  if (known) {
    const reason =
      error.statusCode === 400 ? [{ parameter: 'body', message: error.message }] : undefined;
    return { ...known, message: error.message, details: reason };
  }
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') {
    const message = 'A part of the path is too long';
    return { ...BY_CODE.validation, message, details: [{ parameter: 'path', message }] };
  }
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    const message = `${error.message} (${STATUS_CODES[error.statusCode]})`;
    return { ...BY_CODE.validation, message, details: [{ parameter: 'request', message }] };
  }
  return {
    status: 500,
    error: 'InternalError',
    message: 'Something failed on our side; the log holds the cause under this id',
  };
}

/** Integers that no other occurrence has, in the order of time: microseconds, counted on. */
let lastId = 0;
function nextId(): number {
  lastId = Math.max(lastId + 1, Date.now() * 1000);
  return lastId;
}
