import Type, { type Static } from 'typebox';
import { type Fault, MAX_FAULTS } from './faults.ts';
import { answerText, isoTime, record, words } from './primitives.ts';
import { tableSample } from './table-sample.ts';

export type { Fault };

/** The error of each status: a client may branch on either. */
export const ERRORS = {
  400: 'ValidationError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  405: 'MethodNotAllowedError',
  409: 'ConflictError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  429: 'TooManyRequestsError',
  431: 'RequestHeaderFieldsTooLargeError',
  500: 'InternalError',
  503: 'ServiceUnavailableError',
} as const;
export type ErrorStatus = keyof typeof ERRORS;
export type ErrorName = (typeof ERRORS)[ErrorStatus];

const errorDetail = record('ErrorDetail', {
  parameter: Type.Optional(
    answerText(256, 'The faulty part: `leverage`, `brokerClock.zone`, `[17].volume` (row 18)'),
  ),
  message: Type.Optional(answerText(2000, 'The fault, and the expected value')),
  expected: Type.Optional(answerText(2000, 'Statements: the content that was expected')),
  where: Type.Optional(answerText(2000, 'Statements: where reading ended')),
  table: Type.Optional(tableSample),
  quota: Type.Optional(answerText(64, 'Quotas: the one used up')),
  max: Type.Optional(Type.Number({ description: 'Quotas: the allowed maximum' })),
  used: Type.Optional(Type.Number({ description: 'Quotas: how many are in use' })),
});

/** Kinds of things that the list `details` of an error may name. */
export type ErrorDetail = Static<typeof errorDetail>;

const details = Type.Array(errorDetail, {
  maxItems: MAX_FAULTS,
  description: `Every fault, at most ${MAX_FAULTS}`,
});
const metadata = record('ErrorMetadata', { recommendedRetryTime: isoTime('When to try again') });

/**
 * The record of a status. `id` is unique per occurrence and is logged with the cause. The records
 * are named after their errors.
 */
export function errorRecord(status: ErrorStatus) {
  const error = ERRORS[status];
  const common = {
    id: Type.Integer({ description: 'Unique for each occurrence; the server log has the same id' }),
    error: words([error], { description: 'Name of the error, one for each status' }),
    message: answerText(4000, 'The fault and a remedy, for people to read'),
  };
  return record(error, {
    ...common,
    ...(status === 400 ? { details } : {}),
    ...(WITH_DETAILS.has(status) ? { details: Type.Optional(details) } : {}),
    ...(status === 429 || status === 503 ? { metadata } : {}),
  });
}

const WITH_DETAILS: ReadonlySet<ErrorStatus> = new Set([403, 404, 409, 413]);

/** Every answer with status 400 or above. */
export type ErrorRecord = {
  id: number;
  error: ErrorName;
  message: string;
  details?: ErrorDetail[];
  metadata?: Static<typeof metadata>;
};
