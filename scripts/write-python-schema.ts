import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '../src/contract/openapi/described-operation.ts';
import { openApiDocument } from '../src/contract/openapi/document.ts';
import { listOf, methodOf, type Operation, operationsOf } from './python-client/operations.ts';
import { docOf, recordOf } from './python-client/records.ts';
import { ROOT } from './run-command.ts';

/** Writes the records, errors and operations of the Python client from the OpenAPI document. */
const SCHEMA = 'clients/python/src/plimsoll_client/schema.py';
const HEAD = `"""Generated from Plimsoll's OpenAPI document by \`npm run generate\`: do not edit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from .answers import PlimsollError
from .calls import AsyncCaller, Call, Caller, Message, Paging
`;

function pythonOf(source: OpenApiDocument): string {
  const errors = Object.keys(source.components.responses);
  const schemas = Object.entries(source.components.schemas);
  const names = schemas.map(([name]) => (errors.includes(name) ? `${name}Record` : name));
  const operations = operationsOf(source);
  const parts = [
    HEAD,
    ...schemas.map(([, schema], place) => recordOf(names[place] ?? '', schema)),
    ...errors.map((name) => errorOf(name, String(source.components.responses[name]?.description))),
    classOf('Api', 'Caller', operations, (each) => methodOf(each, false)),
    classOf('AsyncApi', 'AsyncCaller', operations, (each) => methodOf(each, true)),
    classOf('Lists', 'Caller', operations, (each) => listOf(each, false)),
    classOf('AsyncLists', 'AsyncCaller', operations, (each) => listOf(each, true)),
  ];
  const all = [...names, ...errors, 'Api', 'AsyncApi', 'Lists', 'AsyncLists'];
  const listed = all.map((name) => `    "${name}",\n`).join('');
  return `${parts.join('\n\n')}\n\n__all__ = [\n${listed}]\n`;
}

const errorOf = (name: string, description: string): string =>
  `class ${name}(PlimsollError):\n${docOf(description, '    ')}    record: ${name}Record\n`;

function classOf(
  name: string,
  base: string,
  operations: readonly Operation[],
  methodOf: (operation: Operation) => string | undefined,
): string {
  const methods = operations.flatMap((operation) => methodOf(operation) ?? []);
  return `class ${name}(${base}):\n${methods.join('\n')}`;
}

const document = openApiDocument({ version: '0.1.0', publicUrl: '', addresses: {} });
writeFileSync(join(ROOT, SCHEMA), pythonOf(document));
