import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareDeals } from '../../src/domain/deal.ts';
import { BrokerClockView } from '../../src/domain/live/broker-clock-view.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { foldDeals } from '../../src/domain/live/fold-deals.ts';
import { FoldEffects } from '../../src/domain/live/fold-effects.ts';
import { foldSnapshot } from '../../src/domain/live/fold-snapshot.ts';
import { LiveAccount } from '../../src/domain/live/live-account.ts';
import { decodeLiveAccount, encodeLiveAccount } from '../../src/domain/live/live-account-codec.ts';
import { TrackerRules } from '../../src/domain/live/tracker-rule.ts';
import { withWaitingDeals } from '../../src/domain/live/with-waiting-deals.ts';
import { addEnrolment } from '../../src/domain/programs/enrolment-changes.ts';
import { enrolmentFigures } from '../../src/domain/programs/enrolment-records.ts';
import { payoutStanding } from '../../src/domain/programs/phase-payout.ts';
import type { EnrolmentDefinition } from '../../src/domain/programs/program-definition.ts';
import { begunWithFeed, closesInFeed, OracleEnrolment } from './oracle-enrolment.ts';
import { oracleItems } from './oracle-items.ts';
import { Random } from './random.ts';
import { type SimulatedAccount, simulatedAccounts } from './simulated-accounts.ts';
import { simulatedEnrolment } from './simulated-enrolments.ts';
import { simulateFeed } from './simulated-feed.ts';
import { isReached } from './told-ends.ts';
import { type FeedBatch, liveDealOfWire, moneyOfWire, timeOfWire, type WireDeal } from './wire.ts';

/** Folds the feed of one account, whose state is stored and loaded again as often as given. */
function fold(
  { id, clock }: SimulatedAccount,
  definition: EnrolmentDefinition,
  batches: readonly FeedBatch[],
  isStored: () => boolean,
) {
  const rules = new TrackerRules(new ClockViews());
  const effects = new FoldEffects();
  const view = new BrokerClockView(clock);
  let account = new LiveAccount(id, view);
  addEnrolment(account, definition, rules);
  const seen = new Set<string>();
  const dealsOf = (deals: readonly WireDeal[] = []) => {
    const fresh = deals.filter((deal) => !seen.has(deal.id));
    for (const deal of fresh) seen.add(deal.id);
    return fresh
      .map((deal) => ({ ...liveDealOfWire(deal), closes: closesInFeed(deal) }))
      .sort(compareDeals);
  };
  for (const batch of batches) {
    const { receivedUtcMs } = batch;
    if (batch.kind === 'deals') {
      if (batch.accountId === id) foldDeals(account, dealsOf(batch.deals), receivedUtcMs, effects);
      continue;
    }
    for (const { accountId, brokerTime, balance, equity, deals } of batch.snapshots) {
      if (accountId !== id) continue;
      const [timeMs, held, worth] = [
        timeOfWire(brokerTime),
        moneyOfWire(balance),
        moneyOfWire(equity),
      ];
      foldSnapshot(account, timeMs, held, worth, dealsOf(deals), receivedUtcMs, effects);
    }
    if (!isStored()) continue;
    const bytes = encodeLiveAccount(account);
    const enrolments = [definition];
    account = decodeLiveAccount(bytes, id, view, { trackers: [], enrolments }, rules);
    assert.deepEqual(encodeLiveAccount(account), bytes);
  }
  const shown = withWaitingDeals(account);
  const [enrolment] = shown.enrolments;
  const {
    balance: _b,
    equity: _e,
    ...figures
  } = enrolment === undefined
    ? (effects.transitions[0]?.figures ?? {})
    : enrolmentFigures(shown, enrolment);
  const { transitions } = effects;
  const payout = enrolment && payoutStanding(shown, enrolment);
  return {
    payout,
    figures,
    transitions,
    isOpen: !!enrolment,
    isDisputed: enrolment?.isDisputed ?? false,
  };
}

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
      const folded = fold(account, definition, batches, () => random.chance(0.01));
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
      const unbroken = fold(account, definition, batches, () => false);
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
