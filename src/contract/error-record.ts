import Type, { type Static } from 'typebox';
import { type Fault, MAX_FAULTS } from './faults.ts';
import { answerText, isoTime, record, words } from './primitives.ts';

export type { Fault };

export const ERROR_NAMES = [
  'ValidationError',
  'UnauthorizedError',
  'ForbiddenError',
  'NotFoundError',
  'ConflictError',
  'PayloadTooLargeError',
  'UnsupportedMediaTypeError',
  'TooManyRequestsError',
  'InternalError',
  'ServiceUnavailableError',
] as const;

const errorDetail = record('ErrorDetail', {
  parameter: Type.Optional(
    answerText(256, 'What is wrong: `leverage`, `brokerClock.zone`, `[17].volume` (row 18)'),
  ),
  message: Type.Optional(answerText(2000, 'What is wrong with it, and what is expected')),
  expected: Type.Optional(answerText(2000, 'Statements: what the reader expected')),
  where: Type.Optional(answerText(2000, 'Statements: where reading ended')),
  quota: Type.Optional(answerText(64, 'Quotas: the one that is used up')),
  max: Type.Optional(Type.Number({ description: 'Quotas: the allowed maximum' })),
  used: Type.Optional(Type.Number({ description: 'Quotas: how many are in use' })),
});

/** What the list `details` of an error may name. */
export type ErrorDetail = Static<typeof errorDetail>;

/**
 * Every answer of 4xx and 5xx. `id` is unique per occurrence and stands in the log beside the
 * cause.
 */
export const errorRecord = record(
  'Error',
  {
    id: Type.Integer({ description: 'Unique for each occurrence; the server log has the same id' }),
    error: words(ERROR_NAMES, { description: 'What to branch on, beside the status' }),
    message: answerText(4000, 'What went wrong and what to do next, for people'),
    details: Type.Optional(
      Type.Array(errorDetail, {
        maxItems: MAX_FAULTS,
        description: `ValidationError: every fault, at most ${MAX_FAULTS}`,
      }),
    ),
    metadata: Type.Optional(
      record('ErrorMetadata', {
        recommendedRetryTime: Type.Optional(
          isoTime('When to try again; with TooManyRequestsError and ServiceUnavailableError'),
        ),
      }),
    ),
  },
  { description: 'Every answer of 4xx and 5xx' },
);
export type ErrorRecord = Static<typeof errorRecord>;
