import { ERRORS, type ErrorRecord, type ErrorStatus, errorRecord } from '../error-record.ts';
import { type Operation, usualStatus } from '../operation.ts';
import type { Components } from './components.ts';

type Json = Record<string, unknown>;

const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
const RETRY_AFTER = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } };

const PAGE = {
  link: { $ref: '#/components/headers/Link' },
  'total-count': { $ref: '#/components/headers/TotalCount' },
};

export const HEADERS = {
  Link: {
    description: 'The address of the next page, as `<…>; rel="next"`; absent on the last',
    schema: { type: 'string' },
    example: '</users/current/tokens?before=1795229034753-6f1e>; rel="next"',
  },
  TotalCount: {
    description: 'Number of items on all pages; absent if they are not counted',
    schema: { type: 'integer', minimum: 0 },
    example: 3,
  },
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

type ErrorAnswer = Omit<ErrorRecord, 'id' | 'error'> & { description: string };

const EXAMPLE_ID = 1_795_229_034_753_000;
const metadata = { recommendedRetryTime: '2026-11-20T13:05:02.000Z' };

const ERROR_ANSWERS: Record<ErrorStatus, ErrorAnswer> = {
  400: {
    description: 'The request is not valid; `details` name every fault',
    message: 'The request is not valid; details name every fault',
    details: [{ parameter: 'leverage', message: 'must be a number greater than 0' }],
  },
  401: {
    description: 'The header `auth-token` is missing or not valid',
    message: 'The auth-token header is missing or not valid',
  },
  403: {
    description: 'The token does not allow it, a quota is used up, or statistics are off',
    message: 'The token lacks the scope "write"',
  },
  404: { description: 'It does not exist, or is not yours', message: 'Account not found' },
  405: {
    description: 'The address has other methods; `Allow` names them',
    message: 'PUT is not served here, but GET, POST',
  },
  409: {
    description: 'It contradicts the current state',
    message: 'There is an account of this id already',
  },
  413: {
    description: 'The body is too long',
    message: 'The body is longer than the 65536 bytes that this operation reads',
  },
  415: {
    description: 'The body is of another type',
    message: 'Send the body as application/json',
  },
  429: {
    description: 'Too many requests, or too many at once',
    message: 'Too many requests; try again later',
    metadata,
  },
  431: {
    description: 'The headers are too long',
    message: 'The request headers are too long',
  },
  500: {
    description: 'A fault of the server; its log has the id',
    message: 'Internal error; see the server log for this id',
  },
  503: {
    description: 'A service that the server needs is unavailable',
    message: 'The database does not answer; try again later',
    metadata,
  },
};

/** The answers that operations refer to, by the names of their errors. */
export function errorAnswers(
  operations: readonly Operation[],
  components: Components,
): Record<string, Json> {
  const used = new Set(operations.flatMap(errorsOf));
  return Object.fromEntries(
    STATUSES.filter((status) => used.has(status)).map((status) => {
      const { description, ...rest } = ERROR_ANSWERS[status];
      const schema = components.write(errorRecord(status));
      const example = { id: EXAMPLE_ID, error: ERRORS[status], ...rest };
      const headers = { ...REQUEST_ID, ...(rest.metadata ? RETRY_AFTER : {}) };
      return [
        ERRORS[status],
        { description, headers, content: { 'application/json': { schema, example } } },
      ];
    }),
  );
}

const STATUSES = Object.keys(ERRORS).map(Number) as ErrorStatus[];

/** The statuses of 400 and above that an operation may answer. */
export function errorsOf({ scope, body, consumes, errors = [] }: Operation): ErrorStatus[] {
  const own = new Set<ErrorStatus>([400, 429, 500, 503, ...errors]);
  if (scope !== 'public') own.add(401).add(403);
  if (body || consumes) own.add(413).add(415);
  return STATUSES.filter((status) => own.has(status));
}

/** All answers of an operation by status. */
export function answersOf(
  operation: Operation,
  components: Components,
  example: unknown,
): Record<string, Json> {
  const answers: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(operation.response)) {
    const isUsual = schema === operation.response[usualStatus(operation)];
    answers[status] = {
      description: DESCRIPTIONS[status] ?? 'Done',
      ...(status === '202' ? { headers: RETRY_AFTER } : {}),
      ...(operation.isPaged ? { headers: PAGE } : {}),
      ...(operation.streams
        ? { content: streamOf(example, components.write(operation.streams)) }
        : {}),
      ...(isUsual && operation.file ? { content: fileOf(operation.file, example) } : {}),
      ...(schema && !(isUsual && operation.file)
        ? {
            content: {
              'application/json': {
                schema: components.write(schema),
                ...(isUsual && example !== undefined ? { example } : {}),
                ...(status === '202' ? { example: COMPUTING } : {}),
              },
            },
          }
        : {}),
    };
  }
  for (const status of errorsOf(operation)) {
    answers[status] = { $ref: `#/components/responses/${ERRORS[status]}` };
  }
  return answers;
}

const DESCRIPTIONS: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Being computed: repeat the request after retry-after seconds',
  204: 'Done',
};
const COMPUTING = {
  status: 'computing',
  message: 'The trades of this account are being computed; try again after retry-after seconds',
};

const fileOf = (types: readonly string[], example: unknown): Json =>
  Object.fromEntries(
    types.map((type) => {
      const schema = type === 'application/json' ? {} : { type: 'string' };
      return [type, { schema, ...(example === undefined ? {} : { example }) }];
    }),
  );

const streamOf = (example: unknown, contentSchema: Json): Json => ({
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'Server-sent events; the data of each is one record as JSON, by contentSchema',
      contentSchema,
    },
    ...(example === undefined ? {} : { example }),
  },
});
