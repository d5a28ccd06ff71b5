import { ASKED, longestJson } from './longest-json.ts';
import type { Operation } from './operation.ts';

/**
 * Bodies up to this are read within a millisecond, whatever they hold, so that one slightly too
 * long is reported as a fault.
 */
export const LEAST_BYTES = 64 * 1024;
/** Room for spaces and line breaks of bodies formatted for reading. */
const SPACIOUS = 1.5;

/** The longest body that an operation reads, in bytes: as long as its schema allows. */
export function bodyLimitOf({ operationId, body, bodyLimitBytes, consumes }: Operation): number {
  if (bodyLimitBytes !== undefined) return bodyLimitBytes;
  if (consumes) throw new Error(`Invariant: ${operationId} bounds no body`);
  return Math.max(LEAST_BYTES, body ? Math.ceil(longestJson(body, ASKED) * SPACIOUS) : 0);
}
