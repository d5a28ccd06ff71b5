import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/broker-time.ts';
import { compareDeals, type Deal } from '../../src/domain/deal.ts';
import type { TradePart } from '../../src/domain/metrics/counted-trade.ts';
import { countTrade, createPartState } from '../../src/domain/metrics/part-state.ts';
import { computeTrades, type SliceFolder } from '../../src/histories/compute-trades.ts';
import { foldSlice } from '../../src/histories/fold-slice.ts';
import { forEachTrade, readPart } from '../../src/histories/read-part.ts';
import { insertNewDeals } from '../../src/ingest/store-deals.ts';
import type { Database } from '../../src/storage/database.ts';
import { readGrowthDays } from '../../src/storage/growth-day-store.ts';
import {
  noteDealsChanged,
  readFoldTexts,
  readHistory,
  saveFold,
} from '../../src/storage/history-store.ts';
import {
  deleteChunksFrom,
  readChunks,
  readChunksFrom,
  replaceChunks,
  TRADES_PER_CHUNK,
  TradeChunk,
  type TradeItem,
} from '../../src/storage/trade-store.ts';
import { fc } from '../properties.ts';
import { testContext } from '../servers/test-context.ts';
import { countedTrade } from './counted-trade.fixture.ts';
import { deal, newAccount, newNumber, useDatabase } from './fixture.ts';

const RUNS = 15;
const NOTHING = {
  dealVersion: 0,
  tradeVersion: 0,
  isSettled: true,
  mustRebuild: false,
  rebuilds: 0,
  last: undefined,
  tradeCount: 0,
  unstagedDeals: 0,
};

const item = (closeTimeMs: number, id: string): TradeItem => ({
  closeTimeMs,
  id,
  json: Buffer.from(JSON.stringify({ _id: `account+${id}`, comment: 'é'.repeat(id.length) })),
  counted: countedTrade({ id, closeTimeMs }),
});

/** Full chunks but the last, of trades that closed at the times. */
function chunksOf(times: number[]): TradeChunk[] {
  const items = times.map((time, index) => item(time, String(index)));
  return Array.from({ length: Math.ceil(items.length / TRADES_PER_CHUNK) }, (_, number) => {
    const start = number * TRADES_PER_CHUNK;
    return TradeChunk.of(number, items.slice(start, start + TRADES_PER_CHUNK));
  });
}

/** Each deal is a trade by itself: a sale closes what was bought. */
const isAsked = (one: Deal, { fromMs = 0, toMs = Infinity, ...part }: TradePart): boolean =>
  one.timeMs >= fromMs &&
  one.timeMs < toMs &&
  part.side !== 'sell' &&
  (part.symbol ?? one.symbol) === one.symbol &&
  (part.magic ?? one.magic) === one.magic &&
  (one.comment ?? '').toLowerCase().includes((part.comment ?? '').toLowerCase());

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
    const fold = { tradeVersion: 2, last, tradeCount: 7, unstagedDeals: 3 };
    const texts = { foldState: '{"a":1}', metricsState: '{"b":2}' };
    assert.equal(await readFoldTexts(use.database, accountNumber), undefined);
    await use.database.transaction((tx) => saveFold(tx, accountNumber, { ...fold, ...texts }));
    assert.deepEqual(await readFoldTexts(use.database, accountNumber), texts);
    assert.deepEqual(await readHistory(use.database, accountNumber), {
      dealVersion: 2,
      isSettled: true,
      mustRebuild: false,
      rebuilds: 1,
      ...fold,
    });
  });
}

function registerTrades(use: Used): void {
  const store = async (accountNumber: number, chunks: TradeChunk[]): Promise<void> =>
    use.database.transaction((tx) => replaceChunks(tx, accountNumber, chunks));
  const numbers = (chunks: TradeChunk[]): number[] => chunks.map((chunk) => chunk.chunkNumber);

  it('gives back chunks byte by byte, and replaces and deletes those that are named', async () => {
    const accountNumber = newNumber();
    const chunks = chunksOf(Array.from({ length: 600 }, (_, index) => index));
    await store(accountNumber, chunks);
    const read = await readChunks(use.database, accountNumber, 0, 10, { withFigures: true });
    assert.deepEqual(numbers(read), [0, 1, 2]);
    read.forEach((chunk, index) => {
      assert.deepEqual(chunk.body, chunks[index]?.body);
      assert.deepEqual(chunk.items(), chunks[index]?.items());
    });
    assert.deepEqual(numbers(await readChunks(use.database, accountNumber, 1, 1)), [1]);
    const other = chunksOf([1000]).map(
      ({ body }) => new TradeChunk(1, body, new Float64Array([1000, 0])),
    );
    await store(accountNumber, other);
    const [, second, third] = await readChunks(use.database, accountNumber, 0, 10);
    assert.deepEqual(second?.body, other[0]?.body);
    assert.deepEqual(third?.body, chunks[2]?.body);
    const deleteFrom = (from: number, limit: number): Promise<number> =>
      use.database.transaction((tx) => deleteChunksFrom(tx, accountNumber, from, limit));
    assert.equal(await deleteFrom(1, 1), 1);
    assert.deepEqual(numbers(await readChunks(use.database, accountNumber, 0, 10)), [0, 2]);
    assert.equal(await deleteFrom(1, 50), 1);
    assert.deepEqual(numbers(await readChunks(use.database, accountNumber, 0, 10)), [0]);
  });

  it('finds the chunk where a range begins, also when many trades close at once', async () => {
    const accountNumber = newNumber();
    // 100 trades at 1, 600 at 2 (chunks 0 to 2), 50 at 3.
    const times = [...Array(100).fill(1), ...Array(600).fill(2), ...Array(50).fill(3)] as number[];
    await store(accountNumber, chunksOf(times));
    await use.database.transaction((tx) => noteDealsChanged(tx, accountNumber, false));
    for (const [timeMs, expected] of [
      [Number.MIN_SAFE_INTEGER, 0],
      [1, 0],
      [2, 100],
      [3, 700],
      [4, 750],
    ] as const) {
      const [chunk] = await readChunksFrom(use.database, accountNumber, 0, timeMs, 1);
      const chunks = await readChunksFrom(use.database, accountNumber, 0, timeMs, 100);
      const before = chunks.reduce((sum, each) => sum + each.countBefore(timeMs), 0);
      assert.equal((chunk?.chunkNumber ?? 0) * TRADES_PER_CHUNK + before, expected, `${timeMs}`);
    }
    const ofOthers = await readChunksFrom(use.database, accountNumber, 1, 0, 100);
    assert.deepEqual(ofOthers, [], 'chunks of another version of the trades');
  });

  it('folds a long history slice by slice, and leaves nothing of what is no more', async () => {
    const context = await testContext(use.database);
    const account = await newAccount(use.database);
    const { number } = account;
    const days = 9000;
    const deals = Array.from({ length: days }, (_, day) =>
      deal(`${day + 1}`, day * DAY_MS, { profit: day % 7 }),
    );
    const insert = (some: Deal[]) =>
      use.database.transaction((tx) => insertNewDeals(tx, number, some));
    await insert(deals.slice(1));
    await computeTrades(context, account);
    await insert(deals.slice(0, 1));
    assert.equal((await readHistory(use.database, number)).mustRebuild, true);
    await computeTrades(context, account);
    assert.equal((await stored(use.database, number)).tradeCount, days);
    const growth = await readGrowthDays(use.database, number, -1, days + 1);
    // Days on which nothing is booked have no row.
    const booked = deals.filter(({ profit }) => profit !== 0);
    assert.deepEqual(
      growth.map(({ day, profit, transfers }) => [day, profit, transfers]),
      booked.map(({ timeMs, profit }) => [timeMs / DAY_MS, 0, profit]),
    );
    await use.database.transaction(async (tx) => {
      await tx.run('delete from deal where account_number = $1 and time_ms >= $2', [
        ...[number, 10 * DAY_MS],
      ]);
      await noteDealsChanged(tx, number, true);
    });
    await computeTrades(context, account);
    assert.equal((await stored(use.database, number)).texts.length, 1);
    assert.equal((await readGrowthDays(use.database, number, -1, 100)).at(-1)?.day, 9);
    const { dealVersion, tradeVersion } = await readHistory(use.database, number);
    assert.equal(tradeVersion, dealVersion);
  });

  it('tells the same of a part, joined from segments or gone over', async () => {
    const context = await testContext(use.database);
    const account = await newAccount(use.database);
    const { number } = account;
    const closings = Array.from({ length: 9300 }, (_, index): Deal => {
      const symbol = index < 4500 && index % 3 === 0 ? 'GOLD' : `S${index % 120}`;
      const trade = { type: 'DEAL_TYPE_SELL', entry: 'DEAL_ENTRY_OUT', volume: 1 } as const;
      const profit = ((index * 7919) % 201) - 90;
      return {
        ...deal(`${index}`, index * HOUR_MS, { profit }),
        ...trade,
        ...{ symbol, positionId: `${index}`, magic: index % 2 },
        comment: index < 6000 ? NOTES[index % NOTES.length] : `Scalp ${index}`,
      };
    });
    const deals = closings.flatMap((one): Deal[] => [
      {
        ...{ ...one, id: `${one.id}-in`, timeMs: one.timeMs - 1, profit: 0 },
        ...{ type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN' },
      },
      { ...one, comment: '[tp]' },
    ]);
    await use.database.transaction((tx) => insertNewDeals(tx, number, deals));
    await computeTrades(context, account);
    const parts: TradePart[] = [
      ...[{}, { symbol: 'GOLD' }, { symbol: 'S7' }, { symbol: 'none' }, { magic: 1 }],
      ...[{ side: 'buy' as const }, { side: 'sell' as const }, { magic: 1, symbol: 'S7' }],
      { fromMs: 1000 * HOUR_MS, toMs: 8100 * HOUR_MS },
      { fromMs: 100 * HOUR_MS, toMs: 200 * HOUR_MS, magic: 0 },
      { fromMs: 3999 * HOUR_MS, symbol: 'GOLD' },
      // In one stem of a segment, in two, in all, in comments of a stem, in none.
      ...['by HAND', 'grid', 'd', 'news', '[sl]', 'scalp', 'scalp 7', 'none'].map((comment) => ({
        comment,
      })),
      { fromMs: 100 * HOUR_MS, comment: 'hand', side: 'sell' },
    ];
    for (const part of parts) {
      const over = createPartState();
      let count = 0;
      await forEachTrade(use.database, number, part, (trade) => {
        countTrade(over, trade);
        count += 1;
      });
      const joined = await readPart(use.database, number, part);
      assert.equal(
        count,
        closings.filter((one) => isAsked(one, part)).length,
        JSON.stringify(part),
      );
      for (const name of ['results', 'course', 'streaks', 'spans', 'extremes'] as const)
        assert.deepEqual(joined[name], over[name], `${name} of ${JSON.stringify(part)}`);
    }
  });

  it('goes on with a fold that was ended between two slices', async () => {
    const context = await testContext(use.database);
    const account = await newAccount(use.database);
    const { number } = account;
    const deals = Array.from({ length: 9000 }, (_, index) => deal(`${index + 1}`, index));
    await use.database.transaction((tx) => insertNewDeals(tx, number, deals));
    const ended = new AbortController();
    const fold: SliceFolder = (folded) => {
      ended.abort();
      return foldSlice(use.database, context.rules.clocks, folded);
    };
    await computeTrades(context, account, { fold, signal: ended.signal });
    const half = await readHistory(use.database, number);
    assert.equal(half.tradeVersion, -half.dealVersion);
    assert.ok(half.tradeCount > 0 && half.tradeCount < deals.length);
    await computeTrades(context, account);
    assert.equal((await stored(use.database, number)).tradeCount, deals.length);
  });

  it('holds the same bytes whether trades were added batch by batch or computed anew', async () => {
    const context = await testContext(use.database);
    const histories = fc.oneof(history(), history().map(aroundTheHourShownTwice));
    await fc.assert(
      fc.asyncProperty(histories, async ({ deals, cuts }) => {
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

const NOTES = ['by hand', 'Grid [sl]', 'Grid', '#7 grid 5', 'Grid of news'];

async function stored(database: Database, accountNumber: number) {
  const chunks = await readChunks(database, accountNumber, 0, 1000, { withFigures: true });
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
  const cut = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 6 });
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
    const cuts = shares
      .map((share) => Math.floor((share * deals.length) / 100))
      .sort((a, b) => a - b);
    return { deals: deals.sort(compareDeals), cuts };
  });
}

/** The clock of the accounts shows the hour from 08:00 of this day twice. */
function aroundTheHourShownTwice({ deals, cuts }: { deals: Deal[]; cuts: number[] }) {
  const moved = deals.map((one) => {
    const moment = one.entry === 'DEAL_ENTRY_IN' ? Number(one.id) % 7 : one.timeMs;
    return { ...one, timeMs: Date.UTC(2025, 10, 2, 7, 50) + moment * 17 * MINUTE_MS };
  });
  return { deals: moved.sort(compareDeals), cuts };
}
