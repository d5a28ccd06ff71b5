import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/properties.ts';
import { ATHENS_CLOCK, at, NEW_YORK_CLOCK } from '../../test/simulation/live-desk.ts';
import { type Deal, tradeOf } from './deal.ts';
import { inOrderOfExecution } from './deal-order.ts';
import { BrokerClockView } from './live/broker-clock-view.ts';
import { heldMsOf } from './trade.ts';
import { buy, deposit, sell } from './trades/deals.fixture.ts';
import { createTradeState, foldTradeDeal } from './trades/trade-state.ts';

const MINUTE_MS = 60_000;
const isNone = () => false;
/** The zone's clock is set back in the middle of these three hours. */
const CLOCKS = [
  { clock: new BrokerClockView(NEW_YORK_CLOCK), fromUtcMs: at('2026-11-01 04:30') },
  { clock: new BrokerClockView(ATHENS_CLOCK), fromUtcMs: at('2026-10-24 23:30') },
] as const;
const MINUTES = 180;

/** A deal and when it was executed, which its record does not say. */
type Executed = { deal: Deal; utcMs: number };

const holding = fc.record({
  minute: fc.nat({ max: MINUTES - 1 }),
  closings: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 2 }),
});
const ids = fc.constantFrom('numbers of deals', 'tickets', 'texts', 'numbers of any order');
type World = {
  place: (typeof CLOCKS)[number];
  holdings: { minute: number; closings: number[] }[];
  kind: string;
  shuffled: number[];
};
const world: fc.Arbitrary<World> = fc.record({
  place: fc.constantFrom(...CLOCKS),
  holdings: fc.array(holding, { minLength: 1, maxLength: 8 }),
  kind: ids,
  shuffled: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
});

/** What was executed, in its true order; each deal at a moment of its own. */
function executed({ place, holdings, kind, shuffled }: World): Executed[] {
  const legs = holdings.flatMap(({ minute, closings }, ticket) => {
    const lots = Math.max(1, closings.length);
    let closed = minute;
    const exits = closings.map((minutes) => {
      closed += minutes;
      return { minute: closed, ticket, isIn: false, lots: 1 };
    });
    return [{ minute, ticket, isIn: true, lots }, ...exits];
  });
  return legs
    .map((leg, index) => ({ ...leg, utcMs: place.fromUtcMs + leg.minute * MINUTE_MS + index }))
    .sort((a, b) => a.utcMs - b.utcMs)
    .map(({ ticket, isIn, lots, utcMs }, index) => {
      const id = {
        'numbers of deals': `${index + 1}`,
        tickets: `${ticket}-${isIn ? 'in' : `${index}-out`}`,
        texts: `${'zyxwv'[index % 5]}${index}`,
      }[kind];
      const details = {
        positionId: `p${ticket}`,
        timeMs: place.clock.brokerTimeOf(utcMs),
      };
      const make = isIn ? buy : sell;
      return { deal: make(id ?? `${shuffled[index]}${index}`, lots, 1.1, details), utcMs };
    });
}

const shuffle = ({ shuffled }: World, deals: readonly Deal[]): Deal[] =>
  deals
    .map((deal, index) => ({ deal, key: shuffled[index] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ deal }) => deal);

/** The truth about each position that was closed by its deals. */
function naiveClosed(all: readonly Executed[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const [id, own] of Map.groupBy(all, ({ deal }) => deal.positionId ?? '')) {
    const [opening, ...closings] = own;
    const left = closings.reduce((sum, { deal }) => sum - deal.volume, opening?.deal.volume ?? 0);
    if (left === 0) held.set(id, own.at(-1)?.deal.timeMs ?? 0);
  }
  return held;
}

test('around an hour shown twice, positions close after they open, in any order of arrival', () => {
  let back = 0;
  const property = fc.property(world, (some) => {
    const all = executed(some);
    const { clock } = some.place;
    const arrived = shuffle(
      some,
      all.map(({ deal }) => deal),
    );
    const ordered = inOrderOfExecution(arrived, clock, tradeOf, isNone);
    if (all.some(({ deal }, index) => deal.timeMs < (all[index - 1]?.deal.timeMs ?? 0))) back += 1;
    if (some.kind === 'numbers of deals') {
      const isTrue = all.map(({ deal }) => deal.id);
      assert.deepEqual(
        ordered.map(({ id }) => id),
        isTrue,
      );
    }
    assert.deepEqual(inOrderOfExecution(ordered.toReversed(), clock, tradeOf, isNone), ordered);
    const state = createTradeState();
    const trades = ordered.flatMap((deal) => foldTradeDeal(state, deal));
    assert.deepEqual(
      trades.map(({ positionId }) => positionId).toSorted(),
      [...naiveClosed(all).keys()].toSorted(),
    );
    assert.ok(trades.every(({ incomplete }) => !incomplete));
    assert.ok(trades.every(({ durationInMinutes }) => durationInMinutes >= 0));
    // Outside of the hour that is shown twice, times decide.
    const once = ordered.filter(({ timeMs }) => clock.shownTwice(timeMs) === undefined);
    assert.deepEqual(
      once.map(({ timeMs }) => timeMs),
      once.map(({ timeMs }) => timeMs).toSorted((a, b) => a - b),
    );
  });
  fc.assert(property, { numRuns: 3000 });
  assert.ok(back > 300, `the clock was seen to go back in ${back} worlds only`);
});

test('deals without positions are ordered by their numbers, and by their times if those disagree', () => {
  const [{ clock }] = CLOCKS;
  const cash = (id: string, time: string) =>
    deposit(id, 1, { timeMs: at(`2026-11-01 ${time}`), symbol: undefined });
  const order = (...deals: Deal[]) =>
    inOrderOfExecution(deals, clock, tradeOf, isNone).map(({ id }) => Number(id));
  assert.deepEqual(
    order(cash('11', '08:02'), cash('10', '08:33'), cash('9', '07:59')),
    [9, 10, 11],
  );
  assert.deepEqual(
    order(cash('9', '09:00'), cash('11', '08:02'), cash('10', '08:33')),
    [10, 11, 9],
  );
  const [a, b, c, d] = ['08:50', '08:20', '08:40', '08:10'];
  const none = [cash('1', a ?? ''), cash('2', b ?? ''), cash('3', c ?? ''), cash('4', d ?? '')];
  assert.deepEqual(order(...none), [4, 2, 3, 1]);
});

test('what is added to a position that was open before does not move what closed of it', () => {
  const [{ clock }] = CLOCKS;
  const on = (time: string) => ({ positionId: 'p', timeMs: at(`2026-11-01 ${time}`) });
  const opened = buy('7', 2, 1.1, on('07:00'));
  const grown = [sell('8', 1, 1.1, on('08:10')), buy('9', 1, 1.1, on('08:50'))];
  const order = (deals: readonly Deal[], isOpen: (id: string) => boolean) =>
    inOrderOfExecution(deals, clock, tradeOf, isOpen).map(({ id }) => Number(id));
  assert.deepEqual(order([opened, ...grown], isNone), [7, 8, 9]);
  assert.deepEqual(
    order(grown, (id) => id === 'p'),
    [8, 9],
  );
  assert.deepEqual(order(grown, isNone), [9, 8], 'else it opened then');
});

test('a position is held as long as the clock says, and an hour more if it was set back', () => {
  const held = (open: string, close: string) =>
    heldMsOf({ openTimeMs: at(open), closeTimeMs: at(close) }) / MINUTE_MS;
  assert.equal(held('2026-11-01 08:33', '2026-11-01 08:50'), 17);
  assert.equal(held('2026-11-01 08:33', '2026-11-01 08:02'), 29);
  assert.equal(held('2026-11-01 08:33', '2026-11-01 07:02'), 0);
});
