import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '../../test/servers/test-databases.ts';
import { insertAuditEntry, listAuditEntries } from './audit-store.ts';

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`audit store on ${kind}`, () => {
    let opened: TestDatabase;
    before(async () => {
      opened = await openTestDatabase(kind);
    });
    after(() => opened.close());

    const add = (userId: string | null, action: string, atMs: number) =>
      insertAuditEntry(opened.database, {
        id: randomUUID(),
        atMs,
        actor: 'operator',
        action,
        userId,
        details: { 'a "quoted" name': [1, null] },
      });

    test('entries of the same millisecond, and of a clock set back, keep their order', async () => {
      const userId = randomUUID();
      for (const action of ['one', 'two', 'three']) await add(userId, action, 5_000);
      await add(userId, 'four', 4_000);
      await add(userId, 'five', 6_000);
      const entries = await listAuditEntries(opened.database, userId, 10, 0);
      assert.deepEqual(
        entries.map(({ action, atMs }) => [action, atMs]),
        [
          ['five', 6_000],
          ['four', 5_003],
          ['three', 5_002],
          ['two', 5_001],
          ['one', 5_000],
        ],
      );
      assert.deepEqual(entries[0]?.details, { 'a "quoted" name': [1, null] });
    });

    test('a page is a part of the list, about one user or about all', async () => {
      const userId = randomUUID();
      await add(userId, 'one', 9_000);
      await add(userId, 'two', 9_500);
      await add(null, 'maintenance', 9_600);
      const page = await listAuditEntries(opened.database, userId, 1, 1);
      assert.deepEqual(
        page.map(({ action }) => action),
        ['one'],
      );
      const [newest] = await listAuditEntries(opened.database, undefined, 1, 0);
      assert.equal(newest?.action, 'maintenance');
      assert.equal(newest?.userId, null);
    });
  });
}
