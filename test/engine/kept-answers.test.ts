import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { LiveProcess, type Snapshot } from './live-process.ts';

const KEY = 'key-of-the-request';
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 2, 2, 10);
/** More deals than are stored in one transaction. */
const MANY_DEALS = 501;

const away = async (): Promise<never> => {
  throw new DatabaseUnavailable('The journal is away');
};

/**
 * A journal outside of the database may have none of what a transaction stored. Whoever asks again
 * must not be told that it is done before it has.
 */
describe('the answer that was kept of a request with a key', () => {
  const cases = { small: 1, 'of many deals': MANY_DEALS };
  for (const [size, deals] of Object.entries(cases)) {
    it(`is given again when the journal has what the request brought, ${size}`, async (t) => {
      const { process, send } = await start(t, deals);
      const { release } = process.journal;
      await send();
      process.journal.release = away;
      await assert.rejects(send(), DatabaseUnavailable);
      process.journal.release = release;
      assert.deepEqual(await send(), { accepted: 1, late: 0 });
    });
  }

  it('is given so too when an account of the request has gone since', async (t) => {
    const { process, account, send } = await start(t, 1);
    const { release } = process.journal;
    await send();
    await process.removeAccount(account);
    process.journal.release = away;
    await assert.rejects(send(), DatabaseUnavailable);
    process.journal.release = release;
    assert.deepEqual(await send(), { accepted: 1, late: 0 });
  });

  async function start(t: { after: (end: () => unknown) => void }, deals: number) {
    const { database, close } = await openTestDatabase('sqlite');
    t.after(close);
    const process = await LiveProcess.open(database);
    const account = await newAccount(database);
    const snapshot: Snapshot = {
      ...{ account, timeMs: START_MS + MINUTE_MS, balance: 10_000 },
      deals: Array.from({ length: deals }, (_, index) => ({ id: `deal-${index}`, profit: 1 })),
    };
    return { process, account, send: () => process.send(account.userId, [snapshot], KEY) };
  }
});
