import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../../test/needs.ts';
import { openTestDatabase, type TestDatabase } from '../../test/servers/test-databases.ts';
import { deal, newAccount } from '../../test/storage-contract/fixture.ts';
import { insertNewDeals } from './store-deals.ts';

needs('postgres');

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`deals with texts that no database keeps, on ${kind}`, () => {
    let opened: TestDatabase;
    before(async () => {
      opened = await openTestDatabase(kind);
    });
    after(() => opened.close());

    const idsOfNew = async (number: number, texts: readonly string[]) => {
      const deals = texts.map((text) => deal(text, 0, { comment: text }));
      const stored = await opened.database.transaction((tx) => insertNewDeals(tx, number, deals));
      return stored.map(({ id }) => id);
    };

    it('are stored without NUL and halves of characters, and recognised when repeated', async () => {
      const { number } = await newAccount(opened.database);
      assert.deepEqual(await idsOfNew(number, ['1\0', '2\ud83d']), ['1', '2\ufffd']);
      assert.deepEqual(await idsOfNew(number, ['1\0', '2\ud83d']), []);
    });
  });
}
