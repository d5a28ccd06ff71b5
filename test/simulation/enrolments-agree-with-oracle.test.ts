import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldEnrolment } from './fold-enrolment-feed.ts';
import { begunWithFeed, OracleEnrolment } from './oracle-enrolment.ts';
import { oracleItems } from './oracle-items.ts';
import { Random } from './random.ts';
import { simulatedAccounts } from './simulated-accounts.ts';
import { simulatedEnrolment } from './simulated-enrolments.ts';
import { simulateFeed } from './simulated-feed.ts';
import { isReached } from './told-ends.ts';

const QUARTERS = [
  { name: 'a spring quarter', startUtcMs: Date.UTC(2026, 1, 10, 9, 17), seed: 31 },
  { name: 'an autumn quarter', startUtcMs: Date.UTC(2026, 8, 15, 21, 5), seed: 32 },
];
const ACCOUNTS = Number(process.env.ENROLMENTS ?? 40);

for (const { name, startUtcMs, seed } of QUARTERS) {
  test(`enrolments agree with the rule book on every transition of ${name}`, () => {
    const random = new Random(seed);
    const words = new Map<string, number>();
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const accounts = simulatedAccounts(seed + index, 4, 0, startUtcMs);
      const account = accounts[index % 4];
      assert.ok(account);
      const feed = { seed: seed * 1000 + index, accounts: [account], startUtcMs, days: 91 };
      const isLate = index % 2 === 0;
      const kind = { faults: isLate && ('deals' as const), ruins: index % 5 === 0 };
      const batches = [...simulateFeed({ ...feed, pace: 240, ...kind })];
      const items = oracleItems(batches, account.id, account.clock);
      const definition = begunWithFeed(simulatedEnrolment(random, startUtcMs), items);
      const oracle = new OracleEnrolment(definition, account.clock, items);
      const folded = foldEnrolment(account, definition, batches, () => random.chance(0.01));
      const { end } = oracle;
      const what = `seed ${feed.seed}: ${JSON.stringify(definition)}`;
      const { isOpen, isDisputed } = folded;
      const ends = folded.transitions.map(({ to, rule, timeMs }) => ({ to, rule, timeMs }));
      if (isLate) assert.ok(isReached({ ends, isOpen, isDisputed }, oracle), what);
      else {
        const isEnd = end ? [{ to: end.to, rule: oracle.ruleOf(end), timeMs: end.timeMs }] : [];
        assert.deepEqual(ends, isEnd, what);
      }
      // The figures of a published end are those known then.
      const figures = end?.figures ?? oracle.figuresAt(Infinity);
      if (isOpen || !isLate) assert.deepEqual(folded.figures, figures, what);
      if (isOpen && !isDisputed) {
        const { amount, hindrances } = folded.payout ?? {};
        const told = folded.payout && { amount, hindrances };
        assert.deepEqual(told, oracle.payoutAtEnd(), what);
        if ((figures.payouts ?? 0) > 0) words.set('paid out', (words.get('paid out') ?? 0) + 1);
      }
      const unbroken = foldEnrolment(account, definition, batches, () => false);
      assert.deepEqual(folded.transitions, unbroken.transitions, what);
      const rule = definition.phase.rules[end?.ruleIndex ?? -1]?.kind ?? '';
      const word = `${end?.to ?? 'running'} ${rule}`.trim();
      words.set(word, (words.get(word) ?? 0) + 1);
    }
    for (const word of [
      'passed',
      'failed dailyLoss',
      'failed maximumLoss',
      'failed inactivity',
      'paid out',
    ]) {
      assert.ok(words.has(word), `none ${word} among ${JSON.stringify([...words])}`);
    }
  });
}
