import type { Schema } from '../fuzz/values.ts';

/** How far a good body is stretched. */
export const STRETCHES = ['lists and texts', 'texts', 'nothing'] as const;
export type Stretch = (typeof STRETCHES)[number];

/** Fields that name something that is there: stretched, they would name nothing. */
const NAMES_OF_OTHERS = /^(accountIds?|programId|ids|currency\w*|group\w*|email|url|kind)$/;
/** Bytes of a list; longer ones than an operation takes are refused before they are read. */
const MOST_BYTES = 4_000_000;

/**
 * The longest value like a good one that a schema allows: texts at their greatest length, and lists
 * of as many items as there may be, each a little different. What stands in no place of `value`
 * stays away.
 */
export function stretch(value: unknown, schema: Schema, how: Stretch): unknown {
  return how === 'nothing' ? value : stretched(value, schema, how, '', 0);
}

function stretched(value: unknown, schema: Schema, how: Stretch, key: string, n: number): unknown {
  const own = schema.anyOf?.find((each) => fits(value, each)) ?? schema;
  if (Array.isArray(value)) return stretchedList(value, own, how, key);
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => {
      const inside = own.properties?.[name];
      return [name, inside ? stretched(field, inside, how, name, n) : field];
    });
    return Object.fromEntries(fields);
  }
  return typeof value === 'string' ? stretchedText(value, own, key, n) : value;
}

function stretchedList(list: unknown[], schema: Schema, how: Stretch, key: string): unknown[] {
  const { items = {}, maxItems = list.length } = schema;
  const isKept = how !== 'lists and texts' || list.length === 0 || NAMES_OF_OTHERS.test(key);
  const item = (n: number): unknown => stretched(list[n % list.length], items, how, key, n);
  if (isKept) return list.map((_, n) => item(n));
  const bytes = JSON.stringify(item(0)).length;
  return Array.from({ length: Math.min(maxItems, Math.ceil(MOST_BYTES / bytes)) }, (_, n) =>
    item(n),
  );
}

function stretchedText(text: string, schema: Schema, key: string, n: number): string {
  const { enum: words, format, maxLength = text.length, pattern } = schema;
  if (words || format || NAMES_OF_OTHERS.test(key)) return text;
  const numbered = n > 0 ? `${n}${text}`.slice(0, maxLength) : text;
  // Symbols are the same in several lists.
  const long = key === 'symbol' ? numbered : numbered.padEnd(maxLength, 'x');
  return pattern === undefined || new RegExp(pattern, 'u').test(long) ? long : text;
}

/** Whether a schema that is one of several is about such a value. */
function fits(value: unknown, { type, properties = {}, required = [] }: Schema): boolean {
  if (Array.isArray(value)) return type === 'array';
  if (typeof value !== 'object' || value === null) return type === typeof value;
  return (
    required.every((name) => name in value) && Object.keys(value).every((k) => k in properties)
  );
}
