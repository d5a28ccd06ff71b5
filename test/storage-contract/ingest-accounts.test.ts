import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { AccountIds } from '../../src/ingest/account-ids.ts';
import { IngestAccounts } from '../../src/ingest/ingest-accounts.ts';
import { findAccount, removeAccount, updateAccountRow } from '../../src/storage/account-store.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { newAccount } from './fixture.ts';

const MAX = 4;

async function remembering(t: { after(end: () => Promise<void>): void }) {
  const { database, close } = await openTestDatabase('sqlite');
  t.after(close);
  const catalogue = new Catalogue(database);
  const accounts = new IngestAccounts(database, catalogue, new ClockViews(), MAX);
  const { userId } = await newAccount(database, { id: 'a' });
  for (const id of ['b', 'c', 'd', 'e', 'f', 'g']) await newAccount(database, { userId, id });
  const lookNow = (id: string) => accounts.find(userId, AccountIds.of([id]));
  const look = async (...ids: string[]) => {
    await catalogue.refresh();
    return accounts.find(userId, AccountIds.of(ids));
  };
  const find = async (...ids: string[]) => (await look(...ids)).map((account) => account?.id);
  const remove = async (id: string) => {
    const [account] = await lookNow(id);
    await database.transaction((tx) => removeAccount(tx, account?.number ?? 0, 1));
  };
  const change = async (id: string) => {
    const account = await findAccount(database, userId, id);
    assert.ok(account);
    await database.transaction((tx) => updateAccountRow(tx, { ...account, name: 'new' }));
  };
  return { database, lookNow, look, find, remove, change };
}

it('finds all accounts of a request, even if they evict each other', async (t) => {
  const { find } = await remembering(t);
  await find('a', 'b');
  await find('c', 'd');
  assert.deepEqual(await find('a', 'b'), ['a', 'b']);
  assert.deepEqual(await find('d', 'c', 'b', 'a'), ['d', 'c', 'b', 'a']);
});

it('forgets a deleted account, however many others have come since', async (t) => {
  const { find, remove } = await remembering(t);
  for (const other of ['b', 'c', 'd', 'e', 'f', 'g']) {
    await find('a');
    await find(other);
  }
  await remove('a');
  assert.deepEqual(await find('a'), [undefined]);
});

it('keeps one newest moment of an account that requests look up while it is looked up', async (t) => {
  const { database, lookNow, look } = await remembering(t);
  let second: ReturnType<typeof lookNow> | undefined;
  const all = database.all.bind(database);
  t.mock.method(database, 'all', (sql: string, params: string[]) => {
    if (sql.includes('last_utc_ms')) second ??= lookNow('a');
    return all(sql, params);
  });
  const [one] = await look('a');
  const [two] = (await second) ?? [];
  assert.ok(one && two);
  one.newest.utcMs = 5;
  assert.equal(two.newest.utcMs, 5);
  assert.equal((await look('a'))[0]?.newest.utcMs, 5);
});

it('keeps the newest moment of an account that is changed, and what requests hold of it', async (t) => {
  const { look, change } = await remembering(t);
  const [before] = await look('a');
  assert.ok(before);
  before.newest.utcMs = 5;
  await change('a');
  const [after] = await look('a');
  assert.notEqual(after, before);
  assert.equal(after?.newest.utcMs, 5);
  before.newest.utcMs = 6;
  assert.equal(after?.newest.utcMs, 6);
});
