import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Account, removeAccount } from '../../src/storage/account-store.ts';
import { type Database, UniqueViolation } from '../../src/storage/database.ts';
import { findMarket, saveMarket } from '../../src/storage/market-store.ts';
import { findQuote, replaceQuotes } from '../../src/storage/quote-store.ts';
import { deleteOldReceipts, findReceipt, insertReceipt } from '../../src/storage/receipt-store.ts';
import {
  findUserByEmail,
  findUserRow,
  insertUser,
  listUserRows,
  type User,
} from '../../src/storage/user-store.ts';
import { newAccount, newNumber, newUser, useDatabase } from './fixture.ts';

type Used = ReturnType<typeof useDatabase>;

export function registerIngestContract(kind: Database['kind']): void {
  describe('receipt store', () => registerReceipts(useDatabase(kind)));
  describe('market store', () => registerMarkets(useDatabase(kind)));
  describe('quote store', () => registerQuotes(useDatabase(kind)));
  describe('user store', () => registerUsers(useDatabase(kind)));
}

function registerReceipts(use: Used): void {
  it('gives back the answer of a user and key, and takes none over', async () => {
    const [one, two] = [await newUser(use.database), await newUser(use.database)];
    const receipt = { bodyHash: 'hash', answer: '{"accepted":1,"late":0}' };
    await insertReceipt(use.database, one, 'key é', receipt, 10);
    assert.deepEqual(await findReceipt(use.database, one, 'key é'), receipt);
    assert.equal(await findReceipt(use.database, two, 'key é'), undefined);
    const again = insertReceipt(use.database, one, 'key é', { ...receipt, answer: '{}' }, 11);
    await assert.rejects(again, UniqueViolation);
    assert.deepEqual(await findReceipt(use.database, one, 'key é'), receipt);
  });

  it('forgets those from before a time, some at a time', async () => {
    const userId = await newUser(use.database);
    const keep = (count: number, atMs: number): Promise<number> =>
      use.database.run(
        `insert into ingest_receipt (user_id, idempotency_key, body_hash, answer, at_ms)
         with recursive key (number) as
           (select 1 union all select number + 1 from key where number < ${count})
         select '${userId}', '${atMs} ' || number, '', '', ${atMs} from key`,
      );
    const left = async (): Promise<number> => {
      const sql = 'select count(*) as receipts from ingest_receipt where user_id = $1';
      const row = await use.database.get<{ receipts: number }>(sql, [userId]);
      return row?.receipts ?? 0;
    };
    await keep(700, 5);
    await keep(2, 20);
    assert.equal(await deleteOldReceipts(use.database, 10), true);
    assert.equal(await left(), 202);
    assert.equal(await deleteOldReceipts(use.database, 10), false);
    assert.equal(await left(), 2);
    assert.ok(await findReceipt(use.database, userId, '20 1'));
  });
}

function registerMarkets(use: Used): void {
  it('gives back what was saved last, of one account', async () => {
    const number = newNumber();
    const quotes = [{ symbol: 'EURUSD', bid: 1.1, ask: 1.2, brokerTime: '2026-03-02 10:00:00' }];
    assert.equal(await findMarket(use.database, number), undefined);
    await saveMarket(use.database, number, { symbols: [], quotes }, 1);
    await saveMarket(use.database, newNumber(), { symbols: [], quotes: [] }, 2);
    assert.deepEqual(await findMarket(use.database, number), { symbols: [], quotes });
    await saveMarket(use.database, number, { symbols: [], quotes: [] }, 3);
    assert.deepEqual(await findMarket(use.database, number), { symbols: [], quotes: [] });
  });
}

function registerQuotes(use: Used): void {
  const quote = { base: 'EUR', profit: 'USD', symbol: 'EURUSD', bid: 1.1, ask: 1.2, quotedAtMs: 5 };

  it("finds a user's newest quote of a pair, of equally new ones that of the older account", async () => {
    const first = await newAccount(use.database);
    const { userId } = first;
    const accounts = [first, await newAccount(use.database, { userId })];
    const [older, younger] = accounts.sort((a, b) => a.number - b.number);
    assert.ok(older && younger);
    const other = await newAccount(use.database);
    const save = (account: Account, quotedAtMs: number, ...more: string[]) =>
      use.database.transaction((tx) =>
        replaceQuotes(
          tx,
          account,
          ['USD', ...more].map((profit) => ({ ...quote, profit, quotedAtMs })),
        ),
      );
    const find = (of = userId, among?: number[], profit = 'USD') =>
      findQuote(use.database, of, ['EUR', profit], among && new Set(among));
    assert.equal(await find(), undefined);
    for (const account of [younger, older]) await save(account, 5, 'JPY');
    await save(other, 9);
    const expected = { ...quote, ...{ userId, accountNumber: older.number, accountId: older.id } };
    assert.deepEqual(await find(), expected);
    assert.equal((await find(userId, [younger.number]))?.accountId, younger.id);
    assert.equal(await find(userId, [other.number]), undefined);
    await save(younger, 6);
    assert.equal((await find())?.accountId, younger.id);
    assert.equal((await find(userId, undefined, 'JPY'))?.accountId, older.id);
    await save(older, 1);
    assert.equal(await find(userId, undefined, 'JPY'), undefined);
    await use.database.transaction((tx) => removeAccount(tx, younger.number, 1));
    assert.equal((await find())?.quotedAtMs, 1);
  });
}

function registerUsers(use: Used): void {
  it('finds a user by id and by the exact e-mail address, and takes no address twice', async () => {
    const id = await newUser(use.database);
    const named: User = { id: `${id}-2`, email: `é-${id}@x.example`, name: 'Né', createdAtMs: 9 };
    await insertUser(use.database, named);
    assert.deepEqual(await findUserRow(use.database, named.id), named);
    assert.deepEqual(await findUserByEmail(use.database, named.email), named);
    assert.equal(await findUserByEmail(use.database, `%${id}@x.example`), undefined);
    const twin = { ...named, id: `${id}-3` };
    await assert.rejects(insertUser(use.database, twin), UniqueViolation);
    assert.equal(await findUserRow(use.database, twin.id), undefined);
  });

  it('lists a page in the order of creation', async () => {
    const ids: string[] = [];
    for (const [index, at] of [3, 1, 2].entries()) {
      const id = `page-${index}`;
      const email = `${id}@example.com`;
      await insertUser(use.database, { id, email, name: null, createdAtMs: -at });
      ids[3 - at] = id;
    }
    const page = async (limit: number, offset: number) =>
      (await listUserRows(use.database, limit, offset)).map(({ id }) => id);
    assert.deepEqual([...(await page(2, 0)), ...(await page(1, 2))], ids);
  });
}
