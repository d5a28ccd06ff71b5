import { ANSWERED, longestJson } from './longest-json.ts';
import type { Operation } from './operation.ts';

/** Longest answer of an operation that does not explain why it may be longer. */
export const MOST_ANSWER_BYTES = 4_000_000;

/** Bytes of the longest answer that an operation's schemas allow; of a stream, of one event. */
export function answerBytesOf({ response, streams }: Operation): number {
  const schemas = streams ? [streams] : Object.values(response);
  return Math.max(0, ...schemas.map((schema) => (schema ? longestJson(schema, ANSWERED) : 0)));
}
