import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { SwallowingProxy } from '../../../test/faults/swallowing-proxy.ts';
import { needs } from '../../../test/needs.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { until } from '../../../test/servers/until.ts';
import { DatabaseUnavailable } from '../database.ts';
import { PostgresPool, query } from './postgres-pool.ts';

needs('postgres');

/** Longer than the grace period of a statement with a limit of 0 ms. */
const HELD_UP_MS = 4000;

it('does not take a database for silent that answered while the process was held up', async (t) => {
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

it('keeps no connection that came after its caller gave up', async (t) => {
  const { database, environment, close } = await openTestDatabase('postgres');
  t.after(close);
  const url = new URL(environment.DATABASE_URL ?? '');
  const proxy = await SwallowingProxy.start(url);
  t.after(() => proxy.stop());
  const name = 'abandoned';
  url.port = String(proxy.port);
  url.searchParams.set('application_name', name);
  const connections = async (): Promise<unknown> => {
    const sql = 'select count(*) as open from pg_stat_activity where application_name = $1';
    return (await database.get(sql, [name]))?.open;
  };
  const pool = new PostgresPool(url.href, () => {}, 10);
  const ask = (sql: string, withinMs: number): Promise<void> =>
    assert.rejects(
      pool.use((client) => query(client, sql, [], withinMs)),
      DatabaseUnavailable,
    );
  const silent = ask('select pg_sleep(60)', 2000);
  await until(async () => (await connections()) === 1, 'the first connection');
  proxy.fallSilent();
  await Promise.all([silent, ask('select 1', 500)]);
  proxy.deliver();
  await pool.close();
  await until(async () => (await connections()) === 0, 'the end of all connections');
});
