import { PlatformError } from '../gateway.ts';

/** Codes ("Return codes" in the platform's Web API help) with names here. */
export const RETCODE = {
  done: 0,
  doneNothing: 1,
  error: 2,
  noPermission: 8,
  noService: 11,
  tooFrequent: 12,
  notFound: 13,
  partOfIt: 14,
  busy: 1018,
  unknownAccount: 1020,
  requestDone: 10009,
  tooManyRequests: 10024,
  unsupportedFilling: 10030,
  positionClosed: 10036,
} as const;

/**
 * An answer with a retcode other than 0 or 1, and other than a partial answer if that is accepted.
 * `text` is the server's own wording.
 */
export class RetcodeError extends Error {
  override readonly name = 'RetcodeError';
  readonly retcode: number;
  constructor(retcode: number, text: string) {
    super(`The trading server answered ${retcode}${text === '' ? '' : ` ${text}`}`);
    this.retcode = retcode;
  }
}

const MAX_TEXT = 120;

/** Reads `"13 Not found"`; undefined when the text does not start with a number. */
export function parseRetcode(value: unknown): { code: number; text: string } | undefined {
  const match = /^\s*(\d{1,6})\b\s*(.*)$/s.exec(String(value));
  if (!match) return undefined;
  return { code: Number(match[1]), text: (match[2] ?? '').slice(0, MAX_TEXT) };
}

export const isNotFound = (error: unknown): boolean =>
  error instanceof RetcodeError &&
  (error.retcode === RETCODE.notFound || error.retcode === RETCODE.unknownAccount);

/** Overload that passes: worth another try on the same session. */
export const isOverload = (error: unknown): boolean =>
  error instanceof RetcodeError &&
  (error.retcode === RETCODE.tooFrequent || error.retcode === RETCODE.busy);

const INVALID_USER_CODES: Record<number, string> = {
  3002: 'the server has no free logins left',
  3003: 'the login is reserved at another server',
  3004: 'the account already exists',
  3006: 'the password does not meet the rules of the server',
  3007: 'the limit of accounts is reached',
  3010: 'the group has another currency',
};
const OVERLOAD_RETRY_SECONDS = 5;
const BUSY_RETRY_SECONDS = 15;
const DOWN_RETRY_SECONDS = 30;

/** The meaning of a retcode to our caller. A not-found that gets here is a refused value. */
export function platformErrorOf(error: RetcodeError): PlatformError {
  const { retcode } = error;
  const unavailable = (retryAfterSeconds: number): PlatformError =>
    new PlatformError('unavailable', error.message, { retryAfterSeconds });
  if (retcode === RETCODE.tooFrequent) return unavailable(OVERLOAD_RETRY_SECONDS);
  if (retcode === RETCODE.busy) return unavailable(BUSY_RETRY_SECONDS);
  if (retcode === RETCODE.noPermission)
    return new PlatformError('forbidden', 'the manager account lacks the right (retcode 8)');
  if (retcode === 3 || retcode === 4 || retcode === RETCODE.notFound)
    return new PlatformError('invalid', error.message);
  if (retcode === RETCODE.unknownAccount) return new PlatformError('invalid', error.message);
  if (retcode >= 1000 && retcode < 2000) return new PlatformError('denied', error.message);
  if (retcode >= 3001 && retcode <= 3012) {
    const why = INVALID_USER_CODES[retcode];
    return new PlatformError('invalid', why ? `${error.message}: ${why}` : error.message);
  }
  if (retcode === RETCODE.tooManyRequests) return unavailable(OVERLOAD_RETRY_SECONDS);
  if ((retcode >= 4001 && retcode <= 6001) || (retcode >= 10004 && retcode <= 10046))
    return new PlatformError('invalid', error.message);
  // A fault between the access server and the trade server: perhaps after the effect.
  return new PlatformError('unavailable', error.message, {
    retryAfterSeconds: DOWN_RETRY_SECONDS,
    outcomeUnknown: true,
  });
}
