import type { ErrorDetail } from '../contract/error-record.ts';
import { type Fault, MAX_FAULTS } from '../contract/faults.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { LockedSecret } from '../storage/key-ring.ts';

export type { Fault };

/** Why a verb did not do its work; the caller's protocol decides how to say it. */
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

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: ErrorOptions & { details?: readonly ErrorDetail[]; retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** All faults of the input at once, up to the most that one answer names. */
export function invalid(faults: readonly Fault[]): ServiceError {
  const named = faults.length < MAX_FAULTS ? 'every fault' : `the first ${MAX_FAULTS} faults`;
  return new ServiceError('validation', `The request is not valid; details name ${named}`, {
    details: faults.slice(0, MAX_FAULTS),
  });
}

export const invalidParameter = (parameter: string, message: string): ServiceError =>
  invalid([{ parameter, message }]);

/** Equal for things that do not exist and things of other users. */
export const notFound = (what: string): ServiceError =>
  new ServiceError('notFound', `${what} not found`);

export const conflict = (message: string): ServiceError => new ServiceError('conflict', message);

export const forbidden = (message: string): ServiceError => new ServiceError('forbidden', message);

export const unavailable = (message: string, retryAfterSeconds: number): ServiceError =>
  new ServiceError('unavailable', message, { retryAfterSeconds });

/** The caller has used up its share, and may retry later. */
export const tooMany = (message: string, retryAfterSeconds: number): ServiceError =>
  new ServiceError('tooManyRequests', message, { retryAfterSeconds });

/** SQLite, PostgreSQL and the machine, in this order. */
const DISK_FULL = new Set<unknown>([13, '53100', 'ENOSPC']);

/** Why the request may be repeated, for people to read. */
export function wordsOfOutage(error: unknown): string | undefined {
  const outage = outageOf(error);
  if (outage === undefined) return undefined;
  const isFull = causesOf(error).some(
    (cause) =>
      ('code' in cause && DISK_FULL.has(cause.code)) ||
      ('errcode' in cause && DISK_FULL.has(cause.errcode)),
  );
  const what = isFull ? `The disk of the ${outage} is full` : `The ${outage} does not answer`;
  return `${what}; try again later`;
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(cause);
  }
  return causes;
}

/** Whether the database or the journal is unavailable for now, so the request may be repeated. */
export function outageOf(error: unknown): 'database' | 'journal' | undefined {
  if (!(error instanceof DatabaseUnavailable)) return undefined;
  return error.name === 'JournalUnavailable' ? 'journal' : 'database';
}

/** Throws `conflict` if a stored secret's key is missing on the server. */
export function asConflict(error: unknown): never {
  throw error instanceof LockedSecret ? conflict(error.message) : error;
}
