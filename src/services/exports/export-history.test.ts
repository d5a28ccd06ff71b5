import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testContext } from '../../../test/servers/test-context.ts';
import { deal, newAccount, useDatabase } from '../../../test/storage-contract/fixture.ts';
import type { Deal } from '../../domain/deal.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { TradeComputer } from '../../histories/trade-computer.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Database } from '../../storage/database.ts';
import { insertDeals } from '../../storage/deal-store.ts';
import { noteDealsChanged } from '../../storage/history-store.ts';
import { TRADES_PER_CHUNK } from '../../storage/trade-store.ts';
import type { Principal } from '../context.ts';
import { LastingMetrics } from '../metrics/lasting-metrics.ts';
import { exportHistory } from './export-history.ts';

const TRADES = 2 * TRADES_PER_CHUNK + 1;
const SECOND_MS = 1000;

describe('a file of trades', () => {
  const opened = useDatabase('sqlite');

  it('has no trade that closes while it is taken', async () => {
    const world = await newWorld(opened);
    const taken = await world.take(() => world.store([...trade(TRADES)], false));
    assert.equal(taken.length, TRADES);
  });

  it('ends with a conflict if trades are computed anew meanwhile, and finished', async () => {
    const world = await newWorld(opened);
    const withEarlier = world.take(() => world.store([...trade(-1)], true));
    await assert.rejects(withEarlier, { code: 'conflict' });
  });
});

/** A position of one second, opened so many seconds after the first. */
const trade = (second: number): Deal[] => {
  const openTimeMs = (second + 10) * 2 * SECOND_MS;
  const about = { positionId: `p${second}`, symbol: 'EURUSD', volume: 100, price: 1.1 };
  return [
    deal(`${second}-a`, openTimeMs, { ...about, type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN' }),
    deal(`${second}-b`, openTimeMs + SECOND_MS, {
      ...{ ...about, profit: 100 },
      ...{ type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT' },
    }),
  ];
};

async function newWorld({ database }: { database: Database }) {
  const context = await testContext(database);
  const account: Account = await newAccount(database);
  const trades = new TradeComputer(context);
  const store = async (deals: Deal[], isLate: boolean): Promise<void> => {
    await database.transaction(async (tx) => {
      await insertDeals(tx, account.number, deals, undefined);
      await noteDealsChanged(tx, account.number, isLate);
    });
    while (!(await trades.current(account)).ready);
  };
  await store(Array.from({ length: TRADES }, (_, n) => trade(n)).flat(), false);
  /** The exported trades, if something happens after the first page of them. */
  const take = async (meanwhile: () => Promise<void>): Promise<unknown[]> => {
    const live = {} as LiveReader;
    const parts = { ...context, trades, lasting: new LastingMetrics(), live };
    const principal = { userId: account.userId, tokenId: 'token' } as Principal;
    const query = { what: 'trades', format: 'json', locale: 'en' } as const;
    const file = await exportHistory(parts, principal, account.id, query);
    assert.ok(file.ready);
    let text = '';
    for await (const part of file.parts) {
      if (text === '') await meanwhile();
      text += part;
    }
    return JSON.parse(text);
  };
  return { store, take };
}
