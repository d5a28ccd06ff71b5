import type { Random } from '../simulation/random.ts';

/** The parts of JSON Schema that the published document uses. */
export type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
};

export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u2028\ufeff',
  '𝕏'.repeat(70),
  'x'.repeat(600),
  'e'.repeat(128),
  '../../../etc/passwd',
  "'; drop table account; --",
  '%',
  '%00',
  '_',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  '[]',
  '{}',
  '-0',
  '-1',
  '1e400',
  'NaN',
  'Infinity',
  '0x10',
  '1_000',
  '9007199254740993',
  '99999999999999999999999999',
  '0000-00-00 00:00:00',
  '2026-02-30 10:00:00',
  '0000-01-01 00:00:00.000',
  '9999-12-31 23:59:59.999',
  '2026-03-29T02:30:00Z',
  'http://169.254.169.254/',
];
export const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  0.1 + 0.2,
  1e-300,
  1e21,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 53) - 2,
  9e11,
  -9e11,
];
const WORDS = ['a', 'EURUSD', 'USD', '1001', 'UTC', 'demo-usd', '2026-03-02 10:00:00', 'main'];

let emails = 0;

/** A value that the schema allows, as far as a generator can tell. */
export function validValue(schema: Schema, random: Random, definitions: Definitions): unknown {
  if (schema.$ref) return validValue(definitions(schema.$ref), random, definitions);
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return validValue(random.pick(schema.anyOf), random, definitions);
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => validValue(part, random, definitions)));
  }
  switch (schema.type) {
    case 'object': {
      const value: Record<string, unknown> = {};
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        if (!schema.required?.includes(name) && random.chance(0.6)) continue;
        value[name] = validValue(property, random, definitions);
      }
      return value;
    }
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 4 } = schema;
      const length = random.between(minItems, Math.max(minItems, Math.min(maxItems, 4)));
      return Array.from({ length }, () => validValue(items, random, definitions));
    }
    case 'string':
      return validText(schema, random);
    case 'integer':
    case 'number':
      return validNumber(schema, random);
    case 'boolean':
      return random.chance(0.5);
    default:
      return random.pick(WORDS);
  }
}

export type Definitions = (reference: string) => Schema;

function validText({ format, pattern, minLength, maxLength }: Schema, random: Random): string {
  if (format === 'broker-time') {
    const day = String(random.between(1, 28)).padStart(2, '0');
    return `202${random.between(0, 6)}-0${random.between(1, 9)}-${day} 1${random.between(0, 9)}:00:00`;
  }
  if (format === 'date-time')
    return `2026-11-${random.between(10, 28)}T1${random.between(0, 9)}:00:00Z`;
  if (pattern?.includes('@') && !pattern.includes('[A-Za-z')) {
    emails += 1;
    return `fuzz-${emails}@example.com`;
  }
  const matches = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const words = [...WORDS, ...HOSTILE_TEXTS].filter(
    (word) =>
      (matches?.test(word) ?? true) &&
      word.length >= (minLength ?? 0) &&
      word.length <= (maxLength ?? Number.POSITIVE_INFINITY),
  );
  return random.pick(words.length > 0 ? words : WORDS);
}

function validNumber(schema: Schema, random: Random): number {
  const low = schema.minimum ?? schema.exclusiveMinimum ?? -1000;
  const high = schema.maximum ?? 1000;
  const edges = [schema.minimum, schema.maximum].filter((edge) => edge !== undefined);
  if (edges.length > 0 && random.chance(0.2)) return random.pick(edges);
  const value = low + random.next() * Math.min(high - low, random.pick([1, 100, 1e6, high - low]));
  const whole = Math.min(high, Math.ceil(value));
  return schema.type === 'integer' || random.chance(0.5) ? whole : value;
}

const HOSTILE_VALUES = (random: Random): unknown => {
  switch (random.between(0, 5)) {
    case 0:
      return random.pick(HOSTILE_TEXTS);
    case 1:
      return random.pick(HOSTILE_NUMBERS);
    case 2:
      return random.pick([null, true, false]);
    case 3:
      return random.pick([[], [[]], {}, [null], { a: 1 }]);
    case 4:
      return Array.from({ length: 300 }, (_, index) => index);
    default:
      return JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {}}}');
  }
};

/** The value with something at a random place replaced, left out or added. */
export function spoiled(value: unknown, random: Random): unknown {
  if (value === null || typeof value !== 'object' || random.chance(0.15)) {
    return HOSTILE_VALUES(random);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return [HOSTILE_VALUES(random)];
    const place = random.between(0, value.length - 1);
    return value.map((item, index) => (index === place ? spoiled(item, random) : item));
  }
  const entries = Object.entries(value);
  const [name] = entries.length > 0 ? random.pick(entries) : [undefined];
  if (name === undefined || random.chance(0.15)) {
    const added = random.pick(['unknown', 'id', 'userId', 'toString']);
    return { ...value, [added]: HOSTILE_VALUES(random) };
  }
  if (random.chance(0.15)) return Object.fromEntries(entries.filter(([key]) => key !== name));
  return Object.fromEntries(
    entries.map(([key, item]) => [key, key === name ? spoiled(item, random) : item]),
  );
}

const BROKEN_JSON = [
  '',
  '{',
  '[1e400]',
  '{"a":1,"a":2}',
  '"\\ud800"',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '[1,]',
  'nul',
  '\u0000',
  '\ufeff{}',
  `${'['.repeat(20_000)}`,
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
];

/** The JSON text of a value, sometimes damaged. */
export function textOf(value: unknown, random: Random): string | Uint8Array {
  const text = JSON.stringify(value) ?? '';
  if (random.chance(0.93)) return text;
  if (random.chance(0.3)) return Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x22, 0x7d]);
  if (random.chance(0.3)) return text.slice(0, random.between(0, text.length));
  return random.pick(BROKEN_JSON);
}
