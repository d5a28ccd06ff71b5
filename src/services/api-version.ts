import { invalidParameter } from './errors.ts';

const SUPPORTED_VERSION = 1;

/** Throws `validation` for a version of the answer that is not there. */
export function requireApiVersion(headers: Readonly<Record<string, unknown>>): void {
  const asked = headers['api-version'];
  if (asked === undefined || Number(asked) === SUPPORTED_VERSION) return;
  throw invalidParameter('api-version', `must be ${SUPPORTED_VERSION}, the only supported version`);
}
