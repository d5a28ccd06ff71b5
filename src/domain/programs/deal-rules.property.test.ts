import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { FIXED_CLOCK } from '../../../test/simulation/live-desk.ts';
import {
  naiveCount,
  naiveVerdict,
  naiveWarnings,
} from '../../../test/simulation/oracle-deal-rules.ts';
import { BrokerClockView } from '../live/broker-clock-view.ts';
import { ClockViews } from '../live/clock-views.ts';
import { foldDeals } from '../live/fold-deals.ts';
import { FoldEffects } from '../live/fold-effects.ts';
import { foldSnapshot } from '../live/fold-snapshot.ts';
import { LiveAccount } from '../live/live-account.ts';
import { decodeLiveAccount, encodeLiveAccount } from '../live/live-account-codec.ts';
import type { LiveDeal } from '../live/live-records.ts';
import { TrackerRules } from '../live/tracker-rule.ts';
import { toVolume } from '../money.ts';
import { addEnrolment } from './enrolment-changes.ts';
import type { DealRule, EnrolmentDefinition } from './program-definition.ts';

/** A Thursday. */
const START_MS = Date.UTC(2026, 5, 4, 9);
const BALANCE = 1_000_000_000;
const DAY_MS = 86_400_000;
const SYMBOLS = ['EURUSD', 'EURGBP', 'XAUUSD'];

/** A position of a hedging account, or a deal of a netting account that tells no positions. */
const holding = fc.record({
  isNetting: fc.boolean(),
  symbol: fc.constantFrom(...SYMBOLS),
  isLong: fc.boolean(),
  parts: fc.integer({ min: 1, max: 3 }),
  openMs: fc.oneof(
    fc.integer({ min: 0, max: 6 * 86_400 }).map((seconds) => seconds * 1000),
    fc.integer({ min: 0, max: 6 * DAY_MS }),
    fc.constantFrom(3_600_000, 3_600_500),
  ),
  heldMs: fc.oneof(
    fc.constantFrom(0, 1, 999, 1000, 59_000, 60_000, 61_000),
    fc.integer({ min: 0, max: 3 * DAY_MS }),
  ),
  isClosed: fc.boolean(),
  /** Its closing is booked in whole seconds. */
  isCoarse: fc.boolean(),
  /** What each of its closes lost. */
  loss: fc.constantFrom(undefined, 4_999_999, 5_000_000, 5_000_001),
});

const common = fc.constantFrom<Pick<DealRule, 'onBreach' | 'failsAt'>>(
  {},
  { onBreach: 'record' },
  { onBreach: 'record', failsAt: 2 },
);
const rule: fc.Arbitrary<DealRule> = fc
  .tuple(
    common,
    fc.constantFrom<DealRule>(
      { kind: 'allowedSymbols', only: ['EUR*'] },
      { kind: 'allowedSymbols', excluded: ['XAUUSD'] },
      { kind: 'openAtOnce', lots: toVolume(0.4), warnAt: 0.75 },
      { kind: 'openAtOnce', positions: 2, warnAt: 0.5 },
      { kind: 'openAtOnce', positions: 2, per: 'symbol', warnAt: 0.9 },
      { kind: 'hedging' },
      { kind: 'closedHours', starts: 'FRI 22:00', ends: 'SUN 23:00', forbids: 'holding' },
      { kind: 'closedHours', starts: '22:30', ends: '01:15', forbids: 'holding' },
      { kind: 'closedHours', starts: '22:30', ends: '01:15', forbids: 'opening' },
      { kind: 'holdingTime', seconds: 60 },
      { kind: 'openLoss', amount: 5_000_000, warnAt: 0.9999999 },
      { kind: 'openLoss', share: 0.005, inclusive: true },
    ),
  )
  .map(([shared, one]) => ({ ...one, ...shared }));

type Holding = typeof holding extends fc.Arbitrary<infer One> ? One : never;

const bookedMs = (openMs: number, closeMs: number, isCoarse: boolean): number =>
  isCoarse ? Math.max(openMs, Math.floor(closeMs / 1000) * 1000) : closeMs;

const lost = (isLost: boolean, loss: number | undefined) =>
  isLost && loss !== undefined ? { loss } : {};

/** Deals of the holdings; ids count up with time, as those of platforms do. */
function dealsOf(holdings: readonly Holding[]): LiveDeal[] {
  const lot = toVolume(0.1);
  const made = holdings.flatMap((one, index) => {
    const { isNetting, symbol, isLong, parts, openMs, heldMs, isClosed, isCoarse, loss } = one;
    const own = isNetting ? `net ${symbol}` : symbol;
    const [entry, exit] = isLong
      ? (['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL'] as const)
      : (['DEAL_TYPE_SELL', 'DEAL_TYPE_BUY'] as const);
    const timeMs = START_MS + 1000 + openMs;
    const positionId = isNetting ? undefined : `p${index}`;
    const common = { symbol: own, positionId };
    const opening = {
      timeMs,
      type: entry,
      trade: { ...common, volume: parts * lot, ...lost(isNetting, loss) },
    };
    if (isNetting) return [opening];
    const closing = Array.from({ length: isClosed ? parts : 1 }, (_, part) => ({
      timeMs: bookedMs(timeMs, timeMs + Math.floor((heldMs * (part + 1)) / parts), isCoarse),
      type: exit,
      trade: { ...common, volume: lot, entry: 'DEAL_ENTRY_OUT' as const, ...lost(true, loss) },
    }));
    const own_ = { ...opening, trade: { ...opening.trade, entry: 'DEAL_ENTRY_IN' as const } };
    return isClosed || parts > 1 ? [own_, ...closing] : [own_];
  });
  return made
    .map((deal, index) => ({ ...deal, index }))
    .sort((a, b) => a.timeMs - b.timeMs || a.index - b.index)
    .map(({ index: _, ...deal }, place) => ({ ...deal, id: `${place + 1}`, money: 0 }));
}

const rules = new TrackerRules(new ClockViews());
const clock = new BrokerClockView(FIXED_CLOCK);

/** An account that is enrolled, and its snapshots, whose money never moves. */
function enrolled(definition: EnrolmentDefinition) {
  const effects = new FoldEffects();
  const desk = {
    account: new LiveAccount('a', clock),
    effects,
    see: (timeMs: number) =>
      foldSnapshot(desk.account, timeMs, BALANCE, BALANCE, [], Number.POSITIVE_INFINITY, effects),
    book: (deals: ReturnType<typeof dealsOf>) =>
      foldDeals(desk.account, deals, Number.POSITIVE_INFINITY, effects),
    restart: () => {
      const definitions = { trackers: [], enrolments: [definition] };
      const bytes = encodeLiveAccount(desk.account);
      desk.account = decodeLiveAccount(bytes, 'a', clock, definitions, rules);
    },
  };
  addEnrolment(desk.account, definition, rules);
  desk.see(START_MS);
  return desk;
}

test('rules over deals find the same in more deals than are kept, a little out of order', () => {
  const some = fc.array(holding, { minLength: 90, maxLength: 140 });
  const property = fc.property(some, rule, fc.nat({ max: 20 }), (holdings, one, late) => {
    const counted = { ...one, onBreach: 'record' as const, failsAt: 1_000_000 };
    const definition: EnrolmentDefinition = {
      id: 'e',
      phase: { name: 'Phase', rules: [counted], objectives: [] },
      initialBalance: BALANCE,
    };
    const desk = enrolled(definition);
    const deals = dealsOf(holdings);
    // Some come after as many others.
    const sent = deals
      .map((deal, place) => ({ deal, at: place + ((place * 7919) % (late + 1)) }))
      .sort((a, b) => a.at - b.at);
    for (const [place, { deal }] of sent.entries()) {
      desk.book([deal]);
      if (place % 50 === 0) desk.restart();
    }
    const endMs = START_MS + 10 * DAY_MS;
    desk.see(endMs);
    const expected = naiveCount(counted, deals, START_MS, endMs, undefined, BALANCE);
    assert.equal(desk.account.dealRules[0]?.verdict?.counts.get(0) ?? 0, expected);
  });
  fc.assert(property, { numRuns: 100 });
});

test('rules over deals reach one verdict in any order of deals, snapshots and restarts', () => {
  let ended = 0;
  let warned = 0;
  let disputed = 0;
  const property = fc.property(
    fc.array(holding, { minLength: 1, maxLength: 12 }),
    fc.array(rule, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(undefined, { zone: FIXED_CLOCK.zone, time: '17:00' }),
    fc.array(fc.record({ at: fc.nat({ max: 30 }), afterMs: fc.nat({ max: 9 * DAY_MS }) }), {
      minLength: 30,
      maxLength: 30,
    }),
    (holdings, dealRules, resetClock, steps) => {
      const definition: EnrolmentDefinition = {
        id: 'e',
        phase: { name: 'Phase', rules: dealRules, objectives: [], resetClock },
        initialBalance: BALANCE,
      };
      const desk = enrolled(definition);
      const deals = dealsOf(holdings);
      const left = [...deals];
      for (const { at, afterMs } of steps) {
        const some = left.splice(at % (left.length + 1), 1);
        desk.book(some);
        desk.see(START_MS + afterMs);
        if (at % 5 === 0) desk.restart();
      }
      desk.book(left);
      const endMs = START_MS + 10 * DAY_MS;
      desk.see(endMs);
      const { account, effects } = desk;
      const expected = naiveVerdict(dealRules, deals, START_MS, endMs, undefined, BALANCE);
      const told = effects.transitions.findLast(({ to }) => to === 'failed');
      const [enrolment] = account.enrolments;
      assert.ok(enrolment);
      const near = account.dealRules[0]?.verdict?.near ?? [];
      const found = near.map(({ ruleIndex, timeMs }) => ({ ruleIndex, timeMs }));
      const byRule = found.sort((a, b) => a.ruleIndex - b.ruleIndex);
      assert.deepEqual(byRule, naiveWarnings(dealRules, deals, START_MS, endMs, BALANCE));
      warned += near.length;
      if (expected) {
        ended += 1;
        assert.deepEqual(
          { ruleIndex: told?.ruleIndex, isDisputed: enrolment.isDisputed },
          { ruleIndex: expected.ruleIndex, isDisputed: false },
        );
      } else {
        if (told) disputed += 1;
        assert.equal(enrolment.isDisputed, told !== undefined);
      }
      const verdict = account.dealRules[0]?.verdict;
      assert.equal(verdict?.broken?.timeMs, expected?.timeMs);
    },
  );
  fc.assert(property, { numRuns: 2000 });
  assert.ok(ended > 200, `only ${ended} ended`);
  assert.ok(warned > 50, `only ${warned} warned`);
  assert.ok(disputed > 5, `only ${disputed} were disputed`);
});
