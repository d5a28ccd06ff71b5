import type { TSchema } from 'typebox';
import { CHARACTER_BYTES } from './check.ts';
import type { Operation } from './operation.ts';

/**
 * Bodies that are read in a millisecond, whatever they hold: somewhat too long is told as a fault.
 */
export const LEAST_BYTES = 64 * 1024;
/** For spaces and line breaks of bodies that are written to be read. */
const SPACIOUS = 1.5;
const NUMBER_BYTES = 32;

/** The longest body that an operation reads, in bytes: as long as its schema allows. */
export function bodyLimitOf({ operationId, body, bodyLimitBytes, consumes }: Operation): number {
  if (bodyLimitBytes !== undefined) return bodyLimitBytes;
  if (consumes) throw new Error(`Invariant: ${operationId} bounds no body`);
  return Math.max(LEAST_BYTES, body ? Math.ceil(longestJson(body) * SPACIOUS) : 0);
}

type Keywords = {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly TSchema[];
  items?: TSchema;
  maxItems?: number;
  maxLength?: number;
  properties?: Record<string, TSchema>;
};

function longestJson(schema: TSchema): number {
  const { type, items, anyOf, properties = {}, maxItems, maxLength, ...rest } = schema as Keywords;
  if (rest.enum) return Math.max(...rest.enum.map((word) => JSON.stringify(word).length));
  if (anyOf) return Math.max(...anyOf.map(longestJson));
  switch (type) {
    case 'object': {
      const fields = Object.entries(properties);
      return fields.reduce((sum, [name, value]) => sum + name.length + 4 + longestJson(value), 2);
    }
    case 'array':
      return bounded(maxItems) * ((items ? longestJson(items) : 0) + 1) + 2;
    case 'string':
      return bounded(maxLength) * CHARACTER_BYTES + 2;
    default:
      return NUMBER_BYTES;
  }
}

function bounded(most: number | undefined): number {
  if (most === undefined) throw new Error('Invariant: a text or list without a bound');
  return most;
}
