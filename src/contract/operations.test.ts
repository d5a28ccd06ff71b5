import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROWS } from '../../test/matrix/operations.ts';
import { bodyLimitOf } from './body-limit.ts';
import { OPERATIONS } from './operations.ts';

type Schema = {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  maxItems?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  uniqueItems?: boolean;
  pattern?: string;
  expected?: string;
};

/** Every schema of the contract with its place: of requests and answers. */
function* schemas(): Generator<[string, Schema]> {
  yield* sentSchemas();
  for (const { operationId, response } of OPERATIONS) {
    for (const [status, schema] of Object.entries(response)) {
      if (schema) yield* within(`${operationId} ${status}`, schema as Schema);
    }
  }
}

function* sentSchemas(): Generator<[string, Schema]> {
  for (const { operationId, params, querystring, headers, body } of OPERATIONS) {
    const heads = Object.entries({ params, querystring, headers });
    for (const [part, schema] of heads) {
      for (const [name, property] of Object.entries(schema?.properties ?? {})) {
        yield* within(`${operationId} ${part}.${name}`, property as Schema);
      }
    }
    if (body) yield* within(`${operationId} body`, body as Schema);
  }
}

function* within(place: string, schema: Schema): Generator<[string, Schema]> {
  yield [place, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* within(`${place}.${name}`, property);
  }
  if (schema.items) yield* within(`${place}[]`, schema.items);
  for (const one of schema.anyOf ?? []) yield* within(place, one);
}

const placesWhere = (isWrong: (schema: Schema) => boolean, from = schemas()): string[] =>
  [...from].filter(([, schema]) => isWrong(schema)).map(([place]) => place);

test('every list and every text of the contract has a bound', () => {
  assert.ok([...schemas()].length > 1000);
  assert.deepEqual(
    placesWhere(({ type, maxItems }) => type === 'array' && maxItems === undefined),
    [],
  );
  assert.deepEqual(
    placesWhere(
      ({ type, maxLength, ...schema }) =>
        type === 'string' && maxLength === undefined && schema.enum === undefined,
    ),
    [],
  );
});

test('every number that clients send has a least and a greatest', () => {
  const isOpen = ({ type, minimum, exclusiveMinimum, maximum }: Schema): boolean =>
    (type === 'number' || type === 'integer') &&
    ((minimum ?? exclusiveMinimum) === undefined || maximum === undefined);
  assert.deepEqual(placesWhere(isOpen, sentSchemas()), []);
});

test('no text that clients send is longer than the example of a text that is too long', () => {
  assert.deepEqual(
    placesWhere(({ maxLength = 0 }) => maxLength >= 64 * 1024, sentSchemas()),
    [],
  );
});

test('a set of words holds each once, and is no longer than there are words', () => {
  const sets = [...schemas()].filter(([, { items }]) => items?.enum);
  assert.ok(sets.length > 3);
  for (const [place, { items, maxItems, uniqueItems }] of sets) {
    assert.deepEqual([maxItems, uniqueItems], [items?.enum?.length, true], place);
  }
});

test('every record says whether it may have other fields', () => {
  assert.deepEqual(
    placesWhere(
      ({ type, additionalProperties }) => type === 'object' && additionalProperties === undefined,
    ),
    [],
  );
});

test('every pattern is explained in words, and every choice has a type', () => {
  assert.deepEqual(
    placesWhere(({ pattern, expected }) => pattern !== undefined && !expected?.startsWith('must ')),
    [],
  );
  assert.deepEqual(
    placesWhere(({ type, ...schema }) => schema.enum !== undefined && type !== 'string'),
    [],
  );
});

test('operation ids and addresses are unique', () => {
  const ids = OPERATIONS.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[a-z][A-Za-z0-9]*$/);
  const ways = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(ways).size, ways.length);
});

test('no body is longer than its operation needs', () => {
  const limits = new Map(OPERATIONS.map((one) => [one.operationId, bodyLimitOf(one)]));
  assert.equal(limits.get('listAccounts'), 64 * 1024);
  assert.equal(limits.get('createAccount'), 64 * 1024);
  assert.equal(limits.get('recordDeals'), 16 * 1024 * 1024);
  assert.equal(limits.get('importStatement'), 50 * 1024 * 1024);
  // A thousand account ids of 64 characters, each of which may be escaped.
  const token = limits.get('createToken') ?? 0;
  assert.ok(token > 1000 * 64 && token < 2 * 1024 * 1024);
});

test('every operation has a row of the matrix, from which its longest request is made', () => {
  const missing = OPERATIONS.filter(({ operationId }) => !(operationId in ROWS));
  assert.deepEqual(
    missing.map(({ operationId }) => operationId),
    [],
  );
});
