import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { DatabaseUnavailable } from '../database.ts';

it('continues after a failed rollback, without anything rolled back', async (t) => {
  const { database, close } = await openTestDatabase('sqlite');
  t.after(close);
  const exec = DatabaseSync.prototype.exec;
  let failing = 2;
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string): void {
    if (sql === 'rollback' && failing > 0) {
      failing -= 1;
      throw Object.assign(new Error('out of memory'), { errcode: 7 });
    }
    exec.call(this, sql);
  });
  const insert = (id: string, failure?: Error): Promise<void> =>
    database.transaction(async (tx) => {
      await tx.run('insert into app_user (id, email, created_at_ms) values ($1, $1, 0)', [id]);
      if (failure) throw failure;
    });
  const failure = new Error('no');
  await assert.rejects(insert('first', failure), (error) => error === failure);
  await assert.rejects(insert('second'), DatabaseUnavailable);
  await insert('third');
  const rows = await database.all('select id from app_user');
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['third'],
  );
});
