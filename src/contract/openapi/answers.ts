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

type ErrorAnswer = { status: number; description: string; example: ErrorRecord };

const EXAMPLE_ID = 1_795_229_034_753_000;

/** Errors that are written out where an operation has them. All others are its default answer. */
const ERRORS = {
  ValidationError: {
    status: 400,
    description: 'The request is not valid: details name every fault',
    example: {
      id: EXAMPLE_ID,
      error: 'ValidationError',
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
    example: {
      id: EXAMPLE_ID,
      error: 'UnauthorizedError',
      message: 'The auth-token header is missing or not valid',
    },
  },
  ForbiddenError: {
    status: 403,
    description: 'The token does not allow this, a quota is used up, or statistics are off',
    example: {
      id: EXAMPLE_ID,
      error: 'ForbiddenError',
      message: 'The token lacks the scope "write"',
    },
  },
  NotFoundError: {
    status: 404,
    description: "It does not exist, or it is not the user's",
    example: { id: EXAMPLE_ID, error: 'NotFoundError', message: 'Account not found' },
  },
  ConflictError: {
    status: 409,
    description: 'It contradicts what is there: an id or a name that is taken, a limit',
    example: {
      id: EXAMPLE_ID,
      error: 'ConflictError',
      message: 'An account with the id challenge-1 already exists',
    },
  },
} satisfies Partial<Record<ErrorRecord['error'], ErrorAnswer>>;
const NAMES = new Map<number, string>(
  Object.entries(ERRORS).map(([name, { status }]) => [status, name]),
);

const DEFAULT = {
  description:
    'Any other error: 403 where the token does not allow this, 413 or 415 for the body, 429 for too many requests, 500 for a fault of the server, 503 while something it needs is away. 429 and 503 say when to ask again',
  headers: { ...REQUEST_ID, ...RETRY_AFTER },
  example: {
    id: EXAMPLE_ID,
    error: 'TooManyRequestsError',
    message: 'This token makes too many requests',
    metadata: { recommendedRetryTime: '2026-11-20T13:05:02.000Z' },
  } satisfies ErrorRecord,
};

/** The error answers that operations refer to, by their names. */
export function errorAnswers(components: Components): Record<string, Json> {
  const answers = { ...ERRORS, Error: DEFAULT };
  return Object.fromEntries(
    Object.entries(answers).map(([name, { description, example, ...more }]) => [
      name,
      {
        description,
        headers: { ...REQUEST_ID, ...('headers' in more ? more.headers : {}) },
        content: { 'application/json': { schema: components.write(errorRecord), example } },
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
      description: DESCRIPTIONS[status] ?? 'Done',
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
  return { ...answers, default: { $ref: '#/components/responses/Error' } };
}

const DESCRIPTIONS: Record<string, string> = {
  200: 'The answer',
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

function errorStatuses({ scope, errors = [] }: Operation): number[] {
  return [400, ...(scope === 'public' ? [] : [401]), ...errors].sort((a, b) => a - b);
}
