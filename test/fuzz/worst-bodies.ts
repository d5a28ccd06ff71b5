import type { Schema } from './values.ts';

/** A body that an operation must refuse, or accept, without blocking anyone. */
export type WorstBody = { what: string; type: string; make: () => Buffer };

/** Texts tried at their greatest length: one is like another. */
const MAX_TEXTS = 3;
const JSON_TYPE = 'application/json';
const NDJSON_TYPE = 'application/x-ndjson';

/** A part as often as it fits, between what comes before and after. */
function filled(bytes: number, before: string, part: string, after = ''): Buffer {
  const times = Math.floor((bytes - before.length - after.length) / part.length);
  const inside = Buffer.alloc(times * part.length, part);
  // A separator at the end would make it invalid JSON, which is refused sooner.
  const end = part.endsWith(',') ? inside.length - 1 : inside.length;
  return Buffer.concat([Buffer.from(before), inside.subarray(0, end), Buffer.from(after)]);
}

const DIGITS = 8;

/** Likewise, with parts that all differ by their numbers. */
function numbered(bytes: number, before: string, after: string, value = ''): Buffer {
  const unit = `"${'0'.repeat(DIGITS)}"${value},`;
  const body = filled(bytes, before, unit, after);
  for (
    let n = 0, at = before.length + 1;
    at + unit.length <= body.length - after.length + 1;
    n += 1
  ) {
    for (let digit = DIGITS - 1, rest = n; rest > 0; digit -= 1, rest = Math.floor(rest / 10)) {
      body[at + digit] = 48 + (rest % 10);
    }
    at += unit.length;
  }
  return body;
}

/** The longest bodies of the worst shapes, made from the schema of an operation. */
export function worstBodies(schema: Schema, bytes: number): WorstBody[] {
  const json = (what: string, make: () => Buffer): WorstBody => ({ what, type: JSON_TYPE, make });
  const all = places(schema, '');
  const isList = (place: Place): boolean => place.schema.type === 'array';
  const bodies = [
    json('brackets', () => Buffer.alloc(bytes, '[')),
    json('braces', () => filled(bytes, '', '{"a":')),
    json('blanks', () => Buffer.alloc(bytes, ' ')),
    json('quotes', () => Buffer.alloc(bytes, '"')),
    json('escapes', () => filled(bytes, '"', '\\u0000', '"')),
    json('a list of {}', () => filled(bytes, '[', '{},', ']')),
    json('a list of texts', () => numbered(bytes, '[', ']')),
    json('a record of fields', () => numbered(bytes, '{', '}', ':0')),
    json('one name', () => filled(bytes, '{"', 'a', '":0}')),
    ...[
      ...all.filter(isList),
      ...all.filter((place) => !isList(place)).slice(0, MAX_TEXTS),
    ].flatMap((place) => ofPlace(place, bytes, json)),
  ];
  if (schema.type !== 'array') return bodies;
  const lines = (what: string, line: string): WorstBody => ({
    what: `lines of ${what}`,
    type: NDJSON_TYPE,
    make: () => filled(bytes, '', `${line}\n`),
  });
  const empty = { what: 'empty lines', type: NDJSON_TYPE, make: () => Buffer.alloc(bytes, '\n') };
  return [...bodies, lines('x', 'x'), lines('{}', '{}'), lines('brackets', '[[[['), empty];
}

type Place = { name: string; before: string; after: string; schema: Schema };

/** Every text and list of a schema, with what stands around it. */
function places(schema: Schema, name: string, before = '', after = ''): Place[] {
  const here = { name, before, after, schema };
  if (schema.type === 'array') {
    const inside = places(schema.items ?? {}, `${name}[]`, `${before}[`, `]${after}`);
    return [here, ...inside];
  }
  if (schema.type === 'object') {
    return Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
      places(property, `${name}.${key}`, `${before}{"${key}":`, `}${after}`),
    );
  }
  return schema.type === 'string' ? [here] : [];
}

function ofPlace(
  { name, before, after, schema }: Place,
  bytes: number,
  json: (what: string, make: () => Buffer) => WorstBody,
): WorstBody[] {
  if (schema.type === 'string') {
    return [json(`a text at ${name}`, () => filled(bytes, `${before}"`, 'x', `"${after}`))];
  }
  return [
    json(`{} at ${name}`, () => filled(bytes, `${before}[`, '{},', `]${after}`)),
    json(`texts at ${name}`, () => numbered(bytes, `${before}[`, `]${after}`)),
    json(`lists at ${name}`, () => filled(bytes, `${before}[`, '[[]],', `]${after}`)),
  ];
}
