import { createHash } from 'node:crypto';

/**
 * JSON with the fields of each object in the order of their UTF-16 code units, and no whitespace:
 * the canonical form of RFC 8785, whose numbers and texts are those of JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join()}}`;
}

/** The SHA-256 of a value as canonical JSON, in hex. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex');

/**
 * A value from its JSON. Throws RangeError if the text is not JSON, or names a field of an object
 * twice: readers differ in which of the two they show.
 */
export function parseStrictly(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RangeError('it is not JSON', { cause });
  }
  // In valid JSON, a text before a colon is a name. The value has fewer if one stands there twice.
  const texts = text.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g) ?? [];
  if (texts.filter((one) => one.endsWith(':')).length !== countNames(value))
    throw new RangeError('it has a field twice');
  return value;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce((sum: number, part) => sum + countNames(part), own);
}
