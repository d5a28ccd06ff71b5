import type { ErrorRecord } from '../error-record.ts';
import { errorRecord } from '../error-record.ts';
import type { Operation } from '../operation.ts';
import type { Components } from './components.ts';

type Json = Record<string, unknown>;

const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
const RETRY_AFTER = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } };

export const HEADERS = {
  RequestId: {
    description: 'Id of the request; the server log has it as reqId',
    schema: { type: 'string' },
    example: '0f8c4a0e-5a1c-4b8e-9d53-0a6d4d2f9c11',
  },
  RetryAfter: {
    description: 'Seconds to wait before the same request is sent again',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
};

type ErrorAnswer = {
  status: number;
  description: string;
  example: Omit<ErrorRecord, 'id' | 'error'>;
};

const ERRORS: Record<ErrorRecord['error'], ErrorAnswer> = {
  ValidationError: {
    status: 400,
    description: 'The request is not valid: details name every fault',
    example: {
      message: 'The request is not valid; details name every fault',
      details: [
        { parameter: 'platform', message: 'is required' },
        { parameter: 'leverage', message: 'must be a number greater than 0 and at most 100000' },
      ],
    },
  },
  UnauthorizedError: {
    status: 401,
    description: 'The auth-token header is missing or not valid',
    example: { message: 'The auth-token header is missing or not valid' },
  },
  ForbiddenError: {
    status: 403,
    description: 'The token does not allow this, a quota is used up, or statistics are off',
    example: { message: 'The token lacks the scope "write"' },
  },
  NotFoundError: {
    status: 404,
    description: "It does not exist, or it is not the user's",
    example: { message: 'Account not found' },
  },
  ConflictError: {
    status: 409,
    description: 'It contradicts what is there: an id or a name that is taken, a limit',
    example: { message: 'An account with the id challenge-1 already exists' },
  },
  PayloadTooLargeError: {
    status: 413,
    description: 'The body is too long, or has too many rows',
    example: { message: 'Send at most 10000 rows in one request' },
  },
  UnsupportedMediaTypeError: {
    status: 415,
    description: 'The body has a content-type that the operation does not read',
    example: { message: 'Send the body as application/json' },
  },
  TooManyRequestsError: {
    status: 429,
    description: 'Too many requests, or too many at a time: wait as long as retry-after says',
    example: {
      message: 'This token makes too many requests',
      metadata: { recommendedRetryTime: '2026-11-20T13:05:02.000Z' },
    },
  },
  InternalError: {
    status: 500,
    description: 'A fault of the server: its log tells more under the id',
    example: { message: 'Internal error; see the server log for this id' },
  },
  ServiceUnavailableError: {
    status: 503,
    description: 'Something that the server needs is away or busy: try again after retry-after',
    example: {
      message: 'The database does not answer; try again later',
      metadata: { recommendedRetryTime: '2026-11-20T13:05:02.000Z' },
    },
  },
};
const NAMES = new Map(Object.entries(ERRORS).map(([name, { status }]) => [status, name]));

/** The error answers that operations refer to, by their names. */
export function errorAnswers(components: Components): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([error, { status, description, example }]) => [
      error,
      {
        description,
        headers: { ...REQUEST_ID, ...(status === 429 || status === 503 ? RETRY_AFTER : {}) },
        content: {
          'application/json': {
            schema: components.write(errorRecord),
            example: { id: 1_795_229_034_753_000, error, ...example },
          },
        },
      },
    ]),
  );
}

/** All answers of an operation by status. */
export function answersOf(
  operation: Operation,
  components: Components,
  example: unknown,
): Record<string, Json> {
  const answers: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(operation.response)) {
    const isFirst = Object.keys(answers).length === 0;
    answers[status] = {
      description: DESCRIPTIONS[status] ?? operation.summary,
      ...(status === '202' ? { headers: RETRY_AFTER } : {}),
      ...(operation.streams ? { content: streamOf(example) } : {}),
      ...(schema
        ? {
            content: {
              'application/json': {
                schema: components.write(schema),
                ...(isFirst && example !== undefined ? { example } : {}),
                ...(status === '202' ? { example: COMPUTING } : {}),
              },
            },
          }
        : {}),
    };
  }
  for (const status of errorStatuses(operation)) {
    answers[status] = { $ref: `#/components/responses/${NAMES.get(status)}` };
  }
  return answers;
}

const DESCRIPTIONS: Record<string, string> = {
  201: 'Created',
  202: 'Being computed: ask again after retry-after seconds',
  204: 'Done',
};
const COMPUTING = {
  status: 'computing',
  message: 'The trades of this account are being computed; retry after retry-after seconds',
};

const streamOf = (example: unknown): Json => ({
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'Server-sent events; the data of each is one record as JSON',
    },
    ...(example === undefined ? {} : { example }),
  },
});

function errorStatuses({ scope, body, consumes, errors = [] }: Operation): number[] {
  const ofTokens = scope === 'public' ? [] : [401, 403, 429];
  const ofBodies = body || consumes ? [413, 415] : [];
  return [400, ...ofTokens, ...errors, ...ofBodies, 500, 503].sort((a, b) => a - b);
}
