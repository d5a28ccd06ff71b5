import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../../test/needs.ts';
import { seedOr } from '../../test/seed.ts';
import { testContext } from '../../test/servers/test-context.ts';
import { openTestDatabase, type TestDatabase } from '../../test/servers/test-databases.ts';
import { Random } from '../../test/simulation/random.ts';
import { deal, newAccount } from '../../test/storage-contract/fixture.ts';
import { compareDeals, type Deal } from '../domain/deal.ts';
import { openPositionsOf } from '../domain/trades/open-trades.ts';
import { createTradeState, foldTradeDeal } from '../domain/trades/trade-state.ts';
import { insertNewDeals } from '../ingest/store-deals.ts';
import type { Account } from '../storage/account-store.ts';
import { findStage } from '../storage/stage-store.ts';
import { TradeComputer } from './trade-computer.ts';

needs('postgres');

const MANY = 10_000;
const MINUTE_MS = 60_000;

/** The definition: all deals from the first on. */
function openAt(deals: readonly Deal[], timeMs: number) {
  const state = createTradeState();
  for (const one of deals.filter((each) => each.timeMs <= timeMs).toSorted(compareDeals))
    foldTradeDeal(state, one);
  return openPositionsOf(state);
}

/** Positions opened and closed in any order, several deals at a moment, by id or by symbol. */
function randomDeals(random: Random, count: number): Deal[] {
  return Array.from({ length: count }, (_, index) =>
    deal(`${index + 1}`, random.between(0, count) * 1000, {
      type: random.pick(['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL']),
      positionId: random.chance(0.5) ? `${random.between(1, Math.floor(count / 3))}` : undefined,
      symbol: random.pick(['EURUSD', 'XAUUSD']),
      volume: random.between(1, 4),
      price: 1,
    }),
  );
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`positions open at a moment, on ${kind}`, () => {
    let opened: TestDatabase;
    let account: Account;
    let trades: TradeComputer;
    before(async () => {
      opened = await openTestDatabase(kind);
      trades = new TradeComputer(await testContext(opened.database));
    });
    after(() => opened.close());

    const send = (deals: readonly Deal[]) =>
      opened.database.transaction((tx) => insertNewDeals(tx, account.number, deals));
    const settled = async (timeMs: number) => {
      for (;;) {
        const then = await trades.positionsAt(account, timeMs, 100);
        if (then.ready) return then;
        await trades.settle();
      }
    };

    it('is by all deals up to its wall time, also in an hour that the clock shows twice', async () => {
      const brokerClock = { zone: 'America/New_York', shiftHours: 7 };
      account = await newAccount(opened.database, { brokerClock });
      const legs = [
        ['1', 'a', 'DEAL_TYPE_BUY', 'DEAL_ENTRY_IN', '08:05'],
        ['2', 'b', 'DEAL_TYPE_BUY', 'DEAL_ENTRY_IN', '08:55'],
        ['3', 'a', 'DEAL_TYPE_SELL', 'DEAL_ENTRY_OUT', '08:20'],
      ] as const;
      const at = (time: string) => Date.parse(`2026-11-01T${time}:00Z`);
      await send(
        legs.map(([id, positionId, type, entry, time]) =>
          deal(id, at(time), { positionId, type, entry, symbol: 'EURUSD', volume: 1, price: 1 }),
        ),
      );
      for (const [time, ids] of [
        ['08:10', ['a']],
        ['08:30', []],
        ['08:55', ['b']],
      ] as const) {
        const { positions } = await settled(at(time));
        assert.deepEqual(
          positions.map(({ positionId }) => positionId),
          ids,
          time,
        );
      }
    });

    it('agrees with a fold of all deals, at any moment of any history, sent in any parts', async () => {
      const seed = seedOr(20_261_129);
      const random = new Random(seed);
      account = await newAccount(opened.database);
      const deals = randomDeals(random, MANY);
      // Parts in order of time, but some deals come later than others of their time.
      const parts: Deal[][] = [[], [], [], [], []];
      for (const one of deals) {
        const part = Math.floor((one.timeMs / 1000 / (MANY + 1)) * parts.length);
        parts[Math.min(parts.length - 1, random.chance(0.001) ? part + 1 : part)]?.push(one);
      }
      const known: Deal[] = [];
      for (const part of parts) {
        await send(part);
        known.push(...part);
        for (let look = 0; look < 6; look += 1) {
          const timeMs = random.between(0, MANY) * 1000 + random.between(-1, 1);
          const { positions, count } = await settled(timeMs);
          const expected = openAt(known, timeMs);
          assert.deepEqual(positions, expected.slice(0, 100), `seed ${seed} at ${timeMs}`);
          assert.equal(count, expected.length, `seed ${seed} at ${timeMs}`);
        }
      }
      assert.ok(await findStage(opened.database, account.number, MANY * 1000), 'no stage was kept');
    });

    it('finds an old position, and forgets it when a late deal closes it', async () => {
      account = await newAccount(opened.database);
      const trade = { symbol: 'EURUSD', volume: 1, price: 1.1 };
      const first = deal('1', 0, { ...trade, type: 'DEAL_TYPE_BUY', positionId: '1' });
      const others = Array.from({ length: MANY }, (_, index) =>
        deal(`${index + 2}`, (index + 1) * MINUTE_MS, {
          ...{ ...trade, positionId: `p${index >> 1}` },
          type: index % 2 === 0 ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL',
        }),
      );
      await send([first, ...others]);
      const breachMs = (MANY - 10) * MINUTE_MS;
      const idsAt = async (timeMs: number) =>
        (await settled(timeMs)).positions.map(({ positionId }) => positionId);
      assert.deepEqual(await idsAt(breachMs), ['1']);
      const close = { ...trade, type: 'DEAL_TYPE_SELL' as const, positionId: '1' };
      // Closed later: it was open then.
      await send([deal('x', breachMs + 1, close)]);
      assert.deepEqual(await idsAt(breachMs), ['1']);
      assert.deepEqual(await idsAt(breachMs + 1), []);
      // Closed long before, as a late deal shows: it was not.
      await send([deal('y', 5 * MINUTE_MS + 1, close)]);
      assert.deepEqual(await idsAt(breachMs), []);
      assert.deepEqual(await idsAt(4 * MINUTE_MS), ['1']);
    });

    it('is unknown without any purchase or sale, and empty if all was closed', async () => {
      account = await newAccount(opened.database);
      await send([deal('1', 0, { profit: 1 })]);
      assert.deepEqual(await settled(9), { ready: true, isKnown: false, count: 0, positions: [] });
      const trade = { symbol: 'EURUSD', volume: 1, price: 1.1, positionId: '7' };
      await send([
        deal('2', 1, { ...trade, type: 'DEAL_TYPE_BUY' }),
        deal('3', 2, { ...trade, type: 'DEAL_TYPE_SELL' }),
      ]);
      assert.deepEqual(await settled(0), { ready: true, isKnown: false, count: 0, positions: [] });
      assert.equal((await settled(1)).count, 1);
      assert.deepEqual(await settled(2), { ready: true, isKnown: true, count: 0, positions: [] });
    });
  });
}
