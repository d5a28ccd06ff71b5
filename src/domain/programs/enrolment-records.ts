import type { BrokerTimeMs } from '../broker-time.ts';
import { type LimitRoom, limitRoom } from '../live/limit-room.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { known } from '../live/number-rows.ts';
import type { Money } from '../money.ts';
import { type DayFigures, dayFigures } from './day-results.ts';
import { type LiveEnrolment, PAUSED } from './live-enrolment.ts';
import { profitBy, profitsOf, wholeOf } from './phase-objectives.ts';
import { bestDayLimit, leastOf, type PhaseTerms, termsOf } from './phase-terms.ts';
import type { EnrolmentDefinition, Objective, Rule } from './program-definition.ts';

/** What an enrolment came to at a moment. Profits are absent until the account holds something. */
export type EnrolmentFigures = DayFigures & {
  balance?: Money | undefined;
  equity?: Money | undefined;
  profit?: Money | undefined;
  equityProfit?: Money | undefined;
};

/** A change of an enrolment's state, with what it was decided by. */
export type EnrolmentTransition = {
  accountId: string;
  enrolmentId: string;
  /** Counts the changes of this enrolment, from 1. */
  count: number;
  to: 'running' | 'paused' | 'passed' | 'failed' | 'withdrawn';
  timeMs: BrokerTimeMs;
  utcMs: number;
  /** The phase's rule that was broken, by its place and kind. */
  ruleIndex?: number | undefined;
  rule?: Rule['kind'] | undefined;
  /** The event of the rule's tracker; none where time broke the rule. */
  breach?: { trackerId: string; startTimeMs: BrokerTimeMs } | undefined;
  /** When the phase began; absent where it had not. */
  beganTimeMs?: BrokerTimeMs | undefined;
  /**
   * Of a rule of days, the day from which they were counted, since 1970 by the clock of the phase:
   * its first one, which counts; or the newest with a trade, which does not.
   */
  countedFromDay?: number | undefined;
  /** Who asked for it; absent where the rules decided. */
  by?: string | undefined;
  figures: EnrolmentFigures;
};

/** How a rule stands: the room of its limit, or the moment at which time breaks it. */
export type RuleProgress = {
  kind: Rule['kind'];
  room?: LimitRoom | undefined;
  /** Absent before the phase begins and while it is paused. */
  endUtcMs?: number | undefined;
};

/** How an objective stands: what there is, and what it takes. */
export type ObjectiveProgress = {
  kind: Objective['kind'];
  isMet: boolean;
  /** Money, or a number of days. Absent while it is not known. */
  value?: number | undefined;
  /**
   * The least that meets it; of consistency the most that the best day may have made, below zero
   * while there is nothing to have made a share of.
   */
  needed: number;
};

export type EnrolmentProgress = {
  enrolmentId: string;
  state: 'running' | 'paused';
  /** Absent until the phase has begun. */
  startTimeMs?: BrokerTimeMs | undefined;
  figures: EnrolmentFigures;
  /** In the order of the phase. */
  rules: RuleProgress[];
  objectives: ObjectiveProgress[];
};

const NO_DAYS: DayFigures = {
  ...{ total: 0, winning: 0, best: 0, tradingDays: 0, profitableDays: 0, today: 0 },
};

export function enrolmentFigures(account: LiveAccount, enrolment: LiveEnrolment): EnrolmentFigures {
  const profits = profitsOf(account, enrolment);
  return {
    ...(enrolment.hasBegun ? dayFigures(enrolment) : NO_DAYS),
    balance: known(account.balance),
    equity: known(account.equity),
    profit: profits?.balance,
    equityProfit: profits?.equity,
  };
}

/** How an enrolment that goes on stands as of the newest item. */
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
    startTimeMs: known(startTimeMs),
    figures,
    rules: rules.map((rule, index) => ruleProgress(account, enrolment, rule, index)),
    objectives: objectives.map((one) => objectiveProgress(one, figures, enrolment.terms)),
  };
}

/** How the objectives of an enrolment stand, or stood, by its figures. */
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
  { kind }: Rule,
  index: number,
): RuleProgress {
  const limit = enrolment.limits.find(({ ruleIndex }) => ruleIndex === index);
  if (limit) return { kind, room: limitRoom(account, limit.tracker) };
  const endUtcMs = kind === 'timeLimit' ? enrolment.deadlineUtcMs : enrolment.idleUntilUtcMs;
  return { kind, endUtcMs: enrolment.state === PAUSED ? undefined : known(endUtcMs) };
}

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
