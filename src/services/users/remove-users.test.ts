import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { newAccount, newUser, useDatabase } from '../../../test/storage-contract/fixture.ts';
import type { Sql } from '../../storage/database.ts';
import { listRemovedUsers, USER_TABLES } from '../../storage/removed-user-store.ts';
import { findToken, insertToken } from '../../storage/token-store.ts';
import { deleteUser } from './delete-user.ts';
import { removeStep, removeUsers } from './remove-users.ts';
import { createToken } from './tokens.ts';

needs('postgres');

const OPERATOR = { actor: 'operator', tokenId: 'bootstrap' };
const ACCOUNTS = 45;

async function countOf(sql: Sql, table: string, column: string, userId: string): Promise<number> {
  const query = `select count(*) as rows from ${table} where ${column} = $1`;
  return Number((await sql.get(query, [userId]))?.rows);
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`the removal of deleted users on ${kind}`, () => {
    const use = useDatabase(kind);

    it('continues where it was cut off, touches no other user, and is audited', async () => {
      const { database } = use;
      const [gone, stays] = [await newUser(database), await newUser(database)];
      for (let made = 0; made < ACCOUNTS; made += 1) await newAccount(database, { userId: gone });
      await newAccount(database, { userId: stays });
      const context = { ...(await testContext(database)), database };
      await createToken(context, OPERATOR, gone, {});
      await deleteUser(context, OPERATOR, gone);
      assert.equal(await countOf(database, 'access_token', 'user_id', gone), 0);
      const [user] = await listRemovedUsers(database, 10);
      assert.ok(user);
      assert.equal(await removeStep(context, user), true);
      const left = await countOf(database, 'account', 'user_id', gone);
      assert.ok(left > 0 && left < ACCOUNTS, `${left} of ${ACCOUNTS} accounts are left`);
      // The process dies here; another one, without its memory, comes later.
      const other = use.connect();
      const later = { ...(await testContext(other)), database: other };
      await removeUsers(later, new AbortController().signal);
      await later.journal.close();
      await other.close();
      assert.deepEqual(await listRemovedUsers(database, 10), []);
      for (const [table, column] of [
        ['account', 'user_id'],
        ['account_count', 'user_id'],
        ['app_user', 'id'],
      ] as const) {
        assert.equal(await countOf(database, table, column, gone), 0, table);
        assert.equal(await countOf(database, table, column, stays), 1, table);
      }
      const audited = await database.all(
        `select action, actor, count(*) as entries from audit_entry
         where user_id = $1 and action like '%.deleted' group by action, actor order by action`,
        [gone],
      );
      assert.deepEqual(
        audited.map((row) => ({ ...row })),
        [
          { action: 'account.deleted', actor: 'operator', entries: ACCOUNTS },
          { action: 'user.deleted', actor: 'operator', entries: 1 },
        ],
      );
      await context.journal.close();
    });

    it('takes a token along that was made while the user was deleted', async () => {
      const { database } = use;
      const gone = await newUser(database);
      const context = { ...(await testContext(database)), database };
      const { id } = await createToken(context, OPERATOR, gone, {});
      const token = await findToken(database, id);
      assert.ok(token);
      await deleteUser(context, OPERATOR, gone);
      await database.transaction((tx) => insertToken(tx, token));
      await removeUsers(context, new AbortController().signal);
      assert.equal(await countOf(database, 'app_user', 'id', gone), 0);
      await context.journal.close();
    });

    it('covers every table with rows of a user', { skip: kind !== 'sqlite' }, async () => {
      const rows = await use.database.all<{ name: string }>(
        `select tables.name from sqlite_master tables
         join pragma_table_info(tables.name) columns on columns.name = 'user_id'
         where tables.type = 'table' order by tables.name`,
      );
      const others = rows.map(({ name }) => name).filter((name) => !USER_TABLES.has(name));
      // The audit stays; the others go with their accounts: see removed-account-store.ts.
      assert.deepEqual(others, [
        'audit_entry',
        'breach_action',
        'pair_quote',
        'removed_account',
        'tracker_event',
      ]);
    });

    it('makes no token for a user being deleted', async () => {
      const { database } = use;
      const userId = await newUser(database);
      const context = { ...(await testContext(database)), database };
      await deleteUser(context, OPERATOR, userId);
      await assert.rejects(createToken(context, OPERATOR, userId, {}), /User not found/);
      await context.journal.close();
    });
  });
}
