import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { DealRecord } from '../../src/ingest/read-deals.ts';
import { recordDeals } from '../../src/services/deals/record-deals.ts';
import { type Account, removeAccount } from '../../src/storage/account-store.ts';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { LiveProcess, type Snapshot } from './live-process.ts';

/** More rows than one transaction takes: see ROWS_PER_ENTRY. */
const MANY_ROWS = 2001;

/**
 * A process that stores what comes, and whose journal goes away after some commits: what was stored
 * waits for its place, as with a stream that cannot be reached, and so does the answer.
 */
async function losingJournal(t: TestContext, commits = 0) {
  const { database, close } = await openTestDatabase('sqlite');
  t.after(close);
  const process = await LiveProcess.open(database);
  const account = await newAccount(database);
  let left = commits;
  const away = async (): Promise<void> => {
    left -= 1;
    if (left < 0) throw new DatabaseUnavailable('the journal is away');
  };
  t.mock.method(process.journal, 'release', away);
  t.mock.method(process.journal, 'settle', away);
  const isBack = (): void => {
    left = Number.POSITIVE_INFINITY;
  };
  return { process, account, isBack };
}

/** Sends something three times: it is answered when the journal is back, and not before. */
async function sendAgain<T>(send: () => Promise<T>, isBack: () => void): Promise<T> {
  await assert.rejects(send(), DatabaseUnavailable);
  await assert.rejects(send(), DatabaseUnavailable);
  isBack();
  return send();
}

const rowsOf = (account: Account, rows: number): Snapshot[] =>
  Array.from({ length: rows }, (_, row) => ({
    ...{ account, timeMs: Date.UTC(2026, 2, 2) + row, balance: 1 },
  }));

it('deals that are sent again are answered when those sent before have their place', async (t) => {
  const { process, account, isBack } = await losingJournal(t);
  const { userId, id } = account;
  const principal = { userId, tokenId: 't', scopes: new Set<never>(), accountIds: undefined };
  const deal = { id: 'd', type: 'DEAL_TYPE_BALANCE', profit: 1, brokerTime: '2026-03-02 10:00:00' };
  const send = () => recordDeals(process.context, principal, id, [deal as DealRecord]);
  assert.deepEqual(await sendAgain(send, isBack), { accepted: 0, duplicates: 1 });
});

for (const [rows, commits] of [
  [1, 0],
  [MANY_ROWS, 1],
] as const)
  it(`so are ${rows} snapshots with a key`, async (t) => {
    const { process, account, isBack } = await losingJournal(t, commits);
    const send = () => process.send(account.userId, rowsOf(account, rows), 'key');
    assert.deepEqual(await sendAgain(send, isBack), { accepted: rows, late: 0 });
  });

it('so are snapshots with a key whose account was deleted meanwhile', async (t) => {
  const { process, account, isBack } = await losingJournal(t);
  const send = () => process.send(account.userId, rowsOf(account, 1), 'key');
  await assert.rejects(send(), DatabaseUnavailable);
  await process.database.transaction((tx) => removeAccount(tx, account.number, 1));
  assert.deepEqual(await sendAgain(send, isBack), { accepted: 1, late: 0 });
});
