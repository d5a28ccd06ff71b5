import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closed, EnrolmentDesk, opened, phaseOf } from '../../../test/simulation/enrolment-desk.ts';
import { deposit, usd } from '../../../test/simulation/live-desk.ts';
import type { Objective, Payout, Rule } from './program-definition.ts';

const FLOOR = { kind: 'maximumLoss', amount: usd(5000), trails: 'balance', lockAbove: 0 } as const;
const WINNING_DAYS: Objective = { kind: 'profitableDays', days: 2, amount: usd(200) };

const funded = (
  payout: Payout,
  objectives: readonly Objective[] = [],
  rules: readonly Rule[] = [],
): EnrolmentDesk => new EnrolmentDesk(phaseOf(rules, objectives, { payout }));

/** A day with a trade, and its result. */
function trade(desk: EnrolmentDesk, day: string, before: number, profit: number): void {
  const after = before + profit;
  desk.see(`${day} 10:00`, before, before, [opened(`${day} 10:00`)]);
  desk.see(`${day} 11:00`, after, after, [closed(`${day} 11:00`, profit)]);
}

const payOut = (desk: EnrolmentDesk, time: string, before: number, money: number) =>
  desk.see(time, before - money, before - money, [deposit(time, -money)]);

const standing = ({ progress }: EnrolmentDesk) => {
  const { amount, traderAmount, hindrances } = progress?.payout ?? {};
  return { amount, traderAmount, hindrances };
};

test('profit, buffer, share and cap leave what may be withdrawn; open profits do not count', () => {
  const payout = { share: 0.5, buffer: usd(1000), caps: [usd(1500), usd(2000)], split: 0.8 };
  const desk = funded(payout);
  trade(desk, '2026-03-02', 100_000, 1600);
  assert.deepEqual(standing(desk), {
    ...{ amount: usd(600), traderAmount: usd(480), hindrances: [] },
  });
  desk.see('2026-03-02 12:00', 103_000, 104_000, [closed('2026-03-02 12:00', 1400)]);
  assert.equal(standing(desk).amount, usd(1500));
  desk.see('2026-03-02 12:01', 103_000, 102_000);
  assert.equal(standing(desk).amount, usd(1000));
});

test('a payout is profit no more, and the next has a cap of its own', () => {
  const desk = funded({ caps: [usd(1500), usd(2000)] });
  trade(desk, '2026-03-02', 100_000, 6000);
  payOut(desk, '2026-03-03 10:00', 106_000, 1500);
  const { figures } = desk.progress ?? {};
  assert.deepEqual(
    [figures?.profit, figures?.payouts, figures?.paidOut, standing(desk).amount],
    [usd(4500), 1, usd(1500), usd(2000)],
  );
});

test('a profit below the minimum may not be withdrawn', () => {
  const desk = funded({ minimum: usd(100) });
  trade(desk, '2026-03-02', 100_000, 99.99);
  assert.deepEqual(standing(desk).hindrances, ['profit']);
  desk.see('2026-03-02 12:00', 100_100, 100_100, [closed('2026-03-02 12:00', 0.01)]);
  assert.deepEqual(standing(desk), {
    ...{ amount: usd(100), traderAmount: usd(100), hindrances: [] },
  });
});

test('the objectives are those of a payout, and each payout begins them anew', () => {
  const desk = funded({}, [WINNING_DAYS]);
  trade(desk, '2026-03-02', 100_000, 300);
  trade(desk, '2026-03-03', 100_300, 300);
  assert.deepEqual(standing(desk).hindrances, ['objectives']);
  desk.see('2026-03-04 00:00', 100_600, 100_600);
  assert.deepEqual(standing(desk).hindrances, []);
  assert.equal(desk.state, 'running');
  payOut(desk, '2026-03-04 10:00', 100_600, 100);
  assert.deepEqual(standing(desk).hindrances, ['objectives']);
  assert.equal(desk.progress?.figures.profitableDays, 0);
  // The day of the payout belongs to the one that it closes.
  desk.see('2026-03-04 11:00', 101_500, 101_500, [closed('2026-03-04 11:00', 1000)]);
  trade(desk, '2026-03-05', 101_500, 200);
  trade(desk, '2026-03-06', 101_700, 200);
  desk.see('2026-03-07 00:00', 101_900, 101_900);
  assert.equal(desk.progress?.figures.best, usd(200));
  assert.deepEqual(standing(desk).hindrances, []);
});

test('the first payout may wait longer than the others', () => {
  const desk = funded({ firstDays: 3, days: 2 });
  trade(desk, '2026-03-02', 100_000, 300);
  desk.see('2026-03-04 23:59', 100_300, 100_300);
  assert.deepEqual(standing(desk).hindrances, ['days']);
  desk.see('2026-03-05 00:00', 100_300, 100_300);
  assert.deepEqual(standing(desk).hindrances, []);
  payOut(desk, '2026-03-05 10:00', 100_300, 100);
  desk.see('2026-03-06 23:59', 100_200, 100_200);
  assert.deepEqual(standing(desk).hindrances, ['days']);
  desk.see('2026-03-07 00:00', 100_200, 100_200);
  assert.deepEqual(standing(desk).hindrances, []);
});

test('a payout lowers the floor, leaves it or locks it', () => {
  const floorAfter = (onPayout: 'follows' | 'stays' | 'locks') => {
    const desk = funded({}, [], [{ ...FLOOR, onPayout }]);
    trade(desk, '2026-03-02', 100_000, 3000);
    payOut(desk, '2026-03-03 10:00', 103_000, 1000);
    const floor = desk.progress?.rules[0]?.room?.floor;
    desk.see('2026-03-03 10:01', 102_000, 98_000);
    desk.see('2026-03-03 10:02', 102_000, 97_999.99);
    return [floor, desk.state];
  };
  assert.deepEqual(floorAfter('follows'), [usd(97_000), 'running']);
  assert.deepEqual(floorAfter('stays'), [usd(98_000), 'failed maximumLoss 2026-03-03 10:02']);
  assert.deepEqual(floorAfter('locks'), [usd(100_000), 'failed maximumLoss 2026-03-03 10:01']);
});

test('a payout below a floor that stays fails the phase', () => {
  const desk = funded({}, [], [{ ...FLOOR, onPayout: 'stays' }]);
  trade(desk, '2026-03-02', 100_000, 6000);
  payOut(desk, '2026-03-03 10:00', 106_000, 6000.01);
  assert.equal(desk.state, 'failed maximumLoss 2026-03-03 10:00');
});

test('a payout that becomes known after the snapshots that show it counts from its own day', () => {
  const desk = funded({ days: 5 }, [WINNING_DAYS], [{ ...FLOOR, onPayout: 'locks' }]);
  trade(desk, '2026-03-02', 100_000, 3000);
  desk.see('2026-03-03 10:00', 102_000, 102_000);
  trade(desk, '2026-03-04', 102_000, 300);
  desk.book(deposit('2026-03-03 09:59:30', -1000));
  const { figures, rules, payout } = desk.progress ?? {};
  assert.deepEqual([figures?.payouts, figures?.total, figures?.profit], [1, usd(300), usd(2300)]);
  assert.equal(rules?.[0]?.room?.floor, usd(100_000));
  assert.deepEqual(payout?.hindrances, ['days', 'objectives']);
});

test('deposits are no payouts, and withdrawals of an evaluation are none', () => {
  const desk = funded({});
  trade(desk, '2026-03-02', 100_000, 300);
  desk.see('2026-03-02 12:00', 100_800, 100_800, [deposit('2026-03-02 12:00', 500)]);
  assert.equal(standing(desk).amount, usd(300));
  assert.equal(desk.progress?.figures.payouts, 0);
  const evaluation = new EnrolmentDesk(phaseOf([]));
  trade(evaluation, '2026-03-02', 100_000, 300);
  payOut(evaluation, '2026-03-03 10:00', 100_300, 100);
  assert.equal(evaluation.progress?.figures.profit, usd(300));
  assert.equal(evaluation.progress?.payout, undefined);
});

test('a pause hinders a payout, but one that is made then counts', () => {
  const desk = funded({});
  trade(desk, '2026-03-02', 100_000, 300);
  desk.pause('2026-03-02 12:00');
  assert.deepEqual(standing(desk).hindrances, ['paused']);
  payOut(desk, '2026-03-02 13:00', 100_300, 100);
  desk.resume('2026-03-02 14:00');
  assert.deepEqual([standing(desk).amount, desk.progress?.figures.payouts], [usd(200), 1]);
});

test('of closed trades only, an open loss breaks nothing, and a transfer is no loss', () => {
  const closedOnly: Rule = {
    kind: 'dailyLoss',
    amount: usd(1000),
    measured: 'balance',
    warnAt: 0.9,
  };
  const desk = new EnrolmentDesk(phaseOf([closedOnly]));
  desk.see('2026-03-02 10:00', 100_000, 98_000);
  desk.see('2026-03-02 11:00', 99_500, 90_000, [deposit('2026-03-02 11:00', -500)]);
  const { floor, toFloor } = desk.progress?.rules[0]?.room ?? {};
  assert.deepEqual([desk.state, floor, toFloor], ['running', usd(98_500), usd(1000)]);
  desk.see('2026-03-02 12:00', 98_500, 90_000, [closed('2026-03-02 12:00', -1000)]);
  assert.deepEqual(desk.state, 'running');
  desk.see('2026-03-02 12:01', 98_499.99, 99_000, [closed('2026-03-02 12:01', -0.01)]);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-02 12:01');
  const [warning, breach] = desk.events;
  assert.deepEqual([warning?.warnAt, warning?.absoluteDrawdown], [0.9, usd(1000)]);
  // The open result is taken out with the transfer: 99000 − 0.01 = 98999.99 of 100000.
  const { equity = 0, adjustment = 0, baseline = 0, absoluteDrawdown } = breach ?? {};
  assert.equal(baseline - (equity - adjustment), absoluteDrawdown);
  assert.equal(absoluteDrawdown, usd(1000.01));
});

test('recorded breaches count, one a day, and the last of them ends the phase', () => {
  const soft: Rule = { kind: 'dailyLoss', share: 0.02, onBreach: 'record', failsAt: 3 };
  const desk = new EnrolmentDesk(phaseOf([soft]));
  desk.see('2026-03-02 10:00', 100_000, 97_000);
  desk.see('2026-03-02 11:00', 100_000, 99_000);
  desk.see('2026-03-02 12:00', 100_000, 97_000);
  const [rule] = desk.progress?.rules ?? [];
  assert.deepEqual([rule?.breaches, rule?.failsAt, desk.state], [1, 3, 'running']);
  desk.see('2026-03-03 10:00', 97_000, 94_000, [closed('2026-03-03 10:00', -3000)]);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-04 10:00', 97_000, 94_000);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-04 10:00');
  const [failed] = desk.effects.transitions;
  assert.equal(failed?.breach?.startTimeMs, desk.events[2]?.startTimeMs);
});

test('a recorded breach lowers the trader’s part of payouts, if the rule says so', () => {
  const soft: Rule = { kind: 'dailyLoss', share: 0.02, onBreach: 'record', splitOnBreach: 0.5 };
  const desk = funded({ split: 0.8 }, [], [soft]);
  trade(desk, '2026-03-02', 100_000, 1000);
  assert.equal(standing(desk).traderAmount, usd(800));
  desk.see('2026-03-03 11:00', 98_500, 98_500);
  desk.see('2026-03-04 11:00', 101_000, 101_000, [closed('2026-03-04 11:00', 2500)]);
  assert.equal(standing(desk).traderAmount, usd(500));
});

test('a counted breach that later deals remove counts no more', () => {
  const soft: Rule = { kind: 'dailyLoss', share: 0.02, onBreach: 'record', failsAt: 2 };
  const desk = new EnrolmentDesk(phaseOf([soft]));
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-02 11:00', 97_000, 97_000);
  assert.equal(desk.progress?.rules[0]?.breaches, 1);
  desk.book(deposit('2026-03-02 10:59:30', -3000));
  assert.equal(desk.progress?.rules[0]?.breaches, 0);
  desk.see('2026-03-03 10:00', 97_000, 94_000);
  assert.equal(desk.state, 'running');
});
