import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { DEFAULT_BROKER_CLOCK, HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import { type Deal, isCredit, moneyOf } from '../deal.ts';
import { BrokerClockView } from '../live/broker-clock-view.ts';
import { FoldEffects } from '../live/fold-effects.ts';
import { foldSnapshot } from '../live/fold-snapshot.ts';
import { LiveAccount } from '../live/live-account.ts';
import type { EquityHour } from '../live/live-records.ts';
import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';
import { buy, deposit, sell } from './deals.fixture.ts';
import { type Excursion, excursionOf, excursionWindow } from './excursion.ts';
import { tradesOf } from './trade-state.ts';

/** How many minutes a world lasts. */
const WORLD = 16 * 60;
const START = 100_000;
const MOST_POSITIONS = 5;

type Held = { open: number; close: number; cost: number; result: number; course: number[] };
type World = {
  positions: Held[];
  transfers: { minute: number; credit: boolean }[];
  seen: number[];
};

const minute = fc.integer({ min: 90, max: WORLD - 250 });
const anyWorld: fc.Arbitrary<World> = fc.record({
  positions: fc.array(
    fc.record({
      open: minute,
      close: fc.integer({ min: 0, max: 180 }),
      cost: fc.constantFrom(0, -3),
      result: fc.integer({ min: -500, max: 500 }),
      course: fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 7, maxLength: 7 }),
    }),
    { minLength: 1, maxLength: MOST_POSITIONS },
  ),
  transfers: fc.array(fc.record({ minute, credit: fc.boolean() }), { maxLength: 1 }),
  seen: fc.uniqueArray(fc.integer({ min: 0, max: WORLD }), { minLength: 40, maxLength: 300 }),
});

/** In whole money. A sum of one to seven of these is never 0: open positions always show. */
const floatingAt = ({ course }: Held, now: number): number => 8 * (course[now % 7] ?? 0) + 1;

const dealsOf = ({ positions, transfers }: World): Deal[] => [
  deposit('d', START),
  ...transfers.map(({ minute, credit }, index) => {
    const deal = deposit(`t${index}`, 800, { minute });
    return credit ? { ...deal, type: 'DEAL_TYPE_CREDIT' as const } : deal;
  }),
  ...positions.flatMap(({ open, close, cost, result }, index) => {
    const positionId = String(index + 1);
    return [
      buy(`${positionId}1`, 1, 1.1, { positionId, minute: open, commission: cost }),
      sell(`${positionId}2`, 1, 1.2, { positionId, minute: open + close, profit: result }),
    ];
  }),
];

type Snapshot = { minute: number; balance: Money; equity: Money };

function snapshotsOf(world: World, deals: readonly Deal[]): Snapshot[] {
  const sum = (fitting: readonly Deal[]) => fitting.reduce((all, deal) => all + moneyOf(deal), 0);
  return world.seen
    .toSorted((a, b) => a - b)
    .map((minute) => {
      const booked = deals.filter(({ timeMs }) => timeMs <= minute * MINUTE_MS);
      const open = world.positions.filter(
        ({ open, close }) => open <= minute && minute < open + close,
      );
      const floating = open.reduce((all, held) => all + floatingAt(held, minute) * 10_000, 0);
      const balance = sum(booked.filter((deal) => !isCredit(deal)));
      return { minute, balance, equity: sum(booked) + floating };
    });
}

/** The hours as the live side makes them; a snapshot much later closes the last one. */
function hoursOf(snapshots: readonly Snapshot[]): EquityHour[] {
  const account = new LiveAccount('a', new BrokerClockView(DEFAULT_BROKER_CLOCK));
  const effects = new FoldEffects();
  const end = { minute: 2 * WORLD, balance: 0, equity: 0 };
  for (const { minute, balance, equity } of [...snapshots, end])
    foldSnapshot(account, minute * MINUTE_MS, balance, equity, [], Infinity, effects);
  return effects.closedBuckets;
}

const within =
  ({ fromMs, untilMs }: { fromMs: number; untilMs: number }) =>
  (timeMs: number): boolean =>
    timeMs >= fromMs && timeMs < untilMs;

function measure(world: World, trade: Trade): Excursion | undefined {
  const deals = dealsOf(world).sort((a, b) => a.timeMs - b.timeMs);
  const hours = hoursOf(snapshotsOf(world, deals));
  const window = excursionWindow(trade);
  return excursionOf(
    trade,
    deals.filter(({ timeMs }) => within(window.deals)(timeMs)),
    hours.filter(({ startTimeMs }) => within(window.hours)(startTimeMs)),
  );
}

/** Computed from the positions that were open at each snapshot. */
function naive(world: World, trade: Trade): Excursion {
  const deals = dealsOf(world);
  const before = deals
    .filter((deal) => deal.timeMs < trade.openTimeMs && !isCredit(deal))
    .reduce((all, deal) => all + moneyOf(deal), 0);
  const results = snapshotsOf(world, deals)
    .filter(({ minute }) =>
      within({ fromMs: trade.openTimeMs, untilMs: trade.closeTimeMs })(minute * MINUTE_MS),
    )
    .map(({ equity }) => equity - before);
  return {
    adverse: Math.min(0, trade.profit, ...results),
    favourable: Math.max(0, trade.profit, ...results),
  };
}

const positionsOf = (world: World): Trade[] =>
  tradesOf(dealsOf(world)).filter(({ type }) => type === 'DEAL_TYPE_BUY');

describe('the excursion of a trade', () => {
  it('equals the extremes of its snapshots, where it exists', () => {
    let found = 0;
    fc.assert(
      fc.property(anyWorld, (world) => {
        for (const trade of positionsOf(world)) {
          const excursion = measure(world, trade);
          if (!excursion) continue;
          found += 1;
          assert.deepEqual(excursion, naive(world, trade));
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(found > 100, `${found} were found`);
  });

  it('exists for a trade that is alone, and seen before it and in each hour', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const [position] = world.positions;
        if (!position) return;
        const seen = Array.from({ length: WORLD / 5 }, (_, index) => 5 * index);
        const alone = { positions: [position], transfers: [], seen };
        for (const trade of positionsOf(alone)) assert.ok(measure(alone, trade));
      }),
    );
  });

  it('is absent with money that the deals do not explain, and with an unseen hour', () => {
    const position = { open: 130, close: 120, cost: 0, result: 5, course: [3, -9, 2] };
    const seen = Array.from({ length: WORLD / 5 }, (_, index) => 5 * index);
    const world = { positions: [position], transfers: [], seen };
    const [trade] = positionsOf(world);
    assert.ok(trade);
    const deals = dealsOf(world).slice(1);
    const hours = hoursOf(snapshotsOf(world, dealsOf(world)));
    const window = excursionWindow(trade);
    const inWindow = hours.filter(({ startTimeMs }) => within(window.hours)(startTimeMs));
    assert.deepEqual(excursionOf(trade, deals, inWindow), naive(world, trade));
    const moved = inWindow.map((hour) =>
      hour.startTimeMs === 3 * HOUR_MS ? { ...hour, maxBalance: hour.maxBalance + 1 } : hour,
    );
    assert.equal(excursionOf(trade, deals, moved), undefined);
    const missing = inWindow.filter(({ startTimeMs }) => startTimeMs !== 3 * HOUR_MS);
    assert.equal(excursionOf(trade, deals, missing), undefined);
  });

  it('is absent if another position may be in the equity', () => {
    const course = Array.from({ length: 7 }, () => -9);
    const position = { open: 260, close: 20, cost: 0, result: 5, course };
    const lastOf = (other: Pick<Held, 'open' | 'close'>, seen: number[]) => {
      const world = {
        positions: [{ ...position, ...other, result: 0 }, position],
        transfers: [],
        seen,
      };
      const trade = positionsOf(world).find(({ positionId }) => positionId === '2');
      assert.ok(trade);
      return measure(world, trade);
    };
    const seen = [182, 236, 242, 265, 290];
    assert.ok(lastOf({ open: 100, close: 20 }, seen), 'closed long before');
    // The last snapshot of the hour before was taken before the other one opened.
    assert.equal(lastOf({ open: 190, close: 200 }, [182, 245, 265, 290]), undefined);
    // The last equity of the hour before is held into this one.
    assert.equal(lastOf({ open: 130, close: 108 }, seen), undefined);
  });
});
