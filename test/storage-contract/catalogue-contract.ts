import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { deleteAccount, updateAccount } from '../../src/storage/account-store.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import type { Database } from '../../src/storage/database.ts';
import { type AccessToken, deleteToken, insertToken } from '../../src/storage/token-store.ts';
import { hideTracker, insertTracker, renameTracker } from '../../src/storage/tracker-store.ts';
import { newAccount, useDatabase } from './fixture.ts';

export function registerCatalogueContract(kind: Database['kind']): void {
  describe('catalogue', () => {
    const use = useDatabase(kind);

    /** An account with a tracker and a token, all of them remembered. */
    async function remembered(catalogue: Catalogue) {
      const account = await newAccount(use.database);
      const secret = { id: randomUUID(), hash: randomUUID(), userId: account.userId, name: null };
      const rights = { scopes: ['read'], accountIds: null } as const;
      const times = { createdAtMs: 1, expiresAtMs: null };
      const token: AccessToken = { ...secret, ...rights, scopes: ['read'], ...times };
      await insertToken(use.database, token);
      const tracker = { id: randomUUID(), name: 'Daily loss', period: 'day' } as const;
      await use.database.transaction((tx) => insertTracker(tx, account.id, tracker, 1));
      const find = async () => {
        await catalogue.refresh();
        return {
          token: (await catalogue.tokenByHash(token.hash))?.id,
          account: (await catalogue.account(account.id))?.name,
          tracker: (await catalogue.tracker(account.id, tracker.id))?.name,
        };
      };
      const all = { token: token.id, account: 'Account', tracker: 'Daily loss' };
      assert.deepEqual(await find(), all);
      return { account, token, tracker, find, all };
    }

    it('sees every change that was committed before it was refreshed, by whatever process', async (t) => {
      const other = use.connect();
      t.after(() => other.close());
      const { account, token, tracker, find, all } = await remembered(new Catalogue(use.database));
      await other.transaction((tx) => updateAccount(tx, { ...account, name: 'Renamed' }));
      assert.deepEqual(await find(), { ...all, account: 'Renamed' });
      await other.transaction((tx) => renameTracker(tx, tracker.id, 'Loss'));
      assert.deepEqual(await find(), { ...all, account: 'Renamed', tracker: 'Loss' });
      await other.transaction((tx) => hideTracker(tx, tracker.id));
      assert.equal((await find()).tracker, undefined);
      await other.transaction((tx) => deleteToken(tx, token.id));
      assert.equal((await find()).token, undefined);
      await other.transaction((tx) => deleteAccount(tx, account.id));
      assert.equal((await find()).account, undefined);
    });

    it('finds what was added after it had looked in vain', async () => {
      const catalogue = new Catalogue(use.database);
      const id = randomUUID();
      await catalogue.refresh();
      assert.equal(await catalogue.account(id), undefined);
      const added = await newAccount(use.database, { id });
      await catalogue.refresh();
      assert.deepEqual(await catalogue.account(id), added);
    });

    it('asks the database for nothing but its version while nothing changes', async () => {
      const statements: string[] = [];
      const counted = {
        kind: use.database.kind,
        all: use.database.all.bind(use.database),
        run: use.database.run.bind(use.database),
        get: ((sql: string, params: string[]) => {
          statements.push(sql);
          return use.database.get(sql, params);
        }) as Database['get'],
      };
      const { find, all } = await remembered(new Catalogue(counted));
      statements.length = 0;
      assert.deepEqual(await Promise.all([find(), find(), find()]), [all, all, all]);
      assert.deepEqual(statements, ['select version from catalogue where id = 1']);
    });
  });
}
