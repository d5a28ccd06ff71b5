import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Database } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/drivers/migrate.ts';
import { numberEvents, readLastNumber } from '../../src/storage/event-number-store.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';
import { connectTo } from './fixture.ts';

const MIGRATIONS = new URL('../../src/storage/drivers/migrations/', import.meta.url);

export function registerMigrationContract(kind: Database['kind']): void {
  describe('migrations', () => {
    let names: string[];
    let opened: TestDatabase;
    before(async () => {
      const other = kind === 'sqlite' ? 'postgres' : 'sqlite';
      names = (await readdir(MIGRATIONS)).filter((name) => !name.includes(`.${other}.`)).sort();
      opened = await openTestDatabase(kind);
    });
    after(() => opened.close());

    it('run again without harm: nothing is done and nothing is lost', async () => {
      await opened.database.run('insert into event_head (id, last_number) values (2, 7)');
      assert.deepEqual((await migrate(opened.database)).ran, []);
      const rows = await opened.database.all('select name from schema_migration order by version');
      assert.deepEqual(
        rows.map((row) => row.name),
        names,
      );
      const row = await opened.database.get('select last_number from event_head where id = 2');
      assert.equal(row?.last_number, 7);
    });

    it('run once when several processes start at once', async () => {
      const environment = await emptyPlace(kind, opened);
      const processes = await Promise.all(
        Array.from({ length: 4 }, () =>
          runPlimsoll(['migrate', '--create', '--json'], environment),
        ),
      );
      for (const { code, stderr } of processes) assert.equal(code, 0, stderr);
      const ran = processes.map(({ stdout }) => {
        const { migrations } = JSON.parse(stdout) as { migrations: string[] };
        return migrations;
      });
      assert.deepEqual(ran.flat(), names);
    });

    it('leave the old schema whole when one of them fails', async () => {
      const database = connectTo(await emptyPlace(kind, opened));
      await database.transaction((tx) => tx.script('create table account_market (id text)'));
      await assert.rejects(migrate(database));
      await assert.rejects(database.get('select * from account'));
      await database.transaction((tx) => tx.script('drop table account_market'));
      assert.deepEqual((await migrate(database)).ran, names);
      await database.close();
    });

    it('bring functions of another version back to those of this one', async (t) => {
      if (kind === 'sqlite') return t.skip('SQLite has none');
      const { database } = opened;
      const broken = 'create or replace function number_events() returns bigint';
      await database.run(`${broken} language sql as 'select -5::bigint'`);
      assert.equal(await numberEvents(database), -5);
      assert.deepEqual((await migrate(database)).ran, []);
      assert.equal(await numberEvents(database), await readLastNumber(database));
    });

    it('refuse the database of a newer version with one line', async () => {
      const newer =
        "insert into schema_migration (version, name, oldest_version) values (9999, 'x', $1)";
      await opened.database.run(newer, [1]);
      assert.deepEqual((await migrate(opened.database)).ran, [], 'one that it works on is taken');
      await opened.database.run('update schema_migration set oldest_version = version');
      await assert.rejects(migrate(opened.database), /newer version/);
      const { code, stdout, stderr } = await runPlimsoll(['serve'], {
        ...opened.environment,
        PORT: '0',
      });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^The database belongs to a newer version of Plimsoll\n$/);
    });
  });
}

/** A place like that of the opened database, with nothing in it. */
async function emptyPlace(
  kind: Database['kind'],
  { database, environment }: TestDatabase,
): Promise<Record<string, string>> {
  places += 1;
  if (kind === 'sqlite') return { PLIMSOLL_DATA: `${environment.PLIMSOLL_DATA}/empty-${places}` };
  const name = `${new URL(environment.DATABASE_URL ?? '').pathname.slice(1)}_${places}`;
  await database.run(`create database ${name}`);
  return { DATABASE_URL: `${environment.DATABASE_URL}_${places}` };
}

let places = 0;
