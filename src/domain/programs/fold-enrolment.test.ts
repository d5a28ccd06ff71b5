import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closed, EnrolmentDesk, opened, phaseOf } from '../../../test/simulation/enrolment-desk.ts';
import { dealOf, deposit, NEW_YORK_CLOCK, usd } from '../../../test/simulation/live-desk.ts';
import {
  endEnrolment,
  pauseEnrolment,
  reinstateEnrolment,
  resumeEnrolment,
} from './enrolment-changes.ts';
import type { Objective, Rule } from './program-definition.ts';

const DAILY: Rule = { kind: 'dailyLoss', share: 0.05 };
const MAXIMUM: Rule = { kind: 'maximumLoss', share: 0.1 };
const TARGET: Objective = { kind: 'profitTarget', share: 0.1 };

/** Opens a position on a day and closes it with a profit, with snapshots that include that. */
function tradeDay(desk: EnrolmentDesk, day: string, before: number, profit: number): number {
  desk.see(`${day} 10:00`, before, before, [opened(`${day} 10:00`)]);
  const after = before + profit;
  desk.see(`${day} 11:00`, after, after, [closed(`${day} 11:00`, profit)]);
  return after;
}

test('a loss of exactly the limit continues, one cent more fails, and nothing is judged after', () => {
  const desk = new EnrolmentDesk(phaseOf([DAILY, MAXIMUM]));
  desk.see('2026-03-02 10:00', 100_000, 95_000);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-02 10:01', 100_000, 94_999.99);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-02 10:01');
  desk.see('2026-03-03 10:00', 80_000, 80_000);
  assert.equal(desk.events.length, 1);
  assert.deepEqual(desk.account.trackers, []);
  const [failed] = desk.effects.transitions;
  assert.deepEqual(failed?.breach, {
    trackerId: desk.events[0]?.trackerId,
    startTimeMs: desk.events[0]?.startTimeMs,
    round: 0,
  });
  assert.equal(failed?.figures.equityProfit, usd(-5000.01));
});

test('an inclusive limit fails by reaching it', () => {
  const desk = new EnrolmentDesk(phaseOf([{ ...DAILY, inclusive: true }]));
  desk.see('2026-03-02 10:00', 100_000, 95_000.01);
  desk.see('2026-03-02 10:01', 100_000, 95_000);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-02 10:01');
});

test('a limit that is only recorded makes an event each day and fails nothing', () => {
  const desk = new EnrolmentDesk(phaseOf([{ ...DAILY, onBreach: 'record' }, MAXIMUM]));
  desk.see('2026-03-02 10:00', 100_000, 94_000);
  desk.see('2026-03-03 10:00', 100_000, 94_000);
  assert.equal(desk.events.length, 2);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-04 10:00', 100_000, 89_000);
  assert.equal(desk.state, 'failed maximumLoss 2026-03-04 10:00');
});

test('a target is met by reaching it, with the balance and not with open profits', () => {
  const desk = new EnrolmentDesk(phaseOf([MAXIMUM], [TARGET]));
  desk.see('2026-03-02 10:00', 100_000, 115_000);
  desk.see('2026-03-02 10:01', 109_999.99, 110_000);
  assert.equal(desk.state, 'running');
  assert.deepEqual(desk.progress?.objectives, [
    { kind: 'profitTarget', isMet: false, value: usd(9999.99), needed: usd(10_000) },
  ]);
  desk.see('2026-03-02 10:02', 110_000, 110_000);
  assert.equal(desk.state, 'passed 2026-03-02 10:02');
});

test('a target by both waits until open losses are made good', () => {
  const desk = new EnrolmentDesk(phaseOf([], [{ ...TARGET, by: 'lowerOfBoth' }]));
  desk.see('2026-03-02 10:00', 112_000, 109_999.99);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-02 10:01', 112_000, 110_000);
  assert.equal(desk.state, 'passed 2026-03-02 10:01');
});

test('a deposit is no profit, and a withdrawal no loss', () => {
  const desk = new EnrolmentDesk(phaseOf([MAXIMUM], [TARGET]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-02 11:00', 112_000, 112_000, [deposit('2026-03-02 11:00', 12_000)]);
  assert.equal(desk.progress?.figures.profit, 0);
  desk.see('2026-03-02 12:00', 88_000, 88_000, [deposit('2026-03-02 12:00', -24_000)]);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-02 13:00', 98_000, 98_000);
  assert.equal(desk.state, 'passed 2026-03-02 13:00');
});

test('a transfer between two snapshots is neither profit nor loss, at any moment', () => {
  const target: Objective = { ...TARGET, by: 'lowerOfBoth' };
  const rules: Rule[] = [MAXIMUM, { kind: 'inactivity', days: 3 }];
  const desk = new EnrolmentDesk(phaseOf(rules, [target]));
  desk.see('2026-03-02 10:00', 100_000, 99_000);
  desk.book(deposit('2026-03-02 10:01', -20_000));
  const profits = () => {
    const { profit, equityProfit } = desk.progress?.figures ?? {};
    return { profit, equityProfit };
  };
  assert.deepEqual(profits(), { profit: 0, equityProfit: usd(-1000) });
  desk.see('2026-03-02 10:00', 100_001, 99_001);
  assert.equal(desk.state, 'running');
  assert.deepEqual(profits(), { profit: usd(1), equityProfit: usd(-999) });
  desk.wait('2026-03-06 00:00');
  assert.equal(desk.state, 'failed inactivity 2026-03-06 00:00');
  const { figures } = desk.effects.transitions[0] ?? {};
  assert.equal(figures?.profit, usd(1));
  assert.equal(figures?.equityProfit, usd(-999));
});

test('an account that is funded after it was enrolled waits for its money', () => {
  const desk = new EnrolmentDesk(phaseOf([DAILY, MAXIMUM], [TARGET]));
  desk.see('2026-03-02 10:00', 0, 0);
  desk.see('2026-03-02 11:00', 100_000, 100_000, [deposit('2026-03-02 11:00', 100_000)]);
  assert.equal(desk.progress?.figures.profit, 0);
  assert.equal(desk.state, 'running');
});

test('a breach in the snapshot that would pass fails', () => {
  const desk = new EnrolmentDesk(phaseOf([DAILY], [TARGET]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-02 10:01', 112_000, 94_000);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-02 10:01');
});

test('trading days are days on which a position was opened, once each, late deals included', () => {
  const desk = new EnrolmentDesk(phaseOf([], [{ kind: 'tradingDays', days: 3 }]));
  desk.see('2026-03-02 10:00', 100_000, 100_000, [opened('2026-03-02 10:00')]);
  desk.see('2026-03-02 11:00', 100_000, 100_000, [opened('2026-03-02 11:00')]);
  desk.see('2026-03-03 11:00', 100_100, 100_100, [closed('2026-03-03 11:00', 100)]);
  assert.equal(desk.progress?.figures.tradingDays, 1);
  desk.see('2026-03-05 11:00', 100_100, 100_100, [opened('2026-03-05 11:00')]);
  desk.book(opened('2026-03-04 11:00'));
  // The deals suffice, but only a snapshot can pass.
  assert.equal(desk.progress?.figures.tradingDays, 3);
  desk.see('2026-03-05 11:01', 100_100, 100_100);
  assert.equal(desk.state, 'passed 2026-03-05 11:01');
});

test('if any trade counts, a closed position makes a trading day, too', () => {
  const objective: Objective = { kind: 'tradingDays', days: 9, count: 'traded' };
  const desk = new EnrolmentDesk(phaseOf([], [objective]));
  desk.see('2026-03-02 10:00', 100_000, 100_000, [opened('2026-03-02 10:00')]);
  desk.see('2026-03-03 11:00', 100_100, 100_100, [closed('2026-03-03 11:00', 100)]);
  desk.see('2026-03-04 01:00', 100_090, 100_090, [
    dealOf('DEAL_TYPE_INTEREST', '2026-03-04 00:00', -10),
  ]);
  assert.equal(desk.progress?.figures.tradingDays, 2);
});

test('a profitable day counts when it is over, with its costs and its swaps', () => {
  const objective: Objective = { kind: 'profitableDays', days: 2, share: 0.005 };
  const desk = new EnrolmentDesk(phaseOf([], [objective]));
  let balance = tradeDay(desk, '2026-03-02', 100_000, 500);
  assert.equal(desk.progress?.figures.profitableDays, 0);
  balance = tradeDay(desk, '2026-03-03', balance, 500);
  assert.equal(desk.progress?.figures.profitableDays, 1);
  // A swap makes the day's profit too small.
  desk.see('2026-03-03 23:59', balance - 1, balance - 1, [
    dealOf('DEAL_TYPE_INTEREST', '2026-03-03 23:59', -1),
  ]);
  balance = tradeDay(desk, '2026-03-04', balance - 1, 500.01);
  assert.equal(desk.progress?.figures.profitableDays, 1);
  desk.see('2026-03-05 00:00', balance, balance);
  assert.equal(desk.state, 'passed 2026-03-05 00:00');
});

test('a swap booked at midnight belongs to the day that begins', () => {
  const objective: Objective = { kind: 'profitableDays', days: 1, amount: usd(500) };
  const desk = new EnrolmentDesk(phaseOf([], [objective]));
  const balance = tradeDay(desk, '2026-03-02', 100_000, 500);
  desk.see('2026-03-03 00:00', balance - 7, balance - 7, [
    dealOf('DEAL_TYPE_INTEREST', '2026-03-03 00:00', -7),
  ]);
  assert.equal(desk.state, 'passed 2026-03-03 00:00');
});

test('the best day may make its share of the profit, but no more', () => {
  const half: Objective = { kind: 'consistency', share: 0.5 };
  const desk = new EnrolmentDesk(phaseOf([], [{ ...TARGET, share: 0.03 }, half]));
  let balance = tradeDay(desk, '2026-03-02', 100_000, 3000);
  assert.equal(desk.progress?.objectives[0]?.isMet, true);
  balance = tradeDay(desk, '2026-03-03', balance, 1000);
  balance = tradeDay(desk, '2026-03-04', balance, 1999.99);
  assert.deepEqual(desk.progress?.objectives[1], {
    ...{ kind: 'consistency', isMet: false },
    ...{ value: usd(3000), needed: usd(2999.995) },
  });
  desk.see('2026-03-05 10:00', balance + 0.01, balance + 0.01, [closed('2026-03-05 10:00', 0.01)]);
  assert.equal(desk.state, 'passed 2026-03-05 10:00');
});

test('an inclusive share requires less than the share', () => {
  const objective: Objective = { kind: 'consistency', share: 0.5, inclusive: true };
  const desk = new EnrolmentDesk(phaseOf([], [objective]));
  const balance = tradeDay(desk, '2026-03-02', 100_000, 1000);
  tradeDay(desk, '2026-03-03', balance, 1000);
  assert.equal(desk.state, 'running');
});

test('a best day can be a share of the winning days, or of the target', () => {
  const passes = (of: 'profit' | 'winningDays' | 'profitTarget') => {
    const target: Objective = { kind: 'profitTarget', amount: usd(1000) };
    const desk = new EnrolmentDesk(phaseOf([], [target, { kind: 'consistency', share: 0.5, of }]));
    let balance = tradeDay(desk, '2026-03-02', 100_000, 900);
    balance = tradeDay(desk, '2026-03-03', balance, -800);
    tradeDay(desk, '2026-03-04', balance, 900);
    return desk.state.startsWith('passed');
  };
  assert.deepEqual(
    [passes('profit'), passes('winningDays'), passes('profitTarget')],
    [false, true, false],
  );
});

test('days more than a month back count in the sum of all, but as no day', () => {
  const objective: Objective = { kind: 'consistency', share: 0.5 };
  const desk = new EnrolmentDesk(phaseOf([], [objective, { kind: 'tradingDays', days: 99 }]));
  tradeDay(desk, '2026-03-02', 100_000, 1000);
  desk.see('2026-04-20 10:00', 101_000, 101_000);
  desk.book(opened('2026-03-10 10:00', 250));
  assert.deepEqual(desk.progress?.figures, {
    ...{ total: usd(1250), winning: usd(1000), best: usd(1000), today: 0 },
    ...{ tradingDays: 1, profitableDays: 0, balance: usd(101_000), equity: usd(101_000) },
    ...{ profit: usd(1000), equityProfit: usd(1000) },
  });
});

test('a phase of a number of days is over after the last of them, even without data', () => {
  const desk = new EnrolmentDesk(phaseOf([{ kind: 'timeLimit', days: 30 }], [TARGET]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.wait('2026-03-31 23:59:59.999');
  assert.equal(desk.state, 'running');
  desk.wait('2026-04-01 00:00');
  assert.equal(desk.state, 'failed timeLimit 2026-04-01 00:00');
});

test('a snapshot after the last day cannot pass any more, nor break a limit', () => {
  const desk = new EnrolmentDesk(phaseOf([{ kind: 'timeLimit', days: 1 }, MAXIMUM], [TARGET]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-03 00:00', 120_000, 10_000);
  assert.equal(desk.state, 'failed timeLimit 2026-03-03 00:00');
  assert.deepEqual(desk.events, []);
});

test('too many whole days without a trade fail; a trade restarts the count', () => {
  const desk = new EnrolmentDesk(phaseOf([{ kind: 'inactivity', days: 30 }]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-31 10:00', 100_000, 100_000, [opened('2026-03-31 10:00')]);
  desk.see('2026-04-30 23:59', 100_000, 100_000);
  assert.equal(desk.state, 'running');
  desk.see('2026-05-01 00:00', 100_000, 100_000);
  assert.equal(desk.state, 'failed inactivity 2026-05-01 00:00');
});

test('deposits and swaps are no trades', () => {
  const desk = new EnrolmentDesk(phaseOf([{ kind: 'inactivity', days: 2 }]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-04 10:00', 100_001, 100_001, [deposit('2026-03-04 10:00', 1)]);
  desk.see('2026-03-05 00:00', 100_000, 100_000, [
    dealOf('DEAL_TYPE_INTEREST', '2026-03-04 23:59', -1),
  ]);
  assert.equal(desk.state, 'failed inactivity 2026-03-05 00:00');
});

test('a deal that proves a trade comes with the snapshot before time is judged', () => {
  const desk = new EnrolmentDesk(phaseOf([{ kind: 'inactivity', days: 1 }]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-04 08:00', 100_000, 100_000, [opened('2026-03-03 10:00')]);
  assert.equal(desk.state, 'running');
});

test('while paused nothing is judged and no day counts, and limits of days stand still', () => {
  const rules: Rule[] = [DAILY, MAXIMUM, { kind: 'timeLimit', days: 3 }];
  const desk = new EnrolmentDesk(phaseOf(rules, [TARGET, { kind: 'tradingDays', days: 1 }]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.pause('2026-03-02 12:00');
  assert.equal(desk.state, 'paused');
  desk.see('2026-03-03 10:00', 80_000, 80_000, [opened('2026-03-03 10:00')]);
  desk.see('2026-03-04 10:00', 115_000, 115_000);
  desk.wait('2026-03-08 12:00');
  assert.equal(desk.state, 'paused');
  desk.see('2026-03-09 11:59', 99_000, 99_000);
  desk.resume('2026-03-09 12:00');
  assert.deepEqual(desk.events, []);
  assert.equal(desk.progress?.figures.tradingDays, 0);
  desk.see('2026-03-10 10:00', 99_000, 99_000);
  desk.wait('2026-03-11 23:59');
  assert.equal(desk.state, 'running');
  desk.wait('2026-03-12 00:00');
  assert.equal(desk.state, 'failed timeLimit 2026-03-12 00:00');
});

test('positions held in a pause are judged by the first snapshot after it', () => {
  const desk = new EnrolmentDesk(phaseOf([MAXIMUM]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.pause('2026-03-02 12:00');
  desk.see('2026-03-02 13:00', 89_000, 89_000);
  desk.resume('2026-03-02 14:00');
  desk.see('2026-03-02 13:30', 80_000, 80_000);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-02 14:01', 89_000, 89_000);
  assert.equal(desk.state, 'failed maximumLoss 2026-03-02 14:01');
});

test('days end by the reset clock, through a change of summer time', () => {
  // 17:00 in New York: 22:00 UTC before 2026-03-08, 21:00 UTC after.
  const resetClock = { zone: 'America/New_York', time: '17:00' };
  const objective: Objective = { kind: 'profitableDays', days: 2, amount: usd(500) };
  const phase = phaseOf([DAILY], [objective], { resetClock });
  const desk = new EnrolmentDesk(phase, 100_000, { zone: 'UTC', shiftHours: 0 });
  desk.see('2026-03-06 21:59', 100_600, 100_600, [closed('2026-03-06 21:59', 600)]);
  assert.equal(desk.progress?.figures.profitableDays, 0);
  desk.see('2026-03-06 22:00', 100_600, 100_600);
  assert.equal(desk.progress?.figures.profitableDays, 1);
  desk.see('2026-03-09 20:59', 101_200, 101_200, [closed('2026-03-09 20:59', 600)]);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-09 21:00', 101_200, 101_200);
  assert.equal(desk.state, 'passed 2026-03-09 21:00');
});

test('a phase of days by the account’s clock keeps to its midnights when summer time ends', () => {
  const phase = phaseOf([{ kind: 'timeLimit', days: 2 }]);
  // New York + 7 hours goes back on 2026-11-01 at 09:00 broker time.
  const desk = new EnrolmentDesk(phase, 100_000, NEW_YORK_CLOCK);
  desk.see('2026-10-31 12:00', 100_000, 100_000);
  desk.wait('2026-11-01 23:59');
  assert.equal(desk.state, 'running');
  desk.wait('2026-11-02 00:00');
  assert.equal(desk.state, 'failed timeLimit 2026-11-02 00:00');
});

test('nothing before the start counts, not even late deals from then', () => {
  const start = '2026-03-03 00:00';
  const phase = phaseOf([DAILY, MAXIMUM], [{ kind: 'tradingDays', days: 9 }]);
  const desk = new EnrolmentDesk(phase, 100_000, undefined, start);
  desk.see('2026-03-02 10:00', 50_000, 50_000, [opened('2026-03-02 10:00')]);
  assert.equal(desk.progress?.startTimeMs, undefined);
  desk.see('2026-03-03 10:00', 100_000, 100_000);
  desk.book(opened('2026-03-02 11:00'));
  assert.equal(desk.progress?.figures.tradingDays, 0);
  assert.equal(desk.state, 'running');
});

test('an end by days has the day from which they were counted, and when the phase began', () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
  const told = (desk: EnrolmentDesk) => {
    const { beganTimeMs, countedFromDay, by } = desk.effects.transitions.at(-1) ?? {};
    return { beganTimeMs, countedFromDay, by };
  };
  const began = Date.parse('2026-03-02T10:00:00Z');
  const idle = new EnrolmentDesk(phaseOf([{ kind: 'inactivity', days: 3 }]));
  tradeDay(idle, '2026-03-02', 100_000, 0);
  tradeDay(idle, '2026-03-04', 100_000, 0);
  idle.wait('2026-03-09 00:00');
  assert.equal(idle.state, 'failed inactivity 2026-03-08 00:00');
  const byRule = { beganTimeMs: began, by: undefined };
  assert.deepEqual(told(idle), { ...byRule, countedFromDay: day('2026-03-04') });

  const late = new EnrolmentDesk(phaseOf([{ kind: 'timeLimit', days: 3 }]));
  tradeDay(late, '2026-03-02', 100_000, 0);
  late.wait('2026-03-09 00:00');
  assert.equal(late.state, 'failed timeLimit 2026-03-05 00:00');
  assert.deepEqual(told(late), { ...byRule, countedFromDay: day('2026-03-02') });
});

test('a requested change names who requested it', () => {
  const desk = new EnrolmentDesk(phaseOf([MAXIMUM]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  const { account, enrolment, effects } = desk;
  assert.ok(enrolment);
  const moment = { timeMs: account.lastTimeMs, utcMs: account.lastUtcMs };
  pauseEnrolment(account, enrolment, { ...moment, by: 'Ada' }, effects);
  resumeEnrolment(account, enrolment, { ...moment, by: 'Bo' }, effects);
  endEnrolment(account, enrolment, { to: 'withdrawn', ...moment, by: 'Cy' }, effects);
  const all = effects.transitions.map(({ to, by }) => `${to} by ${by}`);
  assert.deepEqual(all, ['paused by Ada', 'running by Bo', 'withdrawn by Cy']);
});

test('a phase waits for money that is paid in by parts, and is measured from then on', () => {
  const target: Objective = { kind: 'tradingDays', days: 1 };
  const desk = new EnrolmentDesk(phaseOf([DAILY, MAXIMUM], [target]));
  desk.see('2026-03-02 10:00', 0, 0);
  desk.see('2026-03-02 11:00', 60_000, 60_000, [deposit('2026-03-02 11:00', 60_000)]);
  desk.see('2026-03-02 11:30', 60_000, 59_000, [opened('2026-03-02 11:30')]);
  assert.equal(desk.state, 'running');
  assert.deepEqual(
    desk.progress?.rules.map(({ room }) => room),
    [undefined, undefined],
  );
  desk.see('2026-03-02 12:00', 100_000, 99_000, [deposit('2026-03-02 12:00', 40_000)]);
  assert.deepEqual(
    desk.progress?.rules.map(({ room }) => room?.floor),
    [usd(95_000), usd(90_000)],
  );
  assert.equal(desk.progress?.figures.profit, 0);
  assert.equal(desk.progress?.figures.tradingDays, 0);
  desk.see('2026-03-02 12:01', 100_000, 95_000);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-02 12:02', 100_000, 94_999.99);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-02 12:02');
});

test('idle days that are over before the first deal of a snapshot fail, an earlier deal counts', () => {
  const phase = phaseOf([{ kind: 'inactivity', days: 1 }]);
  const late = new EnrolmentDesk(phase);
  late.see('2026-03-02 10:00', 100_000, 100_000);
  late.see('2026-03-05 10:00', 100_000, 100_000, [opened('2026-03-05 09:00')]);
  assert.equal(late.state, 'failed inactivity 2026-03-04 00:00');
  const active = new EnrolmentDesk(phase);
  active.see('2026-03-02 10:00', 100_000, 100_000);
  const deals = [opened('2026-03-03 09:00'), opened('2026-03-04 09:00')];
  active.see('2026-03-05 10:00', 100_000, 100_000, deals);
  assert.equal(active.state, 'running');
});

test('an end that later deals change is followed by the new end', () => {
  const desk = new EnrolmentDesk(
    phaseOf([
      { kind: 'inactivity', days: 2 },
      { kind: 'timeLimit', days: 5 },
    ]),
  );
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-05 10:00', 99_990, 99_990);
  assert.equal(desk.state, 'failed inactivity 2026-03-05 00:00');
  desk.see('2026-03-09 10:00', 99_990, 99_990);
  desk.book(closed('2026-03-04 09:00', -10));
  assert.equal(desk.state, 'failed timeLimit 2026-03-07 00:00');
  assert.deepEqual(
    desk.effects.transitions.map(({ count }) => count),
    [1, 2],
  );
});

test('a failed phase passes only after it was reinstated, however late its deal came', () => {
  const desk = new EnrolmentDesk(phaseOf([DAILY], [TARGET]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-02 10:01', 94_000, 94_000);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-02 10:01');
  desk.see('2026-03-02 10:02', 105_000, 105_000);
  desk.book(
    closed('2026-03-02 10:01:30', 11_000),
    dealOf('DEAL_TYPE_BALANCE', '2026-03-02 10:00:30', -6000),
  );
  const { enrolment, account, effects } = desk;
  assert.ok(enrolment?.isDisputed);
  assert.equal(effects.transitions.length, 1);
  const moment = { timeMs: account.lastTimeMs, utcMs: account.lastUtcMs, by: 'somebody' };
  reinstateEnrolment(account, enrolment, moment, effects);
  desk.see('2026-03-02 10:03', 105_000, 105_000);
  assert.deepEqual(
    effects.transitions.map(({ to }) => to),
    ['failed', 'running', 'passed'],
  );
});

test('deals of the day of the first snapshot count, with it or long after it', () => {
  const deal = closed('2026-03-02 09:59', -500);
  const figures = [true, false].map((isInTime) => {
    const desk = new EnrolmentDesk(phaseOf([DAILY], [TARGET]));
    desk.see('2026-03-02 10:00', 99_500, 99_500, isInTime ? [deal] : []);
    desk.see('2026-03-02 11:00', 99_500, 99_600);
    desk.see('2026-03-02 12:00', 99_500, 99_600, isInTime ? [] : [deal]);
    return desk.progress?.figures;
  });
  assert.equal(figures[0]?.total, usd(-500));
  assert.deepEqual(figures[1], figures[0]);
});
