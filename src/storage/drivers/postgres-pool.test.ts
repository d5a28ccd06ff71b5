import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { query } from './postgres-pool.ts';

/** Longer than a statement without time of its own is waited for. */
const HELD_UP_MS = 2000;

it('takes no database for silent that has answered while the process itself was held up', async (t) => {
  const { environment, close } = await openTestDatabase('postgres');
  const client = new pg.Client({ connectionString: environment.DATABASE_URL });
  t.after(async () => {
    await client.end();
    await close();
  });
  await client.connect();
  const asked = query(client, 'select 1 as one from pg_sleep(0.1)', [], 0);
  await nextTurn();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_UP_MS);
  assert.deepEqual((await asked).rows, [{ one: 1 }]);
});
