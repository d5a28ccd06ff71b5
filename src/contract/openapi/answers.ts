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

type ErrorAnswer = { description: string; headers?: Json; example: ErrorRecord };

const EXAMPLE_ID = 1_795_229_034_753_000;

/** What every operation may answer beside what it is for. */
const ERRORS: Record<'Refused' | 'Failed', ErrorAnswer> = {
  Refused: {
    description:
      'The request is refused. 400: it is not valid, details name every fault. 401: the auth-token header is missing or not valid. 403: the token does not allow it, a quota is used up, or statistics are off. 404: it does not exist, or is not yours. 409: it contradicts the current state. 413, 415: the body is too long or of another type. 429: too many requests, retry-after says how long to wait',
    headers: RETRY_AFTER,
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
  Failed: {
    description:
      'The server cannot answer. 500: a fault of the server, its log has the id. 503: something that it needs is unavailable, retry-after says when to ask again',
    headers: RETRY_AFTER,
    example: {
      id: EXAMPLE_ID,
      error: 'ServiceUnavailableError',
      message: 'The database does not answer; try again later',
      metadata: { recommendedRetryTime: '2026-11-20T13:05:02.000Z' },
    },
  },
};

/** The answers that operations refer to, by their names. */
export function sharedAnswers(components: Components): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([name, { description, headers, example }]) => [
      name,
      {
        description,
        headers: { ...REQUEST_ID, ...headers },
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
  const refused = { $ref: '#/components/responses/Refused' };
  const failed = { $ref: '#/components/responses/Failed' };
  return { ...answers, '4XX': refused, '5XX': failed };
}

const DESCRIPTIONS: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Being computed: ask again after retry-after seconds',
  204: 'Done',
};
const COMPUTING = {
  status: 'computing',
  message: 'The trades of this account are being computed; try again after retry-after seconds',
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
