import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROWS } from '../../bench/rows.ts';
import { needs } from '../needs.ts';

needs('server', 'nats', 'openssl', 'time');

const GROWTH = ROWS.filter(({ name }) => name.startsWith('growth-'));

describe('a row of growth, at a thousandth of its sizes', { concurrency: 1 }, () => {
  assert.ok(GROWTH.length > 0);
  for (const row of GROWTH)
    it(`measures every law: ${row.name}`, async () => {
      const results = await row.run({
        ...{ rounds: 1, seconds: 0.1, minutes: 1, quick: true, full: false, share: 0.001 },
        databases: ['sqlite'],
        progress: () => {},
      });
      assert.ok(results.length > 0);
      for (const { name, value } of results) assert.ok(Number.isFinite(value), name);
    });
});
