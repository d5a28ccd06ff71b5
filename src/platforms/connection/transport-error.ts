import { PlatformError } from '../gateway.ts';

/** The conversation with a server failed. `sent`: the request may have reached it and have run. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly sent: boolean;
  readonly timedOut: boolean;
  /** The answer was larger than an answer may be. */
  readonly isTooLarge: boolean;
  constructor(
    message: string,
    { sent = false, timedOut = false, isTooLarge = false, cause }: ErrorOptions & Flags = {},
  ) {
    super(message, { cause });
    this.sent = sent;
    this.timedOut = timedOut;
    this.isTooLarge = isTooLarge;
  }
}

type Flags = { sent?: boolean; timedOut?: boolean; isTooLarge?: boolean };

/** Whether a call failed, perhaps in other words by now, as its answer was too large. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof TransportError ? error.isTooLarge : isTooLarge(error.cause));

/**
 * What users are told of every failed conversation, in the same words whatever is at the other end:
 * a profile must not tell which ports are open. The cause is for the log.
 */
export function unreachable(cause: TransportError, retryAfterSeconds: number): PlatformError {
  return new PlatformError(
    'unavailable',
    'the server cannot be reached, or does not answer like this kind of platform',
    { cause, retryAfterSeconds, outcomeUnknown: cause.sent },
  );
}
