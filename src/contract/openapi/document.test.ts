import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv, type ValidateFunction } from 'ajv';
import { FORMATS } from '../../services/formats.ts';
import { inTurns } from '../../services/turns.ts';
import { EXAMPLES } from '../examples/examples.ts';
import { OPERATIONS } from '../operations.ts';
import { compactDocument } from './compact.ts';
import { openApiDocument } from './document.ts';
import { parametersOf } from './share-parameters.ts';

const SETTINGS = { version: '1.2.3', publicUrl: '', addresses: {} };
/** Tools that import the document by its address refuse long ones. */
const MAX_BYTES = 200_000;
/** What an operation takes, with its share of the records. */
const MAX_BYTES_EACH = 1515;
const FULL = openApiDocument(SETTINGS);
const SERVED = await inTurns(compactDocument(FULL));
/** Operations that old clients use are in the full one only. */
const CURRENT = OPERATIONS.filter(({ deprecated }) => !deprecated);

type Media = { schema?: object; example?: unknown };
type Reference = { $ref?: string };
type Content = Record<string, Media>;
type Parameter = { name: string; schema: object; example?: unknown };

test('both forms are valid, and their linter finds nothing that the specification does not ask for', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  for (const source of [SERVED, FULL].map((document) => JSON.stringify(document))) {
    const found = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
    const problems = found.map(({ ruleId, message }) => `${ruleId}: ${message}`);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', /^no-ambiguous-paths: .*\/trackers\/name\/\{name\}/);
  }
});

test('the document is small enough to be read by anything', () => {
  const { length } = Buffer.from(JSON.stringify(SERVED));
  const most = Math.min(MAX_BYTES, MAX_BYTES_EACH * CURRENT.length);
  assert.ok(length <= most, `${length} bytes for ${CURRENT.length} operations, at most ${most}`);
});

test('every operation is there, with words, and few need no token', () => {
  const { paths, tags } = SERVED;
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  assert.deepEqual(
    described.map(({ operationId }) => operationId).sort(),
    CURRENT.map(({ operationId }) => operationId).sort(),
  );
  for (const { operationId, summary, description, responses } of described) {
    assert.match(summary, /^[A-Z][^.]+$/, operationId);
    assert.match(description, /\.$/, operationId);
    assert.ok('4XX' in responses, operationId);
  }
  const open = described.filter(({ security }) => security?.length === 0);
  assert.deepEqual(
    open.map(({ operationId }) => operationId),
    ['readLiveness', 'readReadiness', 'readEvidenceKey'],
  );
  const named = new Set(tags.map(({ name }) => name));
  assert.ok(described.every((each) => each.tags.every((tag) => named.has(tag))));
});

test('the full document has all operations, bounds and words; the served one their units', () => {
  const described = Object.values(FULL.paths).flatMap((methods) => Object.values(methods));
  assert.equal(described.length, OPERATIONS.length);
  assert.ok(described.every(({ responses }) => '4XX' in responses && '5XX' in responses));
  const fieldOf = ({ components }: typeof FULL, record: string, field: string): unknown =>
    Object.entries(components.schemas[record]?.properties ?? {}).find(
      ([name]) => name === field,
    )?.[1];
  const words = 'When the position closed, broker time';
  assert.deepEqual(fieldOf(FULL, 'HistoricalTrade', 'closeTime'), {
    ...{ type: 'string', maxLength: 23, description: words },
  });
  assert.deepEqual(fieldOf(SERVED, 'HistoricalTrade', 'closeTime'), {
    ...{ type: 'string', description: 'broker time' },
  });
  assert.deepEqual(fieldOf(SERVED, 'NewUser', 'email'), {
    ...{ type: 'string', description: 'E-mail address' },
  });
});

test('servers follow the settings', () => {
  const publicUrl = 'https://plimsoll.example.com';
  const addresses = { risk: 'https://risk.example.com' };
  const { servers, paths } = openApiDocument({ ...SETTINGS, publicUrl, addresses });
  assert.deepEqual(servers, [{ url: publicUrl }]);
  const chart = paths['/users/current/accounts/{accountId}/equity-chart']?.get;
  assert.deepEqual(chart?.servers, [{ url: addresses.risk }]);
  assert.equal(paths['/users/current/quotas']?.get?.servers, undefined);
});

test('every operation has an example, and every example is of its schema', () => {
  const document = SERVED;
  const formats = Object.entries(FORMATS).map(([name, { holds }]) => [name, holds] as const);
  const ajv = new Ajv({ strict: false, unicodeRegExp: true, logger: false });
  for (const [name, holds] of formats) ajv.addFormat(name, holds);
  const { components } = document;
  const exampleOf = ({ schema = {}, example }: Media): unknown => {
    const { $ref, items } = schema as Reference & { items?: Reference };
    const name = ($ref ?? items?.$ref)?.split('/').at(-1) ?? '';
    const [shared] = (components.schemas[name]?.examples ?? []) as unknown[];
    return example ?? (items && shared !== undefined ? [shared] : shared);
  };
  ajv.addSchema({ $id: 'openapi', components });
  const compile = (schema: object): ValidateFunction =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/comp', '"openapi#/comp')));
  const check = (place: string, media: Media): void => {
    const { schema } = media;
    const example = exampleOf(media);
    if (example === undefined || !schema) return;
    const isValid = compile(schema);
    assert.ok(isValid(example), `${place}: ${JSON.stringify(isValid.errors)}`);
    checked += 1;
  };
  let checked = 0;
  for (const methods of Object.values(document.paths)) {
    for (const described of Object.values(methods)) {
      const { operationId } = described;
      assert.ok(EXAMPLES[operationId], `${operationId} has no example`);
      for (const { name, ...media } of parametersOf(document, described) as Parameter[]) {
        check(`${operationId} ${name}`, media);
      }
      const body = described.requestBody as { content: Content } | undefined;
      for (const [type, media] of Object.entries(body?.content ?? {})) {
        const isFile = type === 'application/octet-stream';
        assert.ok(isFile || exampleOf(media) !== undefined, `${operationId} body as ${type}`);
        check(`${operationId} body`, media);
      }
      for (const [status, answer] of Object.entries(described.responses)) {
        for (const media of Object.values((answer.content ?? {}) as Content)) {
          assert.notEqual(exampleOf(media), undefined, `${operationId} ${status} has no example`);
          check(`${operationId} ${status}`, media);
        }
      }
    }
  }
  assert.ok(checked > 150, String(checked));
  const known = new Set(OPERATIONS.map(({ operationId }) => operationId));
  assert.deepEqual(
    Object.keys(EXAMPLES).filter((id) => !known.has(id)),
    [],
  );
});

test('records have names in the words of the field, and state whether they are closed', () => {
  const { schemas } = openApiDocument(SETTINGS).components;
  for (const [name, schema] of Object.entries(schemas)) {
    assert.match(name, /^[A-Z][A-Za-z0-9]+$/);
    if (schema.type === 'object') assert.equal(typeof schema.additionalProperties, 'boolean', name);
  }
  const words = JSON.stringify(schemas);
  assert.ok(!words.includes('"nullable"') && !words.includes('patternProperties'));
});
