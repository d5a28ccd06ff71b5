import type { OpenApiDocument } from '../../src/contract/openapi/described-operation.ts';
import { FORMATS as OWN_FORMATS } from '../../src/services/formats.ts';

type Json = Record<string, unknown>;
type Part = { at: string; value: Json };
type Rule = (document: OpenApiDocument) => Iterable<string>;

/** Names that are no names in Python; docs/guide.md says what generators make of them. */
export const MAPPED = new Set(['_id', 'from']);
const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally
  for from global if import in is lambda nonlocal not or pass raise return try while with
  yield`.split(/\s+/),
);
/** Classes of the language, which generated ones would hide; in any case of letters. */
const CLASSES = new Set(
  `any bool bytes date datetime dict file float int list object set str type ${[...KEYWORDS].join(' ')}`
    .toLowerCase()
    .split(/\s+/),
);
const MEDIA = [
  ...['application/json', 'application/x-ndjson', 'application/octet-stream'],
  ...['text/csv', 'text/event-stream'],
];
const FORMATS = new Set(['date-time', 'binary', ...Object.keys(OWN_FORMATS)]);

/** Known difficulties of client generators, above all those for Python. */
export const RULES: Record<string, Rule> = {
  *'operations have names that are functions, one each'({ paths }) {
    const names = operationsOf(paths).map(({ operationId }) => operationId);
    for (const name of names) {
      if (!/^[a-z][A-Za-z0-9]*$/.test(name) || KEYWORDS.has(name)) yield name;
    }
    yield* repeated(names.map(snakeCase));
  },
  *'arguments of an operation have a name each'(document) {
    for (const { operationId, parameters = [] } of operationsOf(document.paths)) {
      const names = parameters.map((each) => snakeCase(String(resolved(document, each).name)));
      for (const name of [...repeated(names), ...names.filter(isKeyword)]) {
        yield `${operationId} ${name}`;
      }
    }
  },
  *'parameters of a path are those that it names'(document) {
    for (const [path, methods] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { operationId, parameters = [] } of Object.values(methods)) {
        const own = parameters.map((each) => resolved(document, each));
        const needed = own.filter((each) => each.in === 'path' && each.required === true);
        if (needed.map(({ name }) => name).join() !== named.join()) yield operationId;
      }
    }
  },
  *'records have names that are classes, one each'({ components }) {
    const names = Object.keys(components.schemas);
    for (const name of names) {
      if (!/^[A-Z][A-Za-z0-9]*$/.test(name) || CLASSES.has(name.toLowerCase())) yield name;
    }
    yield* repeated(names.map(snakeCase));
  },
  *'fields have names that are attributes, one each'(document) {
    for (const { at, value } of partsOf(document)) {
      const names = Object.keys((value.properties ?? {}) as Json);
      for (const name of names) {
        const isName = /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name);
        if (!isName && !MAPPED.has(name)) yield `${at} ${name}`;
      }
      for (const name of repeated(names.map((each) => snakeCase(each.replace(/^_/, ''))))) {
        yield `${at} ${name}`;
      }
    }
  },
  *'records stand among the components, under their names'(document) {
    for (const { at, value } of partsOf(document)) {
      const isNamed = /^components\/schemas\/\w+$/.test(at) || 'title' in value;
      if (value.properties && !isNamed) yield at;
    }
  },
  *'words of a field make a class that no other thing is called'(document) {
    const names = Object.keys(document.components.schemas);
    const enums = [...partsOf(document)].filter(({ at, value }) => value.enum && isInline(at));
    const classes = enums.map(({ at }) => classOf(at));
    yield* repeated([...names, ...new Set(classes)].map((name) => name.toLowerCase()));
  },
  *'words make constants, one each'(document) {
    for (const { at, value } of partsOf(document)) {
      const words = (value.enum ?? []) as unknown[];
      const constants = words.map((word) => String(word).toUpperCase().replaceAll(/\W/g, '_'));
      const isWord = words.every((word) => typeof word === 'string' && word !== '');
      if (!isWord || [...repeated(constants)].length > 0) yield at;
      if (value.enum && value.type !== 'string') yield at;
    }
  },
  *'unions say which record it is, or are of plain values'(document) {
    for (const { at, value } of partsOf(document)) {
      if (value.oneOf) yield at;
      const of = (value.anyOf ?? []) as { type?: string; $ref?: string }[];
      const types = of.map(({ type }) => type ?? 'record');
      const mapping = Object.values((value.discriminator as { mapping?: Json })?.mapping ?? {});
      const isMapped = of.every(({ $ref }) => mapping.includes($ref));
      if (types.includes('record') ? !isMapped : new Set(types).size < types.length) yield at;
    }
  },
  *'nothing is null'(document) {
    for (const { at, value } of partsOf(document)) {
      const isNull = Array.isArray(value.type) || value.type === 'null' || 'nullable' in value;
      if (isNull || (value.enum as unknown[] | undefined)?.includes(null)) yield at;
    }
  },
  *'references lead somewhere, and nothing stands beside them'(document) {
    for (const { at, value } of partsOf(document)) {
      if (value.$ref === undefined) continue;
      if (Object.keys(value).length > 1 || !lookedUp(document, value.$ref)) yield at;
    }
  },
  *'contents are of known types, JSON first'({ paths, components }) {
    for (const { at, value } of partsOf({ paths, components })) {
      const types = Object.keys((value.content ?? {}) as Json);
      const isKnown = types.every((type) => MEDIA.includes(type));
      if (!isKnown || (types.length > 1 && types[0] !== 'application/json')) yield at;
    }
  },
  *'answers have statuses, one of them a success'({ paths }) {
    for (const { operationId, responses } of operationsOf(paths)) {
      const statuses = Object.keys(responses);
      const areKnown = statuses.every((status) => /^\d{3}$/.test(status));
      if (!areKnown || !statuses.some((status) => status.startsWith('2'))) yield operationId;
    }
  },
  *'lists say of what, formats are known, patterns are those of all languages'(document) {
    for (const { at, value } of partsOf(document)) {
      if (value.type === 'array' && !value.items) yield at;
      if (typeof value.format === 'string' && !FORMATS.has(value.format)) yield at;
      if (/\\[pP]\{|\(\?</.test(String(value.pattern))) yield at;
    }
  },
  *'every operation belongs to one tag'({ paths, tags }) {
    const known = new Set<string>(tags.map(({ name }) => name));
    for (const { operationId, tags: own } of operationsOf(paths)) {
      if (own.length !== 1 || !known.has(own[0] ?? '')) yield operationId;
    }
  },
};

const operationsOf = (paths: OpenApiDocument['paths']) =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

function* repeated(names: readonly string[]): Generator<string> {
  for (const [name, all] of Map.groupBy(names, (each) => each)) if (all.length > 1) yield name;
}

/** Except those that generators are known to rename. */
const isKeyword = (name: string): boolean => KEYWORDS.has(name) && !MAPPED.has(name);

const isInline = (at: string): boolean => !/^components\/schemas\/\w+$/.test(at);

/** As named by generators: by record, or operation, and field. */
const classOf = (at: string): string =>
  at
    .split('/')
    .filter(
      (step) => !/^(components|schemas|paths|properties|parameters|schema|items|\d)$/.test(step),
    )
    .map((step) => step.charAt(0).toUpperCase() + step.slice(1))
    .join('');

/** All objects of the document but examples, and their places; names are not taken for keywords. */
function* partsOf(value: unknown, at = '', isNames = false): Generator<Part> {
  if (typeof value !== 'object' || value === null) return;
  if (!isNames && !Array.isArray(value)) yield { at, value: value as Json };
  for (const [key, part] of Object.entries(value)) {
    if (!isNames && ['example', 'examples', 'mapping'].includes(key)) continue;
    const step = at === '' ? key : `${at}/${key.replaceAll('/', '~')}`;
    yield* partsOf(part, step, !isNames && ['properties', 'content', 'headers'].includes(key));
  }
}

function lookedUp(document: OpenApiDocument, reference: unknown): Json | undefined {
  const [, kind = '', name = ''] = String(reference).replace('#/', '').split('/');
  return (document.components as unknown as Record<string, Record<string, Json>>)[kind]?.[name];
}

const resolved = (document: OpenApiDocument, part: Json): Json =>
  part.$ref === undefined ? part : (lookedUp(document, part.$ref) ?? {});
