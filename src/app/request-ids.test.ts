import assert from 'node:assert/strict';
import { it } from 'node:test';
import { requestIds } from './request-ids.ts';

it('gives each request a unique id, however many there are', () => {
  const newId = requestIds();
  const ids = Array.from({ length: 1000 }, newId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
});
