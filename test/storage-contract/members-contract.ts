import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { joinProcesses, type ProcessRow, showProcess } from '../../src/storage/claim-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { migrate, NewerSchema, SchemaInUse } from '../../src/storage/drivers/migrate.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';

const MIGRATIONS = new URL('../../src/storage/drivers/migrations/', import.meta.url);
/** This version's, and that of the next one. */
const [NOW, NEXT] = [2, 3];

/** The processes at work on a database while its schema changes. */
export function registerMembersContract(kind: Database['kind']): void {
  describe('those who work on a database', () => {
    let folder: string;
    let opened: TestDatabase;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'plimsoll-migrations-'));
      for (const name of await readdir(MIGRATIONS)) {
        await writeFile(join(folder, name), await readFile(new URL(name, MIGRATIONS)));
      }
    });
    after(() => rm(folder, { recursive: true }));

    const rowOf = (schemaVersion: number): ProcessRow => ({
      ...{ id: randomUUID(), beat: 1, shares: [], startedAtMs: 0, host: 'elsewhere', seenAtMs: 0 },
      ...{ report: null, mark: null, schemaVersion, keyIds: [] },
    });
    const joins = (row: ProcessRow) => opened.database.transaction((tx) => joinProcesses(tx, row));
    /** Migrates as the next version does, to which some processes are known to be dead. */
    const next = async (text: string, dead: string[] = []) => {
      await writeFile(join(folder, `000${NEXT}-next.sql`), text);
      const prepare = async () => ({
        isSilent: ({ id }: { id: string }) => dead.includes(id),
        release() {},
      });
      return migrate(opened.database, { folder: pathToFileURL(`${folder}/`), prepare });
    };
    const BREAKING = 'create table next_thing (id text primary key);';
    const ADDITIVE = `-- May run beside processes of 000${NOW}.\n${BREAKING}`;

    it('keep a newer version from a change that they do not know', async () => {
      opened = await openTestDatabase(kind);
      const old = rowOf(NOW);
      assert.ok(await joins(old));
      await assert.rejects(next(BREAKING), SchemaInUse);
      await assert.rejects(next(BREAKING), /a process on elsewhere runs with an older version/);
      assert.deepEqual((await next(ADDITIVE)).ran, [`000${NEXT}-next.sql`]);
      assert.ok(await joins(rowOf(NOW)), 'older ones may go on, and start');
      assert.deepEqual((await migrate(opened.database)).ran, []);
      await opened.close();
    });

    it('do not count when they are dead, and do not come back on a newer schema', async () => {
      opened = await openTestDatabase(kind);
      const old = rowOf(NOW);
      assert.ok(await joins(old));
      assert.equal((await next(BREAKING, [old.id])).version, NEXT);
      const shown = await opened.database.transaction((tx) => showProcess(tx, old));
      assert.equal(shown, undefined);
      assert.equal(await joins(old), false);
      assert.ok(await joins(rowOf(NEXT)));
      await assert.rejects(migrate(opened.database), NewerSchema);
      await opened.close();
    });
  });
}
