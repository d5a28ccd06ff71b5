import type { TSchema } from 'typebox';
import { CHARACTER_BYTES, type Keywords } from './check.ts';

/** In requests each character may be escaped; answers are not escaped. */
type Writing = { characterBytes: number; numberBytes: number };
export const ASKED: Writing = { characterBytes: CHARACTER_BYTES, numberBytes: 32 };
/** The longest character in UTF-8. Quotes and line breaks take only two bytes. */
export const ANSWERED: Writing = { characterBytes: 4, numberBytes: 25 };

/** Bytes of the longest JSON that a schema allows. */
export function longestJson(schema: TSchema, writing: Writing): number {
  const { type, items, anyOf, properties = {}, maxItems, ...rest } = schema as Keywords;
  const longest = (part: TSchema): number => longestJson(part, writing);
  if (rest.enum) return Math.max(...rest.enum.map((word) => JSON.stringify(word).length));
  if (anyOf) return Math.max(...anyOf.map(longest));
  switch (type) {
    case 'object': {
      const fields = Object.entries(properties);
      return fields.reduce((sum, [name, value]) => sum + name.length + 4 + longest(value), 2);
    }
    case 'array': {
      const item = (items ? longest(items) : 0) + 1;
      const { maxBytes = Number.POSITIVE_INFINITY } = rest;
      return Math.min(bounded(maxItems) * item, maxBytes + item) + 2;
    }
    case 'string': {
      const isAscii = rest.isAscii === true || rest.format !== undefined;
      const bytes = isAscii && writing === ANSWERED ? 1 : writing.characterBytes;
      return bounded(rest.maxLength) * bytes + 2;
    }
    default:
      return writing.numberBytes;
  }
}

function bounded(most: number | undefined): number {
  if (most === undefined) throw new Error('Invariant: a text or list without a bound');
  return most;
}
