import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { deal, newAccount } from '../../../test/storage-contract/fixture.ts';
import type { Deal } from '../../domain/deal.ts';
import { findDeals, insertDeals } from '../../storage/deal-store.ts';
import { type Admitted, Witnesses } from './witnesses.ts';

const MINUTE_MS = 60_000;

const trade = (id: string, entry: 'IN' | 'OUT', profit: number): Deal =>
  deal(id, entry === 'IN' ? MINUTE_MS : 2 * MINUTE_MS, {
    ...{ positionId: '701', symbol: 'EURUSD', volume: 100, price: 1.1, profit },
    ...{ type: 'DEAL_TYPE_BUY', entry: `DEAL_ENTRY_${entry}` },
  });

it('a page that is stored at the second attempt is compared as at the first', async (t) => {
  const { database, close } = await openTestDatabase('sqlite');
  t.after(close);
  const account = await newAccount(database);
  const rows = [trade('701-in', 'IN', 0), trade('701-out', 'OUT', 500)];
  await database.transaction((tx) => insertDeals(tx, account.number, rows, 1));
  const witnesses = new Witnesses(account, 2);
  const page = [trade('9001', 'IN', 0), trade('9002', 'OUT', 99_000)];
  const attempts: [Admitted, conflicts: number, left: Deal[]][] = [];
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const rolledBack = database.transaction(async (tx) => {
      const admitted = await witnesses.admit(tx, page);
      const left = await findDeals(tx, account.number, ['701-in', '701-out']);
      attempts.push([admitted, witnesses.conflicts.length, left]);
      throw new Error('a deadlock');
    });
    await assert.rejects(rolledBack, /a deadlock/);
  }
  const [first, second] = attempts;
  assert.deepEqual(first?.[0].fresh, page);
  assert.ok((first?.[1] ?? 0) > 0, 'they differ in the profit');
  assert.equal(first?.[2].length, 2, 'the rows stay until all deals are stored');
  assert.deepEqual(second, first);
});
