import assert from 'node:assert/strict';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { it } from 'node:test';
import { SqliteConnection } from './sqlite-connection.ts';

/** Node's types do not have this yet. */
type Counted = StatementSync & { stat(counter: 'reprepare' | 'run'): number };

it('plans a statement once, whatever limit it is run with', async (test) => {
  const prepare = test.mock.method(DatabaseSync.prototype, 'prepare');
  const connection = new SqliteConnection(':memory:');
  connection.exec(
    'create table seen (at integer primary key); insert into seen values (1), (2), (3)',
  );
  const newest = 'select at from seen where at > $1 order by at desc limit $2';
  for (const limit of [1, 2, 3]) {
    const rows = await connection.all(newest, [0, limit]);
    assert.equal(rows.length, limit);
  }
  const statement = prepare.mock.calls[0]?.result as Counted;
  assert.equal(statement.stat('reprepare'), 0);
  assert.equal(statement.stat('run'), 3);
  connection.close();
});
