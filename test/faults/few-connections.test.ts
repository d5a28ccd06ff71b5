import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Database, DatabaseUnavailable } from '../../src/storage/database.ts';
import { openPostgres } from '../../src/storage/drivers/postgres.ts';
import { needs } from '../needs.ts';
import { startPostgres } from '../servers/postgres-process.ts';
import { until } from '../servers/until.ts';

needs('postgres');

/** Each process would take ten. */
const CONNECTIONS = 14;
const PROCESSES = 4;
const STATEMENTS = 50;
/** Less than a statement waits for its turn. */
const PATIENCE_MS = 2500;

it('more processes than PostgreSQL has connections for take turns, and none is refused', async (t) => {
  const postgres = await startPostgres({ connections: CONNECTIONS });
  t.after(() => postgres.stop());
  const told = new Set<string>();
  const databases = Array.from({ length: PROCESSES }, () =>
    openPostgres(postgres.url, ({ message }) => told.add(message)),
  );
  t.after(() => Promise.all(databases.map((database) => database.close())));
  for (const database of databases) await database.get('select 1 as started');
  const answers = await Promise.all(
    databases.flatMap((database) => Array.from({ length: STATEMENTS }, () => answerOf(database))),
  );
  assert.deepEqual(new Set(answers.map((row) => row?.one)), new Set([1]));
  assert.match([...told].join(), /raise its max_connections/);
});

/**
 * On a busy machine a turn may take longer than a statement waits for it: it is asked again then.
 */
async function answerOf(database: Database) {
  let row: { one: number } | undefined;
  await until(async () => {
    const beginMs = performance.now();
    const asked = database.get<{ one: number }>('select pg_sleep(0.01), 1 as one');
    row = await asked.catch((error: unknown) => {
      const hasWaited = performance.now() - beginMs > PATIENCE_MS;
      if (!(error instanceof DatabaseUnavailable)) throw error;
      if (hasWaited || error.name === 'DatabaseSilent') return undefined;
      throw error;
    });
    return row !== undefined;
  }, 'a turn');
  return row;
}
