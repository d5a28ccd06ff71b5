import { Ajv, type ValidateFunction } from 'ajv';
import { openApiDocument } from '../../src/contract/openapi/document.ts';
import { type Operation, pathOf, ROWS } from '../matrix/operations.ts';
import type { World } from '../matrix/world.ts';
import type { Random } from '../simulation/random.ts';
import { HOSTILE_TEXTS, type Schema, spoiled, textOf, validValue } from './values.ts';

type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema };
type Answer = { $ref?: string; content?: Record<string, { schema: object }> };
type Described = {
  operationId: string;
  security?: object[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
};
export type Document = {
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    parameters: Record<string, Parameter>;
  };
};

/** The server's checks, with all bounds. */
export const fullDocument = (): Document =>
  JSON.parse(
    JSON.stringify(openApiDocument({ version: '', publicUrl: '', addresses: {} })),
  ) as Document;

export type Target = Operation & {
  parameters: Parameter[];
  body: Schema | undefined;
  /** The body is a file, not JSON. */
  takesFile: boolean;
  /** Checks of the JSON answers by status; undefined for answers without a body, and files. */
  answers: Map<number, ValidateFunction | undefined>;
};

export type FuzzRequest = {
  target: Target;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
};

export function readTargets(document: Document): Target[] {
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false });
  const text = JSON.stringify(document).replaceAll('"#/components/', '"openapi#/components/');
  const { paths, components } = JSON.parse(text) as Document;
  ajv.addSchema({ $id: 'openapi', components });
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Target => {
      const { responses = {} } = paths[path]?.[method] ?? {};
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        isPublic: described.security?.length === 0,
        parameters: (described.parameters ?? []).flatMap((parameter) =>
          '$ref' in parameter
            ? (document.components.parameters[nameOf(parameter.$ref)] ?? [])
            : [parameter],
        ),
        body: described.requestBody?.content['application/json']?.schema,
        takesFile: described.requestBody?.content['application/octet-stream'] !== undefined,
        answers: new Map(
          Object.entries(responses).flatMap(([status, answer]) => {
            const { content } = components.responses[nameOf(answer.$ref ?? '')] ?? answer;
            const { 'application/json': json, 'text/csv': file } = content ?? {};
            const schema = file ? undefined : json?.schema;
            const check = schema && ajv.compile(schema);
            return [[Number(status), check] as const];
          }),
        ),
      };
    }),
  );
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

/** A request that the document allows, or one that is spoiled in a place or two. */
export function fuzzRequest(
  target: Target,
  document: Document,
  world: World,
  random: Random,
): FuzzRequest {
  const definitions = (reference: string): Schema =>
    document.components.schemas[nameOf(reference)] ?? {};
  const isSpoiled = random.chance(0.6);
  const headers: Record<string, string> = {};
  const query: string[] = [];
  for (const { name, in: place, schema } of target.parameters) {
    if (place === 'path' || random.chance(0.5)) continue;
    const isHostile = isSpoiled && random.chance(0.4);
    const value = isHostile
      ? random.pick(HOSTILE_TEXTS)
      : String(validValue(schema, random, definitions));
    if (place === 'header') headers[name] = value.replaceAll(/[^\x20-\x7e]/g, '') || '1';
    else if (name !== 'wait') query.push(`${name}=${encode(value)}`);
  }
  if (target.parameters.some(({ name }) => name === 'wait')) query.push('wait=0');
  if (isSpoiled && random.chance(0.1)) query.push(`${encode(random.pick(HOSTILE_TEXTS))}=1`);
  let path = pathOf(target, world, pathParameters(target, world, random)).split('?')[0] ?? '';
  if (query.length > 0) path += `?${query.join('&')}`;
  let body: FuzzRequest['body'];
  const example: unknown = ROWS[target.id]?.body?.(world);
  if (target.takesFile && example instanceof Uint8Array) {
    const file = isSpoiled ? textOf(spoiled({ deals: [] }, random), random) : example;
    return { target, path, headers: { 'content-type': 'text/html' }, body: file };
  }
  if (target.body) {
    const isExample = example !== undefined && random.chance(0.5);
    const valid = isExample
      ? example
      : validValue(withAccounts(target, world), random, definitions);
    const value = isSpoiled ? spoiled(valid, random) : valid;
    const isLines = Array.isArray(value) && random.chance(0.3);
    const rows = (list: unknown[]): string => list.map((row) => JSON.stringify(row)).join('\n');
    body = isLines ? rows(value) : isSpoiled ? textOf(value, random) : JSON.stringify(value);
    headers['content-type'] = isLines ? 'application/x-ndjson' : 'application/json';
    if (random.chance(0.03)) headers['content-type'] = 'text/plain';
  }
  return { target, path, headers, body };
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The owner's own things mostly; never those when the operation would delete them. */
function pathParameters(target: Target, world: World, random: Random): Record<string, string> {
  const isSpared = target.method !== 'DELETE' && random.chance(0.8);
  if (isSpared) return {};
  const names = target.path
    .split('/')
    .flatMap((segment, index, all) =>
      segment.startsWith('{') ? [`${all[index - 1]}/${segment}`] : [],
    );
  const last = names.at(-1);
  const chosen = target.method === 'DELETE' ? last : random.pick(names.length > 0 ? names : ['']);
  const text = random.pick([...HOSTILE_TEXTS, world.strangersAccountId]).toWellFormed();
  return chosen ? { [chosen]: text === '' || /^\.+$/.test(text) ? 'x' : text } : {};
}

/** Rows of snapshots are of accounts that are there, most of them. */
function withAccounts({ id, body = {} }: Target, world: World): Schema {
  const { items } = body;
  if (id !== 'recordSnapshots' || !items) return body;
  const ids = [
    world.accountId,
    world.otherAccountId,
    world.accountId,
    world.otherAccountId,
    'none',
  ];
  const properties = { ...items.properties, accountId: { enum: ids } };
  return { ...body, items: { ...items, properties } };
}

/** The fault of an answer; undefined if it matches the document. */
export function faultOf(target: Target, status: number, text: string): string | undefined {
  if (status >= 500) return 'is a failure of the server';
  if (!target.answers.has(status)) return 'has a status that is not in the document';
  const check = target.answers.get(status);
  const isFree = /^(?:follow|export)/.test(target.id);
  if (!check) return text === '' || isFree ? undefined : 'has a body';
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  if (!check(body)) return `is not of its schema: ${JSON.stringify(check.errors?.slice(0, 3))}`;
  return status >= 400 ? faultOfError(status, body) : undefined;
}

function faultOfError(status: number, body: unknown): string | undefined {
  const { details } = body as { details?: unknown };
  if (status !== 400) return undefined;
  const faults = Array.isArray(details) ? details : [];
  const areNamed = faults.every(
    (fault) => typeof fault?.parameter === 'string' && typeof fault.message === 'string',
  );
  return faults.length > 0 && areNamed ? undefined : 'names no fault';
}
