import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/servers/test-databases.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { TradeComputer } from '../../histories/trade-computer.ts';
import { importStatement } from './import-statement.ts';

const FILE = new URL('../../demo/statements/p4-statement.htm', import.meta.url);
const BY = { actor: 'user:somebody', tokenId: 'token' };

let opened: TestDatabase;
before(async () => {
  opened = await openTestDatabase('sqlite');
});
after(() => opened.close());

it('tells the sender of a file that a busy machine did not read in time when and how to send it again', async () => {
  const context = await testContext(opened.database);
  const account = await newAccount(opened.database);
  const trades = new TradeComputer(context);
  const options = { force: false, adopt: true, limits: { readMs: 1 } };
  await assert.rejects(
    importStatement({ ...context, trades }, BY, account, readFileSync(FILE), options),
    {
      code: 'unavailable',
      retryAfterSeconds: 60,
      message: /not read within 0.001 seconds.* Send the file again later, or export a shorter/,
    },
  );
});
