import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { updateAccount } from '../../src/services/accounts/update-account.ts';
import { recordDeals } from '../../src/services/deals/record-deals.ts';
import type { Account } from '../../src/storage/account-store.ts';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { principalOf } from '../simulator/calls.ts';
import { SETTINGS } from '../simulator/clients.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { LiveProcess, type Snapshot } from './live-process.ts';

const KEY = 'key-of-the-request';
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 2, 2, 10);
/** More deals than are stored in one transaction. */
const MANY_DEALS = 501;

/**
 * A journal outside of the database may lack the data of a transaction, if the process died before
 * publishing them. A repeated request must not be acknowledged before the journal has them: later
 * data would overtake them.
 */
describe('data stored before are acknowledged only when the journal has them', () => {
  for (const [size, count] of Object.entries({ 'some deals': 1, 'many deals': MANY_DEALS })) {
    it(`snapshots with a key and ${size}`, async (t) => {
      const { process, account } = await start(t);
      const send = () => process.send(account.userId, [snapshotOf(account, count)], KEY);
      await askTwice(process, send, { accepted: 1, late: 0 });
    });
  }

  it('snapshots with a key of an account that has gone since', async (t) => {
    const { process, account } = await start(t);
    const send = () => process.send(account.userId, [snapshotOf(account, 1)], KEY);
    await send();
    await process.removeAccount(account);
    await askTwice(process, send, { accepted: 1, late: 0 });
  });

  it('deals that were sent alone', async (t) => {
    const { process, account } = await start(t);
    const deal = { id: 'deal', type: 'DEAL_TYPE_BALANCE', profit: 1 } as const;
    const send = () =>
      recordDeals(process.context, principalOf(account.userId), account.id, [
        { ...deal, brokerTime: formatBrokerTime(START_MS) },
      ]);
    await askTwice(process, send, { accepted: 0, duplicates: 1 });
  });

  it('a clock', async (t) => {
    const { process, account } = await start(t);
    const brokerClock = { zone: 'Asia/Tokyo', shiftHours: 0 };
    const send = async () => {
      const context = { ...process.context, ...SETTINGS };
      const change = { brokerClock };
      const { id, userId } = account;
      return (await updateAccount(context, principalOf(userId), id, change)).brokerClock;
    };
    await askTwice(process, send, brokerClock);
  });

  async function start(t: TestContext) {
    const { database, close } = await openTestDatabase('sqlite');
    t.after(close);
    const process = await LiveProcess.open(database);
    return { process, account: await newAccount(database) };
  }

  const snapshotOf = (account: Account, count: number): Snapshot => ({
    ...{ account, timeMs: START_MS + MINUTE_MS, balance: 10_000 },
    deals: Array.from({ length: count }, (_, index) => ({ id: `deal-${index}`, profit: 1 })),
  });

  async function askTwice(
    { journal }: LiveProcess,
    send: () => Promise<unknown>,
    kept: unknown,
  ): Promise<void> {
    await send();
    const { release } = journal;
    journal.release = async () => {
      throw new DatabaseUnavailable('The journal is away');
    };
    await assert.rejects(send(), DatabaseUnavailable);
    journal.release = release;
    assert.deepEqual(await send(), kept);
  }
});
