import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { OpenApiDocument } from '../../src/contract/openapi/described-operation.ts';
import { BASE_ADDRESSES, openApiDocument } from '../../src/contract/openapi/document.ts';
import { needs } from '../needs.ts';
import { MAPPED, RULES } from './document-rules.ts';

needs('client');

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'clients/typescript');
const SETTINGS = { version: '1.2.3', publicUrl: '', addresses: {} };
const DOCUMENT = openApiDocument(SETTINGS);
const DOCUMENTS = [DOCUMENT, ...BASE_ADDRESSES.map((base) => openApiDocument(SETTINGS, base))];

type Plant = (document: OpenApiDocument) => unknown;
type Schema = Record<string, unknown> & { properties: Record<string, object> };

const schema = ({ components }: OpenApiDocument, name: string): Schema => {
  const found = components.schemas[name];
  assert.ok(found, name);
  return found as Schema;
};
const operation = ({ paths }: OpenApiDocument, name: string) => {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  const found = all.find(({ operationId }) => operationId === name);
  assert.ok(found, name);
  return found;
};

/** A fault of each kind that its rule must find. */
const PLANTS: Record<keyof typeof RULES, Plant[]> = {
  'operations have names that are functions, one each': [
    (document) =>
      Object.assign(operation(document, 'readAccount'), { operationId: 'read-account' }),
    (document) => Object.assign(operation(document, 'readAccount'), { operationId: 'import' }),
    (document) =>
      Object.assign(operation(document, 'readAccount'), { operationId: 'listAccounts' }),
  ],
  'arguments of an operation have a name each': [
    (document) =>
      operation(document, 'readAccount').parameters?.push({ name: 'account-id', in: 'header' }),
    (document) =>
      operation(document, 'readAccount').parameters?.push({ name: 'class', in: 'query' }),
  ],
  'parameters of a path are those that it names': [
    (document) => operation(document, 'readAccount').parameters?.splice(0),
  ],
  'records have names that are classes, one each': [
    (document) => Object.assign(document.components.schemas, { Import: { type: 'object' } }),
    (document) => Object.assign(document.components.schemas, { 'New-Deal': { type: 'object' } }),
    (document) => Object.assign(document.components.schemas, { NewuseR: {}, NewUse_r: {} }),
  ],
  'fields have names that are attributes, one each': [
    (document) => Object.assign(schema(document, 'User').properties, { class: {} }),
    (document) => Object.assign(schema(document, 'User').properties, { '2fa': {} }),
    (document) => Object.assign(schema(document, 'User').properties, { _id: {} }),
  ],
  'records stand among the components, under their names': [
    (document) =>
      Object.assign(schema(document, 'User').properties, {
        home: { type: 'object', properties: { street: { type: 'string' } } },
      }),
  ],
  'words of a field make a class that no other thing is called': [
    (document) =>
      Object.assign(schema(document, 'BreachAction').properties, {
        state: { type: 'string', enum: ['open'] },
      }),
  ],
  'words make constants, one each': [
    (document) => Object.assign(schema(document, 'Platform'), { enum: ['p-4', 'p_4'] }),
    (document) => Object.assign(schema(document, 'Platform'), { enum: [4, 5] }),
    (document) => Object.assign(schema(document, 'Platform'), { type: undefined }),
  ],
  'unions say which record it is, or are of plain values': [
    (document) => Object.assign(schema(document, 'Event'), { discriminator: undefined }),
    (document) => Object.assign(schema(document, 'User'), { oneOf: [{ type: 'string' }] }),
    (document) =>
      Object.assign(schema(document, 'User'), { anyOf: [{ type: 'string' }, { type: 'string' }] }),
  ],
  'nothing is null': [
    (document) => Object.assign(schema(document, 'User'), { type: ['object', 'null'] }),
    (document) => Object.assign(schema(document, 'User'), { nullable: true }),
  ],
  'references lead somewhere, and nothing stands beside them': [
    (document) =>
      Object.assign(schema(document, 'User').properties, {
        name: { $ref: '#/components/schemas/Nobody' },
      }),
    (document) =>
      Object.assign(schema(document, 'User').properties, {
        name: { $ref: '#/components/schemas/Token', description: 'Words' },
      }),
  ],
  'contents are of known types, JSON first': [
    (document) =>
      Object.assign(operation(document, 'createUser'), {
        requestBody: { content: { 'text/xml': {} } },
      }),
  ],
  'answers have statuses, one of them a success': [
    (document) => Object.assign(operation(document, 'createUser').responses, { default: {} }),
    (document) => Object.assign(operation(document, 'createUser'), { responses: { 404: {} } }),
  ],
  'lists say of what, formats are known, patterns are those of all languages': [
    (document) => Object.assign(schema(document, 'User'), { type: 'array' }),
    (document) => Object.assign(schema(document, 'User'), { format: 'money' }),
    (document) => Object.assign(schema(document, 'User'), { pattern: '^\\p{L}+$' }),
  ],
  'every operation belongs to one tag': [
    (document) => Object.assign(operation(document, 'createUser'), { tags: ['stats', 'risk'] }),
  ],
};

describe('the document, as read by generators', () => {
  for (const [name, rule] of Object.entries(RULES)) {
    it(name, () => {
      for (const document of DOCUMENTS) assert.deepEqual([...rule(document)], []);
    });

    it(`${name}: a fault is found`, () => {
      for (const plant of PLANTS[name] ?? []) {
        const spoiled = structuredClone(DOCUMENT);
        plant(spoiled);
        assert.notDeepEqual([...rule(spoiled)], [], String(plant));
      }
      assert.ok(PLANTS[name], 'no fault is planted');
    });
  }

  it('has a Python name for fields without a valid one', () => {
    const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
    for (const name of MAPPED) assert.ok(guide.includes(`\`${name}\``), name);
  });

  it('makes types that fit the hand-written part of the client', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-types-'));
    cpSync(join(PACKAGE, 'src'), join(folder, 'src'), { recursive: true });
    for (const file of ['package.json', 'tsconfig.json']) {
      cpSync(join(PACKAGE, file), join(folder, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(DOCUMENT));
    const { scripts } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      scripts: { generate: string };
    };
    const [, generate = ''] = scripts.generate.split(' | ');
    const [tool = '', ...options] = generate.split(' ');
    const run = promisify(execFile);
    const bin = join(PACKAGE, 'node_modules/.bin');
    await run(join(bin, tool), ['openapi.json', ...options], { cwd: folder });
    await run(join(bin, 'tsc'), ['--noEmit'], { cwd: folder });
    rmSync(folder, { recursive: true });
  });
});
