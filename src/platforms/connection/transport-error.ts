import { PlatformError } from '../gateway.ts';

/** The conversation with a server failed. `sent`: the request may have reached it and have run. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly sent: boolean;
  readonly timedOut: boolean;
  /** The answer exceeded the bound. */
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

/** Whether a call failed because its answer was too large, even if the error was reworded since. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof TransportError ? error.isTooLarge : isTooLarge(error.cause));

/**
 * The message to users about any failed conversation, in the same words whatever is at the other
 * end: a profile must not reveal which ports are open. The cause is for the log.
 */
export function unreachable(cause: TransportError, retryAfterSeconds: number): PlatformError {
  return new PlatformError(
    'unavailable',
    'the server cannot be reached, or does not answer like this kind of platform',
    { cause, retryAfterSeconds, outcomeUnknown: cause.sent },
  );
}
