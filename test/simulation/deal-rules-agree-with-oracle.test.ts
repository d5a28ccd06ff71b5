import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EnrolmentDefinition } from '../../src/domain/programs/program-definition.ts';
import { often } from '../needs.ts';
import { foldEnrolment } from './fold-enrolment-feed.ts';
import { DealCourse } from './oracle-deal-course.ts';
import { begunWithFeed, OracleEnrolment } from './oracle-enrolment.ts';
import { arrivalsOf, oracleItems } from './oracle-items.ts';
import { firstUtcOf } from './oracle-time.ts';
import { Random } from './random.ts';
import { simulatedAccounts } from './simulated-accounts.ts';
import { simulatedEnrolment } from './simulated-enrolments.ts';
import { simulateFeed } from './simulated-feed.ts';
import { simulatedDealRules, withPositions } from './simulated-trades.ts';
import { isReached } from './told-ends.ts';

const QUARTERS = [
  // 42_000: a disputed end brought an enrolment back without its rules over deals.
  { name: 'an autumn quarter', startUtcMs: Date.UTC(2026, 8, 15, 21, 5), seed: 42 },
  { name: 'a spring quarter', startUtcMs: Date.UTC(2026, 1, 10, 9, 17), seed: 41 },
];
const ACCOUNTS = Number(process.env.ENROLMENTS ?? often(30, 300));
/** A deal after too many idle days broke a rule over deals. */
const AFTER_THE_END = 59;

/** An enrolment in a phase with rules over deals, its feed, and what must be told of it. */
function scene(seed: number, index: number, startUtcMs: number) {
  const random = new Random(seed * 1000 + index);
  const account = simulatedAccounts(seed + index, 4, 0, startUtcMs)[index % 4];
  assert.ok(account);
  const isLate = index % 2 === 0;
  const kind = { faults: isLate && ('deals' as const), ruins: index % 5 === 0 };
  const feed = { seed: seed * 1000 + index, accounts: [account], startUtcMs, days: 91 };
  const batches = withPositions([...simulateFeed({ ...feed, pace: 240, ...kind })], random);
  const items = oracleItems(batches, account.id, account.clock);
  const plain = begunWithFeed(simulatedEnrolment(random, startUtcMs), items);
  const rules = [...plain.phase.rules];
  for (const rule of simulatedDealRules(random)) {
    rules.splice(random.between(0, rules.length), 0, rule);
  }
  const definition: EnrolmentDefinition = { ...plain, phase: { ...plain.phase, rules } };
  const { clock } = account;
  const { startTimeMs } = new OracleEnrolment(definition, clock, items);
  const arrivals = [...arrivalsOf(batches, account.id)];
  const course = new DealCourse(definition, clock, startTimeMs, arrivals);
  const oracle = new OracleEnrolment(definition, clock, items, (one) => course.mayPass(one));
  const folded = foldEnrolment(account, definition, batches, () => random.chance(0.01));
  const what = `seed ${feed.seed}: ${JSON.stringify(definition)}`;
  return { account, oracle, course, arrivals, isLate, folded, what };
}

type Scene = ReturnType<typeof scene>;

/** Whether the phase fails by rules over deals before anything else is known to end it. */
function isByDeals({ oracle, course, arrivals, account }: Scene): boolean {
  const [first] = course.told;
  const { end } = oracle;
  if (!first || !end) return first !== undefined;
  const utcOf = (timeMs: number): number => firstUtcOf(timeMs, account.clock);
  const isOfTime = ['timeLimit', 'inactivity'].includes(oracle.ruleOf(end) ?? '');
  if (isOfTime && utcOf(end.timeMs) <= utcOf(first.timeMs)) return false;
  const readings = arrivals.slice(0, first.arrival).filter(({ reading }) => reading).length;
  return readings <= oracle.readingsBefore(end.order);
}

/** The ends of a feed in which nothing comes late. */
function checkOrderly(one: Scene): void {
  const { oracle, course, folded, what } = one;
  const { end } = oracle;
  const byRules = end ? [{ to: end.to, ruleIndex: end.ruleIndex, timeMs: end.timeMs }] : [];
  const byDeals = course.told.map(({ ruleIndex, timeMs }) => ({ to: 'failed', ruleIndex, timeMs }));
  const told = folded.transitions.map(({ to, ruleIndex, timeMs }) => ({ to, ruleIndex, timeMs }));
  assert.deepEqual(told, isByDeals(one) ? byDeals : byRules, what);
}

/** Ends by rules over deals come with the very deal; others lead to the true state in the end. */
function checkLate(one: Scene): void {
  const { oracle, course, folded, what } = one;
  const { isOpen, isDisputed, arrivalsOfEnds, transitions } = folded;
  const told = transitions.map(({ ruleIndex, timeMs }, place) => ({
    ...{ arrival: arrivalsOfEnds[place], ruleIndex, timeMs },
  }));
  const byDeals = told.filter(({ ruleIndex }) =>
    course.told.some((each) => each.ruleIndex === ruleIndex),
  );
  if (byDeals.length > 0) {
    assert.deepEqual(byDeals, course.told, what);
    assert.equal(isDisputed, course.isDisputed && !course.isOver, what);
    return;
  }
  assert.ok(isReached({ ends: transitions, isOpen, isDisputed }, oracle), what);
  assert.ok(told.length > 0 || !isByDeals(one), what);
}

/** Warnings until the phase ends in any way, each with the fact that shows it. */
function checkWarnings({ oracle, course, folded, account, what }: Scene): number {
  const { warnings, arrivalsOfEnds } = folded;
  const [endArrival = Infinity] = arrivalsOfEnds;
  const { end } = oracle;
  const isOfTime = end && ['timeLimit', 'inactivity'].includes(oracle.ruleOf(end) ?? '');
  const utcOf = (timeMs: number): number => firstUtcOf(timeMs, account.clock);
  const overUtcMs = isOfTime ? utcOf(end.timeMs) : Infinity;
  const isBefore = ({ arrival }: { arrival: number }): boolean => arrival < endArrival;
  const expected = course.warned.filter((one) => isBefore(one) && utcOf(one.timeMs) < overUtcMs);
  assert.deepEqual(warnings.filter(isBefore), expected, what);
  assert.ok(
    warnings.every(({ arrival }) => arrival <= endArrival),
    what,
  );
  return expected.length;
}

for (const { name, startUtcMs, seed } of QUARTERS) {
  test(`rules over deals agree with the rule book on every transition of ${name}`, () => {
    const words = new Map<string, number>();
    let warnings = 0;
    const indices = Array.from({ length: ACCOUNTS }, (_, index) => index);
    for (const index of new Set([...indices, AFTER_THE_END])) {
      const one = scene(seed, index, startUtcMs);
      if (one.isLate) checkLate(one);
      else checkOrderly(one);
      warnings += checkWarnings(one);
      const last = one.folded.transitions.at(-1);
      const word = `${last?.to ?? 'running'} ${last?.rule ?? ''}`.trim();
      words.set(word, (words.get(word) ?? 0) + 1);
    }
    const rules = ['openAtOnce', 'closedHours', 'openLoss', 'dailyLoss'].map(
      (rule) => `failed ${rule}`,
    );
    assert.ok(warnings > 3, `${warnings} warnings`);
    for (const word of ['passed', ...rules]) {
      assert.ok(words.has(word), `none ${word} among ${JSON.stringify([...words])}`);
    }
  });
}
