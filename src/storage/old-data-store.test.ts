import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needs } from '../../test/needs.ts';
import { newUser, useDatabase } from '../../test/storage-contract/fixture.ts';
import { ENTRY_BYTES, insertAuditEntry } from './audit-store.ts';
import { countHolding, listHoldings, readHolding } from './holding-store.ts';
import { removeAgedAudit } from './old-data-store.ts';

needs('postgres');

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`the audit that two processes remove on ${kind}`, () => {
    const use = useDatabase(kind);

    it('is counted back once, and not for users who are gone', async () => {
      const { database } = use;
      const userId = await newUser(database);
      await database.transaction(async (tx) => {
        for (const each of [userId, 'gone'])
          await insertAuditEntry(tx, {
            ...{ atMs: 1, actor: 'operator', tokenId: null, action: 'quotas.set' },
            ...{ userId: each, accountId: null, details: {} },
          });
        await countHolding(tx, userId, 'audit', { items: 3, bytes: 3 * (ENTRY_BYTES + 2) });
      });
      await Promise.all([removeAgedAudit(database, 2), removeAgedAudit(database, 2)]);
      const left = await readHolding(database, userId, 'audit');
      assert.deepEqual({ ...left }, { items: 2, bytes: 2 * (ENTRY_BYTES + 2) });
      assert.deepEqual(await listHoldings(database, 'gone'), []);
    });
  });
