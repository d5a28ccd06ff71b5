import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv, type ValidateFunction } from 'ajv';
import { FORMATS } from '../../services/formats.ts';
import { ERRORS, type ErrorStatus } from '../error-record.ts';
import { readExamples } from '../examples.ts';
import { OPERATIONS } from '../operations.ts';
import { BASE_ADDRESSES, openApiDocument } from './document.ts';
import { parametersOf } from './share-parameters.ts';

const SETTINGS = { version: '1.2.3', publicUrl: '', addresses: {} };
const DOCUMENT = openApiDocument(SETTINGS);
const BY_BASE = BASE_ADDRESSES.map((base) => openApiDocument(SETTINGS, base));

type Media = { schema?: object; example?: unknown };
type Content = Record<string, Media>;
type Parameter = { name: string; schema: object; example?: unknown };

test('each document is valid, and the linter finds nothing that the specification does not ask for', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  for (const document of [DOCUMENT, ...BY_BASE]) {
    const source = JSON.stringify(document);
    const found = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
    const problems = found.map(({ ruleId, message }) => `${ruleId}: ${message}`);
    const asked = /^no-ambiguous-paths: .*\/trackers\/name\/\{name\}/;
    assert.deepEqual(
      problems.filter((problem) => !asked.test(problem)),
      [],
    );
  }
});

test('the documents of the base addresses together have every operation once', () => {
  const named = BY_BASE.flatMap(({ paths }) =>
    Object.values(paths).flatMap((methods) => Object.values(methods)),
  ).map(({ operationId }) => operationId);
  assert.deepEqual(named.sort(), OPERATIONS.map(({ operationId }) => operationId).sort());
});

test('every status that an operation may answer has a type of its own', () => {
  const { paths, components } = DOCUMENT;
  const statusesOf = (path: string, method: string): string[] =>
    Object.keys(paths[path]?.[method]?.responses ?? {});
  const common = ['400', '429', '500', '503'];
  const own = ['401', '403', '404', '409', '413', '415'];
  assert.deepEqual(statusesOf('/health/live', 'get'), ['200', ...common]);
  assert.deepEqual(
    statusesOf('/users/current/accounts/{accountId}/trackers', 'post'),
    ['201', ...common, ...own].sort(),
  );
  for (const status of [...common, ...own]) {
    const name = ERRORS[Number(status) as ErrorStatus];
    const schema = components.schemas[name] as { properties: { error: { enum: string[] } } };
    assert.deepEqual(schema.properties.error.enum, [name]);
  }
});

test('every operation is included, with texts, and few need no token', () => {
  const { paths, tags } = DOCUMENT;
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  assert.deepEqual(
    described.map(({ operationId }) => operationId).sort(),
    OPERATIONS.map(({ operationId }) => operationId).sort(),
  );
  for (const { operationId, summary, description, responses } of described) {
    assert.match(summary, /^[A-Z][^.]+$/, operationId);
    assert.match(description, /\.$/, operationId);
    assert.ok('400' in responses, operationId);
  }
  const open = described.filter(({ security }) => security?.length === 0);
  assert.deepEqual(
    open.map(({ operationId }) => operationId),
    ['readSession', 'signIn', 'readSignIn', 'readLiveness', 'readReadiness', 'readEvidenceKey'],
  );
  const named = new Set(tags.map(({ name }) => name));
  assert.ok(described.every((each) => each.tags.every((tag) => named.has(tag))));
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

test('every operation has an example, and every example matches its schema', () => {
  const document = DOCUMENT;
  const formats = Object.entries(FORMATS).map(([name, { holds }]) => [name, holds] as const);
  const ajv = new Ajv({ strict: false, unicodeRegExp: true, logger: false });
  for (const [name, holds] of formats) ajv.addFormat(name, holds);
  const { components } = document;
  ajv.addSchema({ $id: 'openapi', components });
  const compile = (schema: object): ValidateFunction =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/comp', '"openapi#/comp')));
  const check = (place: string, media: Media): void => {
    const { schema, example } = media;
    if (example === undefined || !schema) return;
    const isValid = compile(schema);
    assert.ok(isValid(example), `${place}: ${JSON.stringify(isValid.errors)}`);
    checked += 1;
  };
  let checked = 0;
  for (const methods of Object.values(document.paths)) {
    for (const described of Object.values(methods)) {
      const { operationId } = described;
      for (const { name, ...media } of parametersOf(document, described) as Parameter[]) {
        check(`${operationId} ${name}`, media);
      }
      const body = described.requestBody as { content: Content } | undefined;
      for (const [type, media] of Object.entries(body?.content ?? {})) {
        const isFile = type === 'application/octet-stream';
        assert.ok(isFile || media.example !== undefined, `${operationId} body as ${type}`);
        check(`${operationId} body`, media);
      }
      for (const [status, answer] of Object.entries(described.responses)) {
        for (const media of Object.values((answer.content ?? {}) as Content)) {
          // Its example is of the usual answer, a different record from the proposal.
          const isProposal = operationId === 'startFromStatement' && status === '200';
          if (!isProposal)
            assert.notEqual(media.example, undefined, `${operationId} ${status} has no example`);
          check(`${operationId} ${status}`, media);
        }
      }
    }
  }
  assert.ok(checked > 150, String(checked));
  const own = OPERATIONS.filter(({ deprecated }) => !deprecated);
  assert.deepEqual(
    Object.keys(readExamples()).sort(),
    own.map(({ operationId }) => operationId).sort(),
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
