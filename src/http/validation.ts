import type { FastifyRequest } from 'fastify';
import Type, { type TObject } from 'typebox';
import { type Check, compileCheck, type Formats } from '../contract/check.ts';
import { type Faults, partOf } from '../contract/faults.ts';
import type { Operation } from '../contract/operation.ts';

type Texts = Record<string, unknown>;
/** Turns the texts of a request's head into the types of the schema, and names the faults. */
export type HeadCheck = (request: FastifyRequest, faults: Faults) => void;

/**
 * The check of path, query and headers. Unknown parameters of the query are refused, like unknown
 * fields of bodies; unknown headers are ignored. An optional text without a value is absent, as
 * most clients write an unset filter.
 */
export function headCheck(operation: Operation, formats: Formats): HeadCheck {
  const { params, querystring, headers } = operation;
  const ofParams = params && textsCheck(params, formats);
  const known = Type.Object(querystring?.properties ?? {}, { additionalProperties: false });
  const ofQuery = textsCheck(known, formats);
  const ofHeaders = headers && textsCheck(headers, formats);
  return (request, faults) => {
    ofParams?.(request.params as Texts, faults);
    ofQuery(request.query as Texts, faults);
    ofHeaders?.(request.headers, faults);
  };
}

function textsCheck(schema: TObject, formats: Formats): (texts: Texts, faults: Faults) => void {
  const { walk }: Check = compileCheck(schema, formats);
  const readers = Object.entries(schema.properties).flatMap(([name, property]) => {
    const read = READERS[String((property as { type?: unknown }).type)];
    return read ? [{ name, read }] : [];
  });
  const lists = new Set(
    Object.keys(schema.properties).filter((name) => Type.IsArray(schema.properties[name])),
  );
  const needed = new Set(schema.required);
  const read = new Set(readers.map(({ name }) => name));
  const optional = Object.keys(schema.properties).filter(
    (name) => !needed.has(name) && !read.has(name),
  );
  return (texts, faults) => {
    for (const name in texts) {
      if (!Array.isArray(texts[name]) || !Object.hasOwn(schema.properties, name)) continue;
      if (lists.has(name)) continue;
      faults.add(partOf('', name), 'must be given once');
      delete texts[name];
    }
    for (const name of optional) if (texts[name] === '') delete texts[name];
    for (const name of lists) if (typeof texts[name] === 'string') texts[name] = [texts[name]];
    for (const { name, read } of readers) {
      const text = texts[name];
      if (typeof text === 'string') texts[name] = read(text);
    }
    walk?.(texts, '', faults);
  };
}

/**
 * Any other text stays text, and the schema refuses it. Adding 0 makes -0 a plain 0. Python's
 * clients write True.
 */
const READERS: Record<string, (text: string) => unknown> = {
  integer: (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) + 0 : text),
  number: (text) => (/^-?\d{1,16}(?:\.\d{1,16})?$/.test(text) ? Number(text) + 0 : text),
  boolean: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text),
};
