import { DAY_STARTS, TRAILS } from '../../words/programs.ts';
import type { TrackerAction, TrackerDefinition } from '../live/tracker-definition.ts';
import {
  type EnrolmentDefinition,
  isLossRule,
  type LossRule,
  type Size,
} from './program-definition.ts';

/** A tracker that an enrolment owns; `ruleIndex` is the place of the rule that it measures. */
export type OwnedTracker = { definition: TrackerDefinition; ruleIndex: number | undefined };

/**
 * The trackers of an enrolment: one over the whole phase, which sums up deposits and withdrawals
 * that are no payouts, and one for each loss limit. Only trackers measure limits, so a program and
 * a tracker with the same rule reach the same verdict.
 */
export function trackersOf(enrolment: EnrolmentDefinition): OwnedTracker[] {
  const { id, phase, initialBalance, startTimeMs } = enrolment;
  const common = {
    startTimeMs,
    initialCapital: initialBalance,
    adjustDeals: phase.adjustDeals,
    resetClock: phase.resetClock,
  };
  const progress: TrackerDefinition = {
    ...common,
    id: progressTrackerId(id),
    name: `${id} progress`,
    period: 'lifetime',
    baseline: 'initialCapital',
    onPayout: phase.payout && 'stays',
  };
  const limits = phase.rules.flatMap((rule, ruleIndex) => {
    if (!isLossRule(rule)) return [];
    const name = `${id} rule ${ruleIndex + 1}`;
    const limit = {
      ...common,
      ...limitOf(rule, enrolment),
      id: ruleTrackerId(id, ruleIndex),
      name,
    };
    return [{ definition: limit, ruleIndex }];
  });
  return [{ definition: progress, ruleIndex: undefined }, ...limits];
}

export const progressTrackerId = (enrolmentId: string): string => `${enrolmentId}.progress`;
export const ruleTrackerId = (enrolmentId: string, ruleIndex: number): string =>
  `${enrolmentId}.rule-${ruleIndex + 1}`;

/** Owns the actions of a phase that is passed; there is no such tracker. */
export const passingId = (enrolmentId: string): string => `${enrolmentId}.passing`;

/** The actions of the rules and of passing; `trackerId` is the tracker of a rule on losses. */
export const actionsOf = ({
  id,
  phase,
}: EnrolmentDefinition): { trackerId: string; actions: readonly TrackerAction[] }[] => [
  ...phase.rules.flatMap((rule, ruleIndex) =>
    rule.actions ? [{ trackerId: ruleTrackerId(id, ruleIndex), actions: rule.actions }] : [],
  ),
  ...(phase.actions ? [{ trackerId: passingId(id), actions: phase.actions }] : []),
];

type Limit = Omit<TrackerDefinition, 'id' | 'name'>;

function limitOf(rule: LossRule, { initialBalance }: EnrolmentDefinition): Limit {
  const { measured, inclusive, warnAt, actions, settleSeconds } = rule;
  const thresholds = {
    relativeDrawdownThreshold: rule.share,
    absoluteDrawdownThreshold: rule.amount,
    measures: measured,
    inclusive,
    warnAt,
    actions,
    settleSeconds,
    limitBase: isOfInitialBalance(rule) ? ('initialCapital' as const) : ('baseline' as const),
  };
  if (rule.kind === 'dailyLoss') {
    return {
      ...thresholds,
      period: 'date',
      baseline: DAY_STARTS[rule.from ?? 'balance'].baseline,
      judgedAtEnd: rule.judged === 'dayEnd' || undefined,
    };
  }
  const { trails, lockAbove, onPayout } = rule;
  return {
    ...thresholds,
    period: 'lifetime',
    baseline: trails === undefined ? 'initialCapital' : TRAILS[trails].baseline,
    lockAt: lockAbove === undefined ? undefined : initialBalance + lockAbove,
    onPayout,
  };
}

const isOfInitialBalance = (rule: LossRule & Size): boolean =>
  rule.shareOf === undefined || rule.shareOf === 'initialBalance';
