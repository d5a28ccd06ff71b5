import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { deal, newAccount, newUser } from '../../../test/storage-contract/fixture.ts';
import { DAY_MS, HOUR_MS } from '../../domain/broker-time.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { TradeComputer } from '../../histories/trade-computer.ts';
import { insertNewDeals } from '../../ingest/store-deals.ts';
import type { Principal } from '../context.ts';
import { LastingMetrics } from './lasting-metrics.ts';
import { readMetrics } from './read-metrics.ts';

const START_MS = Date.UTC(2026, 2, 2, 9);
/** For an account without snapshots. */
const live = { read: async () => undefined } as unknown as LiveReader;

it('counts the days since trading started as of each question, also within a day', async (t) => {
  const stored = await openTestDatabase('sqlite');
  t.after(() => stored.close());
  const { database } = stored;
  let nowMs = START_MS;
  const context = await testContext(database, { now: () => nowMs });
  const userId = await newUser(database);
  const clock = { zone: 'UTC', shiftHours: 0 };
  const account = await newAccount(database, { userId, brokerClock: clock });
  const position = { positionId: '1', symbol: 'EURUSD', volume: 100_000_000 };
  await database.transaction((tx) =>
    insertNewDeals(tx, account.number, [
      deal('in', START_MS, { ...position, type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN' }),
      deal('out', START_MS + HOUR_MS, {
        ...{ ...position, type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT', profit: 50_000 },
      }),
    ]),
  );
  await context.catalogue.refresh();
  const trades = new TradeComputer(context);
  const parts = { ...context, trades, live, lasting: new LastingMetrics() };
  const principal: Principal = {
    userId,
    tokenId: 't',
    scopes: new Set(),
    accountNumbers: undefined,
  };
  const askAt = async (atMs: number) => {
    nowMs = atMs;
    const answer = await readMetrics(parts, principal, account.id, { includeOpenPositions: false });
    assert.ok(answer.ready);
    const { daysSinceTradingStarted, tradesPerDay } = JSON.parse(
      String(Buffer.concat(answer.body)),
    );
    return [daysSinceTradingStarted, tradesPerDay];
  };
  const turnMs = START_MS + 2 * DAY_MS;
  assert.deepEqual(await askAt(turnMs - 1), [1, 0.5]);
  assert.deepEqual(await askAt(turnMs), [2, 1 / 3]);
  assert.deepEqual(await askAt(turnMs - 1), [1, 0.5], 'by a clock that was set back');
  await trades.settle();
});
