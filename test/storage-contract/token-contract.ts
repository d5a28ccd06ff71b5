import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Database, UniqueViolation } from '../../src/storage/database.ts';
import {
  type AccessToken,
  deleteMadeTokens,
  deleteToken,
  findTokenByHash,
  inheritTokens,
  insertToken,
  listTokens,
  storeTokenUses,
} from '../../src/storage/token-store.ts';
import { newUser, useDatabase } from './fixture.ts';

const token = (userId: string, fields: Partial<AccessToken> = {}): AccessToken => ({
  id: randomUUID(),
  userId,
  name: null,
  hash: randomUUID(),
  scopes: ['read'],
  accountIds: null,
  accountNumbers: null,
  createdAtMs: 1,
  expiresAtMs: null,
  madeBy: null,
  kind: 'token' as const,
  device: null,
  role: null,
  email: null,
  subject: null,
  providerSession: null,
  ...fields,
});

export function registerTokenContract(kind: Database['kind']): void {
  describe('token store', () => {
    const use = useDatabase(kind);

    it('gives back what was stored, with and without the optional parts', async () => {
      const userId = await newUser(use.database);
      const plain = token(userId);
      const full = token(userId, {
        name: 'journal, "quoted"',
        scopes: ['read', 'write', 'ingest', 'admin'],
        accountIds: ['a', 'b:c@d'],
        accountNumbers: [7],
        createdAtMs: 2,
        expiresAtMs: Number.MAX_SAFE_INTEGER,
      });
      for (const each of [full, plain]) await insertToken(use.database, each);
      assert.deepEqual(await findTokenByHash(use.database, plain.hash), plain);
      assert.deepEqual(await findTokenByHash(use.database, full.hash), full);
      const unused = { usedAtMs: null, usedFrom: null };
      assert.deepEqual(await listTokens(use.database, userId, undefined, 9), [
        { ...full, ...unused },
        { ...plain, ...unused },
      ]);
    });

    it('finds nothing by an unknown hash, nor by a part or a pattern of one', async () => {
      const stored = token(await newUser(use.database));
      await insertToken(use.database, stored);
      for (const hash of [randomUUID(), stored.hash.slice(0, -1), '%', '', stored.id]) {
        assert.equal(await findTokenByHash(use.database, hash), undefined);
      }
    });

    it('lists the tokens of one user only', async () => {
      const [one, two] = [await newUser(use.database), await newUser(use.database)];
      await insertToken(use.database, token(one));
      assert.deepEqual(await listTokens(use.database, two, undefined, 9), []);
    });

    it('deletes a token once, and tells what it was', async () => {
      const stored = token(await newUser(use.database));
      await insertToken(use.database, stored);
      const remove = () => use.database.transaction((tx) => deleteToken(tx, stored.id));
      assert.deepEqual(await remove(), stored);
      assert.equal(await remove(), undefined);
      assert.equal(await findTokenByHash(use.database, stored.hash), undefined);
    });

    it('finds what a token made, level by level, and passes it on', async () => {
      const [one, two] = [await newUser(use.database), await newUser(use.database)];
      const root = token(one);
      const made = token(one, { madeBy: root.id });
      const ofAnother = token(two, { madeBy: root.id });
      const deeper = token(one, { madeBy: made.id });
      for (const each of [root, made, ofAnother, deeper]) await insertToken(use.database, each);
      const remove = (userId?: string) =>
        use.database.transaction((tx) => deleteMadeTokens(tx, root.id, userId, 9));
      const idsOf = (tokens: AccessToken[]) => tokens.map(({ id }) => id);
      assert.deepEqual(idsOf(await remove(one)), [made.id]);
      assert.deepEqual(idsOf(await remove(one)), [deeper.id]);
      assert.deepEqual(idsOf(await remove(one)), []);
      await use.database.transaction((tx) => inheritTokens(tx, [root.id], null));
      assert.deepEqual(idsOf(await remove()), []);
      assert.equal((await findTokenByHash(use.database, ofAnother.hash))?.madeBy, null);
    });

    it('keeps the last use of a token, and passes over those that are gone', async () => {
      const stored = token(await newUser(use.database));
      await insertToken(use.database, stored);
      const use1 = { usedAtMs: 7, usedFrom: '192.0.2.1' };
      await storeTokenUses(use.database, [
        { id: 'gone', ...use1 },
        { id: stored.id, ...use1 },
      ]);
      const listed = await listTokens(use.database, stored.userId ?? '', undefined, 9);
      assert.deepEqual(listed, [{ ...stored, ...use1 }]);
    });

    it('refuses a second token of the same secret, and one of nobody', async () => {
      const stored = token(await newUser(use.database));
      await insertToken(use.database, stored);
      const same = { ...stored, id: randomUUID() };
      await assert.rejects(insertToken(use.database, same), UniqueViolation);
      await assert.rejects(insertToken(use.database, token('nobody')));
    });
  });
}
