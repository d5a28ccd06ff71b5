import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bridgeOpenApi } from '../../scripts/p4-bridge/openapi.ts';

test('docs/p4-bridge.openapi.json matches the schemas (scripts/write-p4-bridge-openapi.ts)', () => {
  const file = new URL('../../docs/p4-bridge.openapi.json', import.meta.url);
  const published: unknown = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(published, JSON.parse(JSON.stringify(bridgeOpenApi())));
});
