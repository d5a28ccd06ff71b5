import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Database } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/drivers/migrate.ts';
import { openPostgres } from '../../src/storage/drivers/postgres.ts';
import { openSqlite } from '../../src/storage/drivers/sqlite.ts';
import { given } from '../needs.ts';
import { type PostgresProcess, startPostgres } from './postgres-process.ts';

/** The template of test databases: copying takes a third of the migrations' time. */
const MIGRATED = 'plimsoll_migrated';

export type TestDatabase = {
  database: Database;
  /** For a process of its own: the settings that lead to the same database. */
  environment: Record<string, string>;
  close(): Promise<void>;
};

/** A migrated database of its own, on SQLite or on a real PostgreSQL. */
export function openTestDatabase(kind: Database['kind']): Promise<TestDatabase> {
  return kind === 'sqlite' ? openTestSqlite() : openTestPostgres();
}

async function openTestSqlite(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-test-'));
  const database = openSqlite(folder);
  await migrate(database);
  return {
    database,
    environment: { PLIMSOLL_DATA: folder },
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A PostgreSQL server with the template of test databases. */
export async function startTestPostgres(isDurable = false): Promise<PostgresProcess> {
  const server = await startPostgres({ isDurable });
  await command(server.url, `create database ${MIGRATED}`);
  const database = openPostgres(urlOf(server, MIGRATED));
  await migrate(database);
  await database.close();
  return server;
}

/** The server that the test run started for all files, or one of its own for a file run alone. */
async function openTestPostgres(): Promise<TestDatabase> {
  given('postgres');
  const shared = process.env.PLIMSOLL_TEST_DATABASE_URL;
  const server = shared ? { url: shared, stop: async () => {} } : await startTestPostgres();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await command(server.url, `create database ${name} template ${MIGRATED}`);
  const url = urlOf(server, name);
  const database = openPostgres(url);
  return {
    database,
    environment: { DATABASE_URL: url },
    async close() {
      await database.close();
      await server.stop();
    },
  };
}

async function command(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const urlOf = ({ url }: { url: string }, database: string): string =>
  url.replace(/\/[^/]*$/, `/${database}`);
