import Type, { type Static } from 'typebox';

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

/** Every answer of 4xx and 5xx. `id` is unique per occurrence and stands in the log beside the cause. */
export const errorRecord = Type.Object(
  {
    id: Type.Integer({ description: 'Unique per occurrence; the same number stands in the log' }),
    error: Type.Enum([...ERROR_NAMES]),
    message: Type.String({ description: 'What went wrong and what to do next' }),
    details: Type.Optional(
      Type.Unknown({ description: 'ValidationError: every fault as {parameter, message}' }),
    ),
    metadata: Type.Optional(
      Type.Object({
        recommendedRetryTime: Type.Optional(
          Type.String({ description: 'ISO time; TooManyRequestsError' }),
        ),
      }),
    ),
  },
  { $id: 'Error' },
);
export type ErrorRecord = Static<typeof errorRecord>;

export type Fault = { parameter: string; message: string };
