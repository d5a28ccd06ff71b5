import type { TSchema } from 'typebox';
import { type Faults, partOf } from './faults.ts';
import { unknownName } from './nearest.ts';

/** Checks that a schema can't express, by their `format`. */
export type Formats = Readonly<
  Record<string, { holds: (text: string) => boolean; expected: string }>
>;

/**
 * The check of a schema. `judge` checks a value itself, lengths and counts before contents, and
 * names its fault; `walk` checks inside of one judged good, and ends when the faults are full. So
 * the cost of a bad value is bounded by the schema's bounds, and that of its faults by theirs.
 */
export type Check = {
  judge(value: unknown): string | undefined;
  /** Of texts: bytes of the longest one as JSON, every character escaped. */
  longestBytes?: number;
  walk?(value: unknown, at: string, faults: Faults): void;
  /** Of lists. */
  items?: Check;
  maxItems?: number;
  /** Of records. */
  properties?: ReadonlyMap<string, Check>;
  required?: readonly string[];
  /** Unknown fields are refused. */
  isClosed?: boolean;
};

/** The keywords of JSON Schema that the contract uses. */
export type Keywords = {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  required?: readonly string[];
  additionalProperties?: boolean;
  minProperties?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  /** Of answers: a list ends with the item that exceeds this many bytes. */
  maxBytes?: number;
  isAscii?: boolean;
  /** The text of a fault, where the keywords alone would not be English. */
  expected?: string;
};

export function compileCheck(schema: TSchema, formats: Formats): Check {
  const keywords = schema as Keywords;
  if (keywords.enum) return checkWords(keywords.enum);
  if (keywords.anyOf) return checkAny(keywords.anyOf, formats);
  switch (keywords.type) {
    case 'object':
      return checkRecord(keywords, formats);
    case 'array':
      return checkList(keywords, formats);
    case 'string':
      return checkText(keywords, formats);
    case 'number':
    case 'integer':
      return checkNumber(keywords);
    case 'boolean':
      return { judge: (value) => (typeof value === 'boolean' ? undefined : BOOLEAN) };
    default:
      throw new Error(`Invariant: no check of ${JSON.stringify(schema)}`);
  }
}

/** A character escaped as `\ud83d\ude80`. */
export const CHARACTER_BYTES = 12;

const BOOLEAN = 'must be true or false';
/** JSON can spell half of a surrogate pair, which no database can store. */
const UNICODE = 'must be valid Unicode text';

function checkWords(words: readonly unknown[]): Check {
  const known = new Set(words);
  const expected = `must be one of ${words.join(', ')}`;
  return { judge: (value) => (known.has(value) ? undefined : expected) };
}

function checkAny(schemas: readonly TSchema[], formats: Formats): Check {
  const checks = schemas.map((schema) => compileCheck(schema, formats));
  if (checks.some(({ walk }) => walk)) throw new Error('Invariant: alternatives of containers');
  return {
    judge: (value) => {
      const faults = checks.map(({ judge }) => judge(value));
      return faults.includes(undefined) ? undefined : faults.join(', or ');
    },
  };
}

function checkNumber(keywords: Keywords): Check {
  const { type, minimum, exclusiveMinimum, maximum, expected } = keywords;
  const range = rangeOf(keywords);
  const isInteger = type === 'integer';
  const least = minimum ?? Number.NEGATIVE_INFINITY;
  const above = exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  const most = maximum ?? Number.MAX_VALUE;
  const fault = expected ?? `must be ${isInteger ? 'an integer' : 'a number'}${range}`;
  return {
    judge: (value) => {
      if (typeof value !== 'number' || value < least || value > most || value <= above)
        return fault;
      return isInteger && !Number.isInteger(value) ? fault : undefined;
    },
  };
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Keywords): string {
  // Beyond the largest safe integer, a number is certainly not intended.
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (exclusiveMinimum !== undefined) {
    return ` greater than ${exclusiveMinimum}${most === undefined ? '' : ` and at most ${most}`}`;
  }
  if (minimum !== undefined && most !== undefined) return ` from ${minimum} to ${most}`;
  if (minimum !== undefined) return ` of ${minimum} or more`;
  return most === undefined ? '' : ` of at most ${most}`;
}

function checkText(keywords: Keywords, formats: Formats): Check {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = keywords;
  const length =
    minLength > 0
      ? `must be text of ${minLength} to ${maxLength} characters`
      : `must be text of at most ${maxLength} characters`;
  const known = format === undefined ? undefined : formats[format];
  if (format !== undefined && !known) throw new Error(`Invariant: the format ${format} is unknown`);
  const matcher = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const expected = keywords.expected ?? 'does not match the expected format';
  return {
    longestBytes: maxLength * CHARACTER_BYTES + 2,
    judge: (value) => {
      if (typeof value !== 'string') return 'must be text';
      if (!isWithin(value, minLength, maxLength)) return known ? known.expected : length;
      if (!value.isWellFormed()) return UNICODE;
      if (matcher && !matcher.test(value)) return expected;
      return known && !known.holds(value) ? known.expected : undefined;
    },
  };
}

/** Characters are code points of one or two units each; they are counted only if it matters. */
function isWithin(text: string, minLength: number, maxLength: number): boolean {
  const { length } = text;
  if (length < minLength || length > maxLength * 2) return false;
  if (length <= maxLength && length >= minLength * 2) return true;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters >= minLength && characters <= maxLength;
}

function checkList({ items, ...keywords }: Keywords, formats: Formats): Check {
  if (!items) throw new Error('Invariant: a list of anything');
  const check = compileCheck(items, formats);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems = false } = keywords;
  return {
    items: check,
    maxItems,
    judge: (value) => {
      if (!Array.isArray(value)) return 'must be an array';
      if (value.length > maxItems) return `must have at most ${maxItems} items`;
      if (value.length < minItems) return `must have at least ${minItems} items`;
      const hasTwice = uniqueItems && new Set(value).size < value.length;
      return hasTwice ? 'must not have an item twice' : undefined;
    },
    walk: (value, at, faults) => {
      const list = value as unknown[];
      for (let index = 0; index < list.length && !faults.isFull; index += 1) {
        look(check, list[index], at, index, faults);
      }
    },
  };
}

function checkRecord(keywords: Keywords, formats: Formats): Check {
  const { required = [], minProperties = 0, additionalProperties = true } = keywords;
  const properties = new Map(
    Object.entries(keywords.properties ?? {}).map(([name, schema]) => [
      name,
      compileCheck(schema, formats),
    ]),
  );
  const entries = [...properties].map(([name, check]) => ({
    name,
    check,
    isRequired: required.includes(name),
  }));
  return {
    properties,
    required,
    isClosed: !additionalProperties,
    judge: (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return 'must be an object';
      }
      const isTooSmall = minProperties > 0 && Object.keys(value).length < minProperties;
      return isTooSmall ? `must have at least ${fieldsOf(minProperties)}` : undefined;
    },
    walk: (value, at, faults) => {
      const record = value as Record<string, unknown>;
      for (const name in record) {
        if (faults.isFull) return;
        if (properties.has(name)) continue;
        if (additionalProperties && name !== '__proto__') continue;
        faults.add(partOf(at, name), unknownName(name, properties.keys()));
      }
      for (const { name, check, isRequired } of entries) {
        const property = record[name];
        if (property !== undefined) look(check, property, at, name, faults);
        else if (isRequired) faults.add(partOf(at, name), 'is required');
      }
    },
  };
}

const fieldsOf = (count: number): string => (count === 1 ? 'one field' : `${count} fields`);

function look(
  { judge, walk }: Check,
  value: unknown,
  parent: string,
  key: string | number,
  faults: Faults,
): void {
  const fault = judge(value);
  if (fault !== undefined) faults.add(partOf(parent, key), fault);
  else walk?.(value, partOf(parent, key), faults);
}
