import type { LossSight } from '../../words/programs.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import { type LimitRoom, limitRoom } from '../live/limit-room.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { known } from '../live/number-rows.ts';
import { type DayFigures, dayFigures } from './day-results.ts';
import { dealVerdict } from './deal-verdict.ts';
import type { EnrolmentFigures } from './enrolment-transition.ts';
import type { Violation } from './judge-deals.ts';
import { type LimitTracker, type LiveEnrolment, PAUSED } from './live-enrolment.ts';
import { profitBy, profitsOf, wholeOf } from './phase-objectives.ts';
import { type PayoutStanding, payoutStanding } from './phase-payout.ts';
import { bestDayLimit, leastOf, type PhaseTerms, termsOf } from './phase-terms.ts';
import {
  breachesUntilFailed,
  type EnrolmentDefinition,
  isDealRule,
  type Objective,
  type Rule,
} from './program-definition.ts';

/** The state of a rule: the room of its limit, or when time will break it. */
export type RuleProgress = {
  kind: Rule['kind'];
  room?: LimitRoom | undefined;
  /** Absent before the phase begins and while it is paused. */
  endUtcMs?: number | undefined;
  /** How often it was broken, and how often it may not be, if it counts. */
  breaches?: number | undefined;
  failsAt?: number | undefined;
  /** Of an open loss. */
  seenBy?: LossSight | undefined;
};

/** The state of an objective: what is reached, and what is needed. */
export type ObjectiveProgress = {
  kind: Objective['kind'];
  isMet: boolean;
  /** Money, or a number of days. Absent while it is not known. */
  value?: number | undefined;
  /**
   * The least that meets it; for consistency the most that the best day may make, below zero while
   * its base is not positive.
   */
  needed: number;
};

export type EnrolmentProgress = {
  enrolmentId: string;
  state: 'running' | 'paused';
  /** It ended, but would not have by the facts known now: it is folded on, and judged again. */
  isDisputed: boolean;
  /** Absent until the phase has begun. */
  startTimeMs?: BrokerTimeMs | undefined;
  figures: EnrolmentFigures;
  /** In the order of the phase. */
  rules: RuleProgress[];
  objectives: ObjectiveProgress[];
  /** Of rules over deals, the newest; absent without such rules, or before the phase begins. */
  violations?: readonly Violation[] | undefined;
  /** Only of a phase with payouts. */
  payout?: PayoutStanding | undefined;
};

const NO_DAYS: DayFigures = {
  ...{ total: 0, winning: 0, best: 0, tradingDays: 0, profitableDays: 0, today: 0 },
};

export function enrolmentFigures(account: LiveAccount, enrolment: LiveEnrolment): EnrolmentFigures {
  const profits = profitsOf(account, enrolment);
  const { hasBegun, payouts, paidOut, terms } = enrolment;
  return {
    ...(hasBegun ? dayFigures(enrolment) : NO_DAYS),
    ...(hasBegun && terms.payout ? { payouts, paidOut } : {}),
    balance: known(account.balance),
    equity: known(account.equity),
    profit: profits?.balance,
    equityProfit: profits?.equity,
  };
}

/** State of an enrolment that has not ended, as of the newest item. */
export function enrolmentProgress(
  account: LiveAccount,
  enrolment: LiveEnrolment,
): EnrolmentProgress {
  const { definition, id, startTimeMs, state } = enrolment;
  const figures = enrolmentFigures(account, enrolment);
  const { rules, objectives } = definition.phase;
  return {
    enrolmentId: id,
    state: state === PAUSED ? 'paused' : 'running',
    isDisputed: enrolment.isDisputed,
    startTimeMs: known(startTimeMs),
    figures,
    rules: rules.map((rule, index) => ruleProgress(account, enrolment, rule, index)),
    objectives: objectives.map((one) => objectiveProgress(one, figures, enrolment.terms)),
    violations: dealVerdict(account, enrolment)?.violations,
    payout: payoutStanding(account, enrolment),
  };
}

/** States of an enrolment's objectives, by its figures. */
export function objectivesProgress(
  definition: EnrolmentDefinition,
  figures: EnrolmentFigures,
): ObjectiveProgress[] {
  const terms = termsOf(definition);
  return definition.phase.objectives.map((one) => objectiveProgress(one, figures, terms));
}

function ruleProgress(
  account: LiveAccount,
  enrolment: LiveEnrolment,
  rule: Rule,
  index: number,
): RuleProgress {
  const { kind } = rule;
  const limit = enrolment.limits.find(({ ruleIndex }) => ruleIndex === index);
  if (limit) return { kind, room: limitRoom(account, limit.tracker), ...breachesOf(limit) };
  if (isDealRule(rule)) {
    const breaches = dealVerdict(account, enrolment)?.counts.get(index) ?? 0;
    const most = breachesUntilFailed(rule);
    const failsAt = most > 1 && Number.isFinite(most) ? most : undefined;
    return { kind, breaches, failsAt, seenBy: kind === 'openLoss' ? 'closes' : undefined };
  }
  const endUtcMs = kind === 'timeLimit' ? enrolment.deadlineUtcMs : enrolment.idleUntilUtcMs;
  return { kind, endUtcMs: enrolment.state === PAUSED ? undefined : known(endUtcMs) };
}

const breachesOf = ({ tracker, failsAt }: LimitTracker): Partial<RuleProgress> =>
  failsAt > 1 && Number.isFinite(failsAt) ? { breaches: tracker.breaches, failsAt } : {};

function objectiveProgress(
  objective: Objective,
  figures: EnrolmentFigures,
  terms: PhaseTerms,
): ObjectiveProgress {
  const { kind } = objective;
  const standing = (value: number | undefined, needed: number): ObjectiveProgress => ({
    ...{ kind, value, needed },
    isMet: value !== undefined && value >= needed,
  });
  switch (kind) {
    case 'profitTarget': {
      const { profit: balance, equityProfit: equity } = figures;
      const isKnown = balance !== undefined && equity !== undefined;
      const value = isKnown ? profitBy({ balance, equity }, objective.by ?? 'balance') : undefined;
      return standing(value, leastOf(objective, terms.initialBalance));
    }
    case 'tradingDays':
      return standing(figures.tradingDays, objective.days);
    case 'profitableDays':
      return standing(figures.profitableDays, objective.days);
    case 'consistency': {
      const most = bestDayLimit(objective, wholeOf(objective, figures, terms));
      return { kind, value: figures.best, needed: most, isMet: figures.best <= most };
    }
  }
}
