import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EnrolmentDesk, phaseOf } from '../../../test/simulation/enrolment-desk.ts';
import { at, dealOf, NEW_YORK_CLOCK, usd } from '../../../test/simulation/live-desk.ts';
import { MAX_VIOLATION_DEALS, MAX_VIOLATIONS } from '../../words/programs.ts';
import { type DealTrade, type TradeDeal, tradeOf } from '../deal.ts';
import { MAX_READINGS } from '../live/fold-window.ts';
import type { LiveDeal } from '../live/live-records.ts';
import { toVolume } from '../money.ts';
import { decodeTradeState } from '../trades/trade-state-codec.ts';
import { equationOf } from './deal-limits.ts';
import { DealRules, MAX_KEPT } from './deal-rules.ts';
import { reinstateEnrolment } from './enrolment-changes.ts';
import { MAX_OPEN } from './judge-deals.ts';
import type { OpenLoss, Rule } from './program-definition.ts';

const ONE: Rule = { kind: 'openAtOnce', positions: 1 };

const trade = (time: string, type: 'BUY' | 'SELL', positionId: string, money = 0): LiveDeal => ({
  ...dealOf(`DEAL_TYPE_${type}`, time, money),
  trade: { symbol: 'EURUSD', positionId, volume: toVolume(1) },
});

const closing = (time: string, parts: Partial<DealTrade>): LiveDeal => ({
  ...dealOf('DEAL_TYPE_SELL', time, 0),
  trade: { symbol: 'EURUSD', positionId: 'a', volume: toVolume(1), ...parts },
});

const told = (desk: EnrolmentDesk) =>
  desk.effects.transitions.map(({ to, count, ruleIndex }) => [to, count, ruleIndex]);

/** A desk whose balance moved by 50 without a deal: what came since can still be folded again. */
function unexplained(rules: Rule[]): EnrolmentDesk {
  const desk = new EnrolmentDesk(phaseOf(rules));
  desk.see('2026-06-01 10:00:00', 100_000, 100_000);
  desk.see('2026-06-01 10:00:10', 100_050, 100_050);
  desk.book(trade('2026-06-01 10:00:20.100', 'BUY', 'a'));
  desk.see('2026-06-01 10:00:21', 100_050, 100_050);
  return desk;
}

function reinstate(desk: EnrolmentDesk, time: string): void {
  const { account, effects, enrolment } = desk;
  const moment = { timeMs: at(time), utcMs: account.clock.utcOf(at(time), Number.NaN) };
  if (enrolment) reinstateEnrolment(account, enrolment, moment, effects);
}

test('an end by deals is told once, however often the log is folded again', () => {
  const desk = unexplained([{ kind: 'dailyLoss', share: 0.05 }, ONE]);
  desk.book(trade('2026-06-01 10:00:30.100', 'BUY', 'b'));
  desk.see('2026-06-01 10:00:31', 100_050, 100_050);
  assert.deepEqual(told(desk), [['failed', 1, 1]]);
  // Explains the movement.
  desk.book(dealOf('DEAL_TYPE_CHARGE', '2026-06-01 10:00:05', 50));
  desk.see('2026-06-01 10:00:40', 100_050, 100_050);
  desk.see('2026-06-01 10:01:40', 90_000, 90_000);
  assert.deepEqual(told(desk), [['failed', 1, 1]]);
  assert.deepEqual([desk.enrolment?.isHeld, desk.enrolment?.isDisputed], [true, false]);
  assert.equal(desk.events.length, 0, 'nothing else is judged');
});

test('a disputed end by deals is reinstated, and stays so when the log is folded again', () => {
  const desk = unexplained([{ kind: 'dailyLoss', share: 0.05 }, ONE]);
  desk.book(trade('2026-06-01 10:00:30.100', 'BUY', 'b'));
  desk.book(trade('2026-06-01 10:00:25.100', 'SELL', 'a'));
  desk.see('2026-06-01 10:00:31', 100_050, 100_050);
  assert.equal(desk.enrolment?.isDisputed, true);
  reinstate(desk, '2026-06-01 10:00:35');
  desk.see('2026-06-01 10:00:36', 100_050, 100_050);
  desk.book(dealOf('DEAL_TYPE_CHARGE', '2026-06-01 10:00:05', 50));
  desk.see('2026-06-01 10:00:40', 100_050, 100_050);
  assert.deepEqual(told(desk), [
    ['failed', 1, 1],
    ['running', 2, undefined],
  ]);
  assert.equal(desk.enrolment?.isDisputed, false);
  desk.book(trade('2026-06-01 10:00:50.100', 'BUY', 'c'));
  assert.deepEqual(told(desk).at(-1), ['failed', 3, 1]);
});

test('a loss that the folded log finds before an end by deals follows it', () => {
  const desk = unexplained([{ kind: 'dailyLoss', share: 0.05 }, ONE]);
  desk.see('2026-06-01 10:00:22', 95_020, 95_020);
  desk.book(trade('2026-06-01 10:00:30.100', 'BUY', 'b'));
  assert.deepEqual(told(desk), [['failed', 1, 1]]);
  // What was paid in was no profit: the loss was larger.
  desk.book(dealOf('DEAL_TYPE_BALANCE', '2026-06-01 10:00:05', 50));
  assert.deepEqual(told(desk), [
    ['failed', 1, 1],
    ['failed', 2, 0],
  ]);
});

test('what a pause covers breaks nothing, and an end is given up after 31 days', () => {
  const desk = new EnrolmentDesk(phaseOf([ONE]));
  desk.see('2026-06-01 10:00:00', 100_000, 100_000);
  desk.pause('2026-06-01 10:00:10');
  desk.book(trade('2026-06-01 10:00:20.100', 'BUY', 'a'));
  desk.book(trade('2026-06-01 10:00:30.100', 'BUY', 'b'));
  desk.resume('2026-06-01 10:00:40');
  desk.see('2026-06-01 10:00:41', 100_000, 100_000);
  assert.equal(desk.state, 'running');
  desk.pause('2026-06-01 10:01:00');
  desk.resume('2026-06-01 10:01:10');
  desk.see('2026-06-01 10:01:41', 100_000, 100_000);
  assert.equal(desk.state, 'running', 'the first pause still counts');
  desk.book(trade('2026-06-01 10:02:30.100', 'BUY', 'c'));
  assert.match(desk.state, /^failed openAtOnce/);
  desk.see('2026-07-02 10:00:00', 100_000, 100_000);
  assert.ok(desk.enrolment);
  desk.see('2026-07-02 10:03:00', 100_000, 100_000);
  desk.see('2026-07-03 10:03:00', 100_000, 100_000);
  assert.equal(desk.enrolment, undefined);
  assert.equal(desk.account.trackers.length, 0);
});

test('closed hours follow the clock of the phase through daylight saving time', () => {
  const resetClock = { zone: 'Europe/Prague', time: '17:00' };
  const held: Rule = { kind: 'closedHours', starts: '22:00', ends: '23:00', forbids: 'holding' };
  const ends = ['2026-03-28', '2026-03-29'].map((day) => {
    const desk = new EnrolmentDesk(phaseOf([held], [], { resetClock }));
    desk.see(`${day} 12:00:00`, 100_000, 100_000);
    desk.book(trade(`${day} 12:00:00.100`, 'BUY', 'a'));
    desk.see(`${day} 23:59:00`, 100_000, 100_000);
    return desk.state;
  });
  // The account's clock is UTC + 2; Prague changes from UTC + 1 to UTC + 2.
  assert.deepEqual(ends, [
    'failed closedHours 2026-03-28 23:00',
    'failed closedHours 2026-03-29 22:00',
  ]);
});

test('a close proves the open loss of what it closes, and nothing else does', () => {
  const OUT = { entry: 'DEAL_ENTRY_OUT' } as const;
  /** The equations of one position that was bought, and of what sold it. */
  const brokenBy = (rule: Partial<OpenLoss>, ...sales: Partial<DealTrade>[]) => {
    const desk = new EnrolmentDesk(phaseOf([{ kind: 'openLoss', onBreach: 'record', ...rule }]));
    desk.see('2026-06-01 10:00:00', 100_000, 100_000);
    const positionId = sales[0] && 'positionId' in sales[0] ? undefined : 'a';
    const entered = { positionId, volume: toVolume(2), loss: usd(900) };
    desk.book({ ...trade('2026-06-01 10:00:01.100', 'BUY', 'a'), ...boughtBy(entered) });
    for (const [place, sale] of sales.entries()) {
      desk.book(closing(`2026-06-01 10:00:0${place + 2}.100`, sale));
    }
    desk.see('2026-06-01 10:00:09', 100_000, 100_000);
    return desk.progress?.violations?.map((one) => equationOf(one, 4));
  };
  const boughtBy = (own: Partial<DealTrade>) => ({
    trade: { symbol: 'EURUSD', volume: toVolume(1), ...own },
  });
  const whole = { ...OUT, volume: toVolume(2) };
  const limit = { amount: usd(500) };
  const tooMuch = (equation: string) => [`loss of position a of EURUSD: ${equation}`];
  // Exactly the limit, with its unit more, and inclusive.
  assert.deepEqual(brokenBy(limit, { ...whole, loss: usd(500) }), []);
  assert.deepEqual(brokenBy(limit, { ...whole, loss: usd(500) + 1 }), tooMuch('500.0001 > 500'));
  const inclusive = { share: 0.005, inclusive: true };
  assert.deepEqual(brokenBy(inclusive, { ...whole, loss: usd(500) }), tooMuch('500 ≥ 500'));
  assert.deepEqual(brokenBy(inclusive, { ...whole, loss: usd(500) - 1 }), []);
  // In parts: each by itself.
  const part = { ...OUT, loss: usd(400) };
  assert.deepEqual(brokenBy(limit, part, part), []);
  assert.deepEqual(brokenBy(limit, part, { ...OUT, loss: usd(600) }), tooMuch('600 > 500'));
  // By an opposite position, and of a position that nobody opened.
  assert.deepEqual(brokenBy(limit, { ...whole, loss: usd(600), entry: 'DEAL_ENTRY_OUT_BY' }), []);
  assert.deepEqual(brokenBy(limit, { ...whole, loss: usd(600), positionId: 'b' }), []);
  // A netting account without entries: the reversal closes the leg, and what it opens lost nothing.
  const reversal = { positionId: undefined, volume: toVolume(3), loss: usd(600) };
  const [equation] = brokenBy(limit, reversal) ?? [];
  assert.match(equation ?? '', /^loss of position deal-\d+ of EURUSD: 600 > 500$/);
  // By the trade of a deal: with the swap, without commission and fee.
  const costs = { profit: -usd(400), swap: -usd(101), commission: -usd(7), fee: -usd(3) };
  const stated = tradeOf({
    ...dealOf('DEAL_TYPE_SELL', '2026-06-01 10:00:02', 0),
    ...costs,
    volume: 1,
  });
  assert.equal(stated?.loss, usd(501));
  const won = tradeOf({
    ...dealOf('DEAL_TYPE_SELL', '2026-06-01 10:00:02', 0),
    ...costs,
    volume: 1,
    swap: usd(400),
  });
  assert.equal(won?.loss, undefined);
});

test('thousands of deals at once leave a bounded state, and name few of them', () => {
  const definition = new EnrolmentDesk(phaseOf([ONE])).enrolment?.definition;
  assert.ok(definition);
  const rules = new DealRules(definition);
  const same = (timeMs: number): number => timeMs;
  const inOrder = (some: readonly TradeDeal[]): TradeDeal[] => [...some];
  const terms = { startTimeMs: 0, utcOf: same, inOrder, clock: { localOf: same, timeOf: same } };
  const deals = Array.from(
    { length: 10_000 },
    (_, n): TradeDeal => ({
      ...{ id: `${n}`, type: 'DEAL_TYPE_BUY', timeMs: n < 5000 ? 1 : n },
      trade: { symbol: `S${n}`, positionId: `${n}`, volume: 1 },
    }),
  );
  rules.add(deals, terms);
  const { violations } = rules.weigh(terms, 20_000);
  assert.equal(violations.length, MAX_VIOLATIONS);
  for (const { dealIds } of violations) assert.ok(dealIds.length <= MAX_VIOLATION_DEALS);
  const stored = rules.store();
  assert.ok((stored?.kept.length ?? 0) <= MAX_KEPT);
  const { positions } = decodeTradeState(stored?.base ?? '');
  assert.equal(positions.size, MAX_OPEN);
  assert.ok(JSON.stringify(stored).length < 200_000, `${JSON.stringify(stored).length} characters`);
});

test('what closes in the second pass of an hour shown twice was held, and is open no more', () => {
  const numbered = (id: string, { trade, ...deal }: LiveDeal): LiveDeal => {
    const entry = deal.type === 'DEAL_TYPE_BUY' ? 'DEAL_ENTRY_IN' : 'DEAL_ENTRY_OUT';
    return { ...deal, id, ...(trade && { trade: { ...trade, entry } }) };
  };
  const buy = numbered('10', trade('2026-11-01 08:33:00.100', 'BUY', 'a'));
  const sell = numbered('11', trade('2026-11-01 08:02:10.100', 'SELL', 'a'));
  for (const deals of [
    [buy, sell],
    [sell, buy],
  ]) {
    const rules: Rule[] = [ONE, { kind: 'holdingTime', seconds: 60 }];
    const desk = new EnrolmentDesk(phaseOf(rules), 100_000, NEW_YORK_CLOCK);
    desk.see('2026-11-01 08:01:00', 100_000, 100_000);
    desk.see('2026-11-01 08:34:00', 100_000, 100_000);
    for (const one of deals) desk.book(one);
    desk.see('2026-11-01 08:03:00', 100_000, 100_000);
    desk.book(numbered('12', trade('2026-11-01 08:50:10.100', 'BUY', 'b')));
    desk.see('2026-11-01 08:51:00', 100_000, 100_000);
    assert.equal(desk.state, 'running');
    desk.book(numbered('13', trade('2026-11-01 08:52:10.100', 'BUY', 'c')));
    assert.match(desk.state, /^failed openAtOnce/);
  }
});

test('moments of both passes of an hour shown twice are apart, also of deals that are settled', () => {
  const leg = (id: number, time: string, entry: 'IN' | 'OUT', positionId: string): LiveDeal => ({
    ...trade(`2026-11-01 08:${time}.100`, entry === 'IN' ? 'BUY' : 'SELL', positionId),
    ...{ id: String(id) },
    ...{ trade: { positionId, volume: toVolume(1), entry: `DEAL_ENTRY_${entry}` } },
  });
  const minute = (index: number): string => `${10 + index}`.padStart(2, '0');
  // In each pass at the same times, one position after another, and one from pass to pass.
  const passes = (count: number): LiveDeal[] =>
    [0, 1].flatMap((pass) =>
      Array.from({ length: count }, (_, index) => {
        const isIn = (index + pass) % 2 === 0;
        const place = pass * count + index;
        const held = `p${Math.floor(place / 2)}`;
        const seconds = `${index % 60}`.padStart(2, '0');
        const time = `${minute(Math.floor(index / 60))}:${seconds}`;
        return leg(place + 10, time, isIn ? 'IN' : 'OUT', held);
      }),
    );
  for (const count of [3, MAX_KEPT - 1]) {
    const desk = new EnrolmentDesk(phaseOf([ONE]), 100_000, NEW_YORK_CLOCK);
    desk.see('2026-11-01 08:01:00', 100_000, 100_000);
    for (const one of passes(count)) desk.book(one);
    desk.book(leg(1000, '50:00', 'IN', 'last'));
    desk.see('2026-11-01 09:30:00', 100_000, 100_000);
    assert.equal(desk.state, 'running', `${count} deals in each pass`);
    desk.book(leg(1001, '51:00', 'IN', 'second'));
    assert.match(desk.state, /^failed openAtOnce/);
  }
});

test('a pass hindered by a second that is not over stays hindered when its reading is settled', () => {
  const desk = new EnrolmentDesk(phaseOf([ONE], [{ kind: 'profitTarget', share: 0.05 }]));
  desk.see('2026-06-01 10:00:00', 100_000, 100_000);
  desk.see('2026-06-01 10:00:10', 100_050, 100_050);
  desk.book(trade('2026-06-01 10:00:20.100', 'BUY', 'a'));
  desk.see('2026-06-01 10:00:21', 100_050, 100_050);
  desk.book(trade('2026-06-01 10:00:30', 'BUY', 'b'));
  desk.see('2026-06-01 10:00:30.001', 106_000, 106_000);
  assert.equal(desk.state, 'running');
  // So many readings that the older ones are folded finally.
  for (let n = 0; n < MAX_READINGS; n += 1) {
    const time = `2026-06-01 10:00:30.${`${100 + n}`}`;
    desk.see(time, 100_100 + n, 100_100 + n);
  }
  desk.book(trade('2026-06-01 10:00:30', 'SELL', 'b'));
  desk.see('2026-06-01 10:00:40', 100_050, 100_050);
  assert.deepEqual(told(desk), []);
  assert.equal(desk.state, 'running');
});

test('a pause ends although the readings before its end are settled', () => {
  const desk = unexplained([ONE]);
  for (let n = 0; n < MAX_READINGS + 5; n += 1) {
    const time = `2026-06-01 10:00:30.${`${100 + n}`}`;
    desk.see(time, 100_100 + n, 100_100 + n);
    if (n === 20) desk.pause(time);
    if (n === 80) desk.resume(time);
  }
  desk.book(trade('2026-06-01 10:01:00.100', 'BUY', 'b'));
  assert.match(desk.state, /^failed openAtOnce/);
});
