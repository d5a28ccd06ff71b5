import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  type AuditEntry,
  insertAuditEntry,
  listAuditEntries,
} from '../../src/storage/audit-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { newAccount, useDatabase } from './fixture.ts';

export function registerAuditContract(kind: Database['kind']): void {
  describe('audit store', () => {
    const use = useDatabase(kind);
    const entryOf = (userId: string | null, action: string, atMs: number) => ({
      ...{ atMs, actor: 'operator', tokenId: null, action, userId, accountId: null },
      details: {},
    });
    const add = (entry: Omit<AuditEntry, 'number'>) => insertAuditEntry(use.database, entry);

    it('gives back every field, the newest entry first', async () => {
      const userId = randomUUID();
      const full = {
        ...entryOf(userId, 'two', 9),
        ...{ actor: `user:${userId}`, tokenId: 'token', accountId: 'account' },
        details: { 'a "quoted" name': [1, null] },
      };
      await add(entryOf(userId, 'one', 8));
      await add(full);
      const [newest, oldest] = await listAuditEntries(use.database, { userId }, 10, 0);
      const rest = { number: 0, actorEmail: null, userEmail: null, accountName: null };
      assert.deepEqual({ ...newest, number: 0 }, { ...full, ...rest });
      assert.deepEqual({ ...oldest, number: 0 }, { ...entryOf(userId, 'one', 8), ...rest });
    });

    it('gives the names of whom an entry names, as long as they exist', async () => {
      const { id: accountId, userId, name } = await newAccount(use.database);
      await add({ ...entryOf(userId, 'one', 8), actor: `user:${userId}`, accountId });
      const [entry] = await listAuditEntries(use.database, { userId }, 10, 0);
      const { actorEmail, userEmail, accountName } = entry ?? {};
      const email = `${userId}@example.com`;
      assert.deepEqual([actorEmail, userEmail, accountName], [email, email, name]);
    });

    it('keeps the order of entries of one millisecond, and of a clock that was set back', async () => {
      const userId = randomUUID();
      for (const [action, atMs] of [
        ['one', 5_000],
        ['two', 5_000],
        ['three', 5_000],
        ['four', 4_000],
        ['five', 6_000],
      ] as const) {
        await add(entryOf(userId, action, atMs));
      }
      const entries = await listAuditEntries(use.database, { userId }, 10, 0);
      assert.deepEqual(
        entries.map(({ action, atMs }) => [action, atMs]),
        [
          ['five', 6_000],
          ['four', 4_000],
          ['three', 5_000],
          ['two', 5_000],
          ['one', 5_000],
        ],
      );
    });

    it('has no entry of what was rolled back, and numbers that only grow', async () => {
      const userId = randomUUID();
      await add(entryOf(userId, 'one', 1));
      const failing = use.database.transaction(async (tx) => {
        await insertAuditEntry(tx, entryOf(userId, 'never', 2));
        throw new Error('no');
      });
      await assert.rejects(failing);
      await add(entryOf(userId, 'two', 3));
      const [two, one, ...more] = await listAuditEntries(use.database, { userId }, 10, 0);
      assert.deepEqual([one?.action, two?.action, more.length], ['one', 'two', 0]);
      assert.ok((two?.number ?? 0) > (one?.number ?? 0));
    });

    it('lists a page, about one user or about all', async () => {
      const userId = randomUUID();
      await add(entryOf(userId, 'one', 9_000));
      await add(entryOf(userId, 'two', 9_500));
      await add(entryOf(null, 'maintenance', 9_600));
      const page = await listAuditEntries(use.database, { userId }, 1, 1);
      assert.deepEqual(
        page.map(({ action }) => action),
        ['one'],
      );
      const [newest] = await listAuditEntries(use.database, {}, 1, 0);
      assert.deepEqual([newest?.action, newest?.userId], ['maintenance', null]);
    });
  });
}
