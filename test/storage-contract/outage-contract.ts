import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import pg from 'pg';
import { type Database, DatabaseUnavailable } from '../../src/storage/database.ts';
import { until } from '../servers/until.ts';
import { gate, useDatabase } from './fixture.ts';

/** More than either driver lets wait. */
const TOO_MANY_WRITERS = 10_001;

export function registerOutageContract(kind: Database['kind']): void {
  describe('driver without its database', () => {
    const use = useDatabase(kind);
    before(() =>
      use.database.transaction((tx) => tx.script('create table thing (id text primary key)')),
    );

    it('answers DatabaseUnavailable once it is closed', async () => {
      const database = use.connect();
      await database.get('select 1 as one');
      await database.close();
      await assert.rejects(database.get('select 1 as one'), DatabaseUnavailable);
      await assert.rejects(database.all('select 1 as one'), DatabaseUnavailable);
      await assert.rejects(database.run("insert into thing values ('x')"), DatabaseUnavailable);
      await assert.rejects(
        database.transaction(async () => {}),
        DatabaseUnavailable,
      );
    });

    it('finishes what was begun before it closes', async () => {
      const database = use.connect();
      const begun = database.transaction(async (tx) => {
        await tx.get('select 1 as one');
        await tx.run("insert into thing values ('begun')");
      });
      await Promise.all([begun, database.close()]);
      assert.ok(await use.database.get("select id from thing where id = 'begun'"));
    });

    it('sends writers away at once when too many wait already, and answers all others', async () => {
      const { opened, open } = gate();
      const database = use.connect();
      const held = Array.from({ length: 10 }, () => gate());
      const holders = held.map((own) =>
        database
          .transaction(async () => {
            own.open();
            await opened;
          })
          // A client that holds a transaction idle for seconds is cut off: that may happen here,
          // too.
          .catch((error) => assert.ok(error instanceof DatabaseUnavailable, String(error))),
      );
      await (kind === 'sqlite' ? held[0] : held.at(-1))?.opened;
      const outcomes = { served: 0, sentAway: 0, late: 0 };
      const waiting = Array.from({ length: TOO_MANY_WRITERS }, async () => {
        try {
          await database.run('delete from thing where 1 = 0');
          outcomes.served += 1;
        } catch (error) {
          assert.ok(error instanceof DatabaseUnavailable, String(error));
          outcomes[/^Too many/.test(error.message) ? 'sentAway' : 'late'] += 1;
        }
      });
      await until(() => outcomes.sentAway > 0, 'a writer that is sent away');
      open();
      await Promise.all([...waiting, ...holders]);
      // A client that has waited for seconds gets that error as well.
      assert.equal(outcomes.served + outcomes.sentAway + outcomes.late, TOO_MANY_WRITERS);
      assert.ok(outcomes.sentAway < TOO_MANY_WRITERS, inspect(outcomes));
      await database.run("insert into thing values ('after the crowd')");
      await database.close();
    });

    if (kind === 'postgres') registerTerminatedBackends(use);
    else registerFullDisk(use);
  });
}

type Used = ReturnType<typeof useDatabase>;

function registerTerminatedBackends(use: Used): void {
  let admin: pg.Client;
  before(async () => {
    admin = new pg.Client({ connectionString: use.environment.DATABASE_URL });
    // A server of this file's own may be stopped before the client is.
    admin.on('error', () => {});
    await admin.connect();
  });
  after(() => admin.end());
  const others = 'datname = current_database() and pid <> pg_backend_pid()';
  const terminate = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
  const running = async (text: string): Promise<boolean> => {
    const sql = `select 1 from pg_stat_activity where ${others} and query like $1`;
    return ((await admin.query(sql, [`${text}%`])).rowCount ?? 0) > 0;
  };

  it('answers DatabaseUnavailable when the backend dies under a statement, and recovers', async () => {
    const slow = assert.rejects(use.database.get('select pg_sleep(30)'), DatabaseUnavailable);
    await until(() => running('select pg_sleep(30)'));
    await terminate();
    await slow;
    assert.deepEqual(await use.database.get('select 1 as one'), { one: 1 });
  });

  it('rolls back a transaction whose backend dies, and serves the next', async () => {
    const broken = use.database.transaction(async (tx) => {
      await tx.run("insert into thing values ('lost')");
      await terminate();
      await tx.run("insert into thing values ('never')");
    });
    await assert.rejects(broken, DatabaseUnavailable);
    await use.database.transaction((tx) => tx.run("insert into thing values ('next')"));
    const rows = await use.database.all(
      "select id from thing where id in ('lost', 'never', 'next')",
    );
    assert.deepEqual(rows, [{ id: 'next' }]);
  });

  it('survives the death of idle backends, again and again', async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => use.database.get('select 1 as one')));
      await terminate();
      await until(async () => {
        try {
          return (await use.database.get('select 1 as one')) !== undefined;
        } catch (error) {
          assert.ok(error instanceof DatabaseUnavailable, String(error));
          return false;
        }
      });
    }
  });
}

function registerFullDisk(use: Used): void {
  it('answers DatabaseUnavailable while the disk is full, and recovers', async () => {
    const database = use.connect();
    const limit = (pages: number) =>
      database.transaction((tx) => tx.script(`pragma max_page_count = ${pages}`));
    await limit(1);
    const fill = database.transaction(async (tx) => {
      for (let n = 0; n < 100; n += 1) {
        await tx.run(`insert into thing values ($1)`, [`full-${n}-${'x'.repeat(5000)}`]);
      }
    });
    await assert.rejects(fill, DatabaseUnavailable);
    await limit(1_000_000);
    await database.run("insert into thing values ('room again')");
    const rows = await use.database.all("select id from thing where id like 'full-%'");
    assert.equal(rows.length, 0);
    await database.close();
  });
}
