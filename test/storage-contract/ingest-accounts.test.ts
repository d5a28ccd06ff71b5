import assert from 'node:assert/strict';
import { it } from 'node:test';
import { IngestAccounts } from '../../src/ingest/ingest-accounts.ts';
import { AccountIds } from '../../src/ingest/snapshot-columns.ts';
import { removeAccount } from '../../src/storage/account-store.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { newAccount } from './fixture.ts';

const MAX = 4;

async function remembering(t: { after(end: () => Promise<void>): void }) {
  const { database, close } = await openTestDatabase('sqlite');
  t.after(close);
  const catalogue = new Catalogue(database);
  const accounts = new IngestAccounts(database, catalogue, MAX);
  const { userId } = await newAccount(database, { id: 'a' });
  for (const id of ['b', 'c', 'd', 'e', 'f', 'g']) await newAccount(database, { userId, id });
  const find = async (...ids: string[]) => {
    await catalogue.refresh();
    const found = await accounts.find(userId, AccountIds.of(ids));
    return found.map((account) => account?.id);
  };
  const remove = async (id: string) => {
    const [account] = await accounts.find(userId, AccountIds.of([id]));
    await database.transaction((tx) => removeAccount(tx, account?.number ?? 0, 1));
  };
  return { find, remove };
}

it('finds all accounts of a request, though they make each other be forgotten', async (t) => {
  const { find } = await remembering(t);
  await find('a', 'b');
  await find('c', 'd');
  assert.deepEqual(await find('a', 'b'), ['a', 'b']);
  assert.deepEqual(await find('d', 'c', 'b', 'a'), ['d', 'c', 'b', 'a']);
});

it('forgets an account that is deleted, however many others have come since', async (t) => {
  const { find, remove } = await remembering(t);
  for (const other of ['b', 'c', 'd', 'e', 'f', 'g']) {
    await find('a');
    await find(other);
  }
  await remove('a');
  assert.deepEqual(await find('a'), [undefined]);
});
