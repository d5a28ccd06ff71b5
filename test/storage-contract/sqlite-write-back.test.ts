import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

const MEGABYTE = 1024 * 1024;
/** More than the log may hold before it is written back. */
const MEGABYTES = 40;

describe('the log of SQLite', () => {
  it('is written back and restarted while others write', async (t) => {
    const { database, environment, close } = await openTestDatabase('sqlite');
    t.after(close);
    await database.transaction((tx) => tx.script('create table filling (body blob not null)'));
    using watcher = new DatabaseSync(join(environment.PLIMSOLL_DATA ?? '', 'plimsoll.db'));
    const state = watcher.prepare('pragma wal_checkpoint(noop)');
    const pageBytes = Number(watcher.prepare('pragma page_size').get()?.page_size);
    const logBytes = (): number => Number(state.get()?.log) * pageBytes;
    let rows = 0;
    const fill = () =>
      database.transaction(async (tx) => {
        for (let megabyte = 0; megabyte < MEGABYTES; megabyte += 1) {
          await tx.run('insert into filling values ($1)', [new Uint8Array(MEGABYTE)]);
        }
        rows += MEGABYTES;
      });
    await fill();
    // The writer that restarts it waits for the disk: that is no commit of this process.
    await until(() => logBytes() < MEGABYTE, 'a log that was begun anew though nobody has written');
    await fill();
    await until(async () => {
      await database.run('insert into filling values ($1)', [new Uint8Array(1)]);
      rows += 1;
      return logBytes() < (MEGABYTES * MEGABYTE) / 2;
    }, 'a log that is begun anew');
    const found = await database.get('select count(*) as count from filling');
    assert.equal(found?.count, rows);
    const check = await database.get('pragma integrity_check');
    assert.equal(check?.integrity_check, 'ok');
  });
});
