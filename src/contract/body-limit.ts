import { ASKED, longestJson } from './longest-json.ts';
import type { Operation } from './operation.ts';

/**
 * Bodies that are read in a millisecond, whatever they hold: somewhat too long is told as a fault.
 */
export const LEAST_BYTES = 64 * 1024;
/** For spaces and line breaks of bodies that are written to be read. */
const SPACIOUS = 1.5;

/** The longest body that an operation reads, in bytes: as long as its schema allows. */
export function bodyLimitOf({ operationId, body, bodyLimitBytes, consumes }: Operation): number {
  if (bodyLimitBytes !== undefined) return bodyLimitBytes;
  if (consumes) throw new Error(`Invariant: ${operationId} bounds no body`);
  return Math.max(LEAST_BYTES, body ? Math.ceil(longestJson(body, ASKED) * SPACIOUS) : 0);
}
