import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareDeals, type Deal } from '../../src/domain/deal.ts';
import { insertNewDeals } from '../../src/ingest/store-deals.ts';
import { computeTrades } from '../../src/services/trades/compute-trades.ts';
import type { Database } from '../../src/storage/database.ts';
import { noteDealsChanged, readHistory, saveFold } from '../../src/storage/history-store.ts';
import {
  readChunks,
  readChunksFrom,
  replaceChunks,
  TRADES_PER_CHUNK,
  TradeChunk,
  type TradeItem,
} from '../../src/storage/trade-store.ts';
import { fc } from '../properties.ts';
import { testContext } from '../servers/test-context.ts';
import { deal, newAccount, newNumber, useDatabase } from './fixture.ts';

const RUNS = 15;
const NOTHING = {
  dealVersion: 0,
  tradeVersion: 0,
  mustRebuild: false,
  last: undefined,
  foldState: undefined,
  tradeCount: 0,
};

const item = (closeTimeMs: number, id: string): TradeItem => ({
  closeTimeMs,
  id,
  json: Buffer.from(JSON.stringify({ _id: `account+${id}`, comment: 'é'.repeat(id.length) })),
});

/** Full chunks but the last, of trades that closed at the times. */
function chunksOf(times: number[]): TradeChunk[] {
  const items = times.map((time, index) => item(time, String(index)));
  return Array.from({ length: Math.ceil(items.length / TRADES_PER_CHUNK) }, (_, number) => {
    const start = number * TRADES_PER_CHUNK;
    return TradeChunk.of(number, items.slice(start, start + TRADES_PER_CHUNK));
  });
}

export function registerTradeContract(kind: Database['kind']): void {
  describe('history store', () => registerHistory(useDatabase(kind)));
  describe('trade store', () => registerTrades(useDatabase(kind)));
}

type Used = ReturnType<typeof useDatabase>;

function registerHistory(use: Used): void {
  it('starts with nothing, and counts every change of the deals', async () => {
    const accountNumber = newNumber();
    assert.deepEqual(await readHistory(use.database, accountNumber), NOTHING);
    for (const dealVersion of [1, 2]) {
      await use.database.transaction((tx) => noteDealsChanged(tx, accountNumber, false));
      assert.deepEqual(await readHistory(use.database, accountNumber), { ...NOTHING, dealVersion });
    }
  });

  it('asks for a rebuild until a fold is saved, whatever comes between', async () => {
    const accountNumber = newNumber();
    for (const mustRebuild of [true, false]) {
      await use.database.transaction((tx) => noteDealsChanged(tx, accountNumber, mustRebuild));
      assert.equal((await readHistory(use.database, accountNumber)).mustRebuild, true);
    }
    const last = { timeMs: -5, id: 'last' };
    const fold = { tradeVersion: 2, last, foldState: '{"a":1}', tradeCount: 7 };
    await use.database.transaction((tx) => saveFold(tx, accountNumber, fold));
    assert.deepEqual(await readHistory(use.database, accountNumber), {
      dealVersion: 2,
      mustRebuild: false,
      ...fold,
    });
  });
}

function registerTrades(use: Used): void {
  const store = async (accountNumber: number, from: number, chunks: TradeChunk[]): Promise<void> =>
    use.database.transaction((tx) => replaceChunks(tx, accountNumber, from, chunks));
  const numbers = (chunks: TradeChunk[]): number[] => chunks.map((chunk) => chunk.chunkNumber);

  it('gives back chunks byte by byte, and replaces them from a number on', async () => {
    const accountNumber = newNumber();
    const chunks = chunksOf(Array.from({ length: 600 }, (_, index) => index));
    await store(accountNumber, 0, chunks);
    const read = await readChunks(use.database, accountNumber, 0, 10);
    assert.deepEqual(numbers(read), [0, 1, 2]);
    read.forEach((chunk, index) => {
      assert.deepEqual(chunk.body, chunks[index]?.body);
      assert.deepEqual(chunk.items(), chunks[index]?.items());
    });
    assert.deepEqual(numbers(await readChunks(use.database, accountNumber, 1, 1)), [1]);
    await store(
      accountNumber,
      1,
      chunksOf([1000]).map((chunk) => new TradeChunk(1, chunk.body, new Float64Array([1000, 0]))),
    );
    assert.deepEqual(numbers(await readChunks(use.database, accountNumber, 0, 10)), [0, 1]);
  });

  it('finds the chunk where a range begins, also when many trades close at once', async () => {
    const accountNumber = newNumber();
    // 100 trades at 1, 600 at 2 (chunks 0 to 2), 50 at 3.
    const times = [...Array(100).fill(1), ...Array(600).fill(2), ...Array(50).fill(3)] as number[];
    await store(accountNumber, 0, chunksOf(times));
    for (const [timeMs, expected] of [
      [Number.MIN_SAFE_INTEGER, 0],
      [1, 0],
      [2, 100],
      [3, 700],
      [4, 750],
    ] as const) {
      const [chunk] = await readChunksFrom(use.database, accountNumber, timeMs, 1);
      const chunks = await readChunksFrom(use.database, accountNumber, timeMs, 100);
      const before = chunks.reduce((sum, each) => sum + each.countBefore(timeMs), 0);
      assert.equal((chunk?.chunkNumber ?? 0) * TRADES_PER_CHUNK + before, expected, `${timeMs}`);
    }
  });

  it('holds the same bytes whether trades were added batch by batch or computed anew', async () => {
    const context = await testContext(use.database);
    await fc.assert(
      fc.asyncProperty(history(), async ({ deals, cuts }) => {
        const account = await newAccount(use.database);
        const { number } = account;
        let start = 0;
        for (const end of [...cuts, deals.length]) {
          const batch = deals.slice(start, end);
          await use.database.transaction((tx) => insertNewDeals(tx, number, batch));
          await computeTrades(context, account);
          start = end;
        }
        const added = await stored(use.database, number);
        await use.database.transaction((tx) => noteDealsChanged(tx, number, true));
        await computeTrades(context, account);
        assert.deepEqual(await stored(use.database, number), added);
        assert.equal(added.tradeCount, deals.length / 2);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
}

async function stored(database: Database, accountNumber: number) {
  const chunks = await readChunks(database, accountNumber, 0, 1000);
  const { tradeCount } = await readHistory(database, accountNumber);
  const texts = chunks.map(({ body }) => body.toString());
  const marks = chunks.map((chunk) => chunk.encodedMarks().toString('hex'));
  const full = chunks.slice(0, -1).every(({ count }) => count === TRADES_PER_CHUNK);
  assert.ok(full, 'all chunks but the last are full');
  const items = chunks.flatMap((chunk) => chunk.items());
  for (const [index, each] of items.entries()) {
    const next = items[index + 1];
    assert.ok(!next || compareDeals(asDeal(each), asDeal(next)) < 0, 'close time, then id');
  }
  return { texts, marks, tradeCount };
}

const asDeal = ({ closeTimeMs, id }: TradeItem) => ({ timeMs: closeTimeMs, id });

/** Positions that open and close, many of them at the same moments, and where batches end. */
function history(): fc.Arbitrary<{ deals: Deal[]; cuts: number[] }> {
  const moments = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 200, maxLength: 700 });
  const cut = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
  return fc.tuple(moments, cut).map(([times, shares]) => {
    const deals = times.flatMap((moment, position) => {
      const positionId = `${(position * 7919) % 1009}`;
      const common = { positionId, symbol: 'EURUSD', volume: 1e6, price: 1.1 };
      const opened = deal(`${position * 2 + 1}`, 0, {
        ...common,
        type: 'DEAL_TYPE_BUY',
        entry: 'DEAL_ENTRY_IN',
      });
      const closed = deal(`${10_000 + position}`, moment, {
        ...common,
        type: 'DEAL_TYPE_SELL',
        entry: 'DEAL_ENTRY_OUT',
        profit: position,
      });
      return [opened, closed];
    });
    const cuts = shares.map((share) => Math.floor(share * deals.length)).sort((a, b) => a - b);
    return { deals: deals.sort(compareDeals), cuts };
  });
}
