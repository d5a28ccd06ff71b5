import { PlatformError, type PlatformErrorCode } from '../gateway.ts';

/**
 * Return codes of the p4 manager library (its RET_… constants) by what they mean to our caller.
 * Other codes are faults of the platform.
 */
const CODES: Record<number, PlatformErrorCode> = {
  3: 'invalid', // invalid data
  5: 'denied', // old version
  7: 'forbidden', // not enough rights
  10: 'denied', // key must be generated
  11: 'denied', // security session
  64: 'denied', // account disabled
  65: 'denied', // bad account info
  129: 'invalid', // bad prices
  130: 'invalid', // bad stops
  131: 'invalid', // bad volume
  133: 'invalid', // trade disabled
  134: 'invalid', // not enough money
};
/** 8 too frequent, 137 broker busy, 141 too many requests: overload that passes. */
const OVERLOAD = new Set([8, 137, 141]);
const OVERLOAD_RETRY_SECONDS = 5;
const DOWN_RETRY_SECONDS = 30;

export type BridgeFailure = {
  status: number;
  /** Return code of the manager library, if the bridge gave one. */
  code: number | undefined;
  message: string;
  retryAfterSeconds: number | undefined;
};

/**
 * Whether a status says that the bridge has no such call. Web frameworks answer 405 by themselves
 * where a path exists, but not with this method: `POST /closed-orders` beside the `GET`.
 */
export const isMissing = (status: number): boolean => status === 405 || status === 501;

/** Whether another try may help. */
export const mayPass = ({ status, code }: BridgeFailure): boolean =>
  status === 429 || status === 503 || (code !== undefined && OVERLOAD.has(code));

export function platformErrorOf(failure: BridgeFailure): PlatformError {
  const { status, code, retryAfterSeconds } = failure;
  const message = `the p4 bridge answered ${code === undefined ? status : `code ${code}`}${
    failure.message === '' ? '' : `: ${failure.message}`
  }`;
  const meaning = (code === undefined ? undefined : CODES[code]) ?? meaningOf(status);
  if (meaning !== 'unavailable') return new PlatformError(meaning, message);
  const seconds = mayPass(failure) ? OVERLOAD_RETRY_SECONDS : DOWN_RETRY_SECONDS;
  return new PlatformError('unavailable', message, {
    retryAfterSeconds: retryAfterSeconds ?? seconds,
    outcomeUnknown: !mayPass(failure),
  });
}

function meaningOf(status: number): PlatformErrorCode {
  if (status === 401) return 'denied';
  if (status === 403) return 'forbidden';
  if (isMissing(status)) return 'unsupported';
  return status === 400 || status === 404 || status === 409 || status === 422
    ? 'invalid'
    : 'unavailable';
}
