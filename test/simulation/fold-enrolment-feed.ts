import assert from 'node:assert/strict';
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
import {
  type EnrolmentDefinition,
  isDealRule,
} from '../../src/domain/programs/program-definition.ts';
import { closesInFeed } from './oracle-enrolment.ts';
import type { SimulatedAccount } from './simulated-accounts.ts';
import { type FeedBatch, liveDealOfWire, moneyOfWire, timeOfWire, type WireDeal } from './wire.ts';

/** Folds the feed of one account, whose state is stored and loaded again as often as given. */
export function foldEnrolment(
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
  let arrivals = 0;
  /** The arrivals with which transitions came. */
  const arrivalsOfEnds: number[] = [];
  const warnings: { arrival: number; ruleIndex: number; timeMs: number }[] = [];
  const noteEnds = () => {
    const { length } = effects.transitions;
    while (arrivalsOfEnds.length < length) arrivalsOfEnds.push(arrivals);
    for (const { near, timeMs } of effects.warnings.splice(0)) {
      warnings.push({ arrival: arrivals, ruleIndex: near.ruleIndex, timeMs });
    }
    arrivals += 1;
  };
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
      if (batch.accountId !== id) continue;
      foldDeals(account, dealsOf(batch.deals), receivedUtcMs, effects);
      noteEnds();
      continue;
    }
    for (const { accountId, brokerTime, balance, equity, deals } of batch.snapshots) {
      if (accountId !== id) continue;
      const [timeMs, held, worth] = [
        timeOfWire(brokerTime),
        moneyOfWire(balance),
        moneyOfWire(equity),
      ];
      const fresh = dealsOf(deals);
      const outcome = foldSnapshot(account, timeMs, held, worth, fresh, receivedUtcMs, effects);
      if (outcome !== 'too-far-ahead') noteEnds();
    }
    const ofDeals = account.dealRules.map(({ enrolmentId }) => enrolmentId);
    const isJudged = ({ id: own, phase }: EnrolmentDefinition) =>
      ofDeals.includes(own) || !phase.rules.some(isDealRule);
    if (!account.enrolments.every((one) => isJudged(one.definition))) {
      throw new Error('A disputed enrolment lost its rules over deals');
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
    ...{ arrivalsOfEnds, warnings },
    counts: account.dealRules[0]?.verdict?.counts,
    isOpen: !!enrolment && (!enrolment.isHeld || enrolment.isDisputed),
    isDisputed: enrolment?.isDisputed ?? false,
  };
}
