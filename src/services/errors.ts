import { DatabaseUnavailable } from '../storage/database.ts';

/** Why a verb did not do what it was asked for; the protocol of the caller decides how to say it. */
export type ServiceErrorCode =
  | 'validation'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'tooLarge'
  | 'unsupportedMedia'
  | 'tooManyRequests'
  | 'unavailable';

export type Fault = { parameter: string; message: string };

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: ErrorOptions & { details?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Every fault of the input at once. */
export const invalid = (faults: Fault[]): ServiceError =>
  new ServiceError('validation', 'The request is not valid; details name every fault', {
    details: faults,
  });

export const invalidParameter = (parameter: string, message: string): ServiceError =>
  invalid([{ parameter, message }]);

/** The same for what does not exist and for what belongs to somebody else. */
export const notFound = (what: string): ServiceError =>
  new ServiceError('notFound', `${what} not found`);

export const conflict = (message: string): ServiceError => new ServiceError('conflict', message);

export const forbidden = (message: string, details?: unknown): ServiceError =>
  new ServiceError('forbidden', message, { details });

export const unavailable = (message: string, retryAfterSeconds: number): ServiceError =>
  new ServiceError('unavailable', message, { retryAfterSeconds });

/** The database or the journal is gone for now: the request may be sent again. Which, in a word. */
export function outageOf(error: unknown): 'database' | 'journal' | undefined {
  if (!(error instanceof DatabaseUnavailable)) return undefined;
  return error.name === 'JournalUnavailable' ? 'journal' : 'database';
}
