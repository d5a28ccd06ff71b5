import type {
  NewProgram,
  PayoutTermsRecord,
  ProgramObjectiveRecord,
  ProgramPhaseRecord,
  ProgramRuleRecord,
} from '../../contract/operations/programs.ts';
import type { TrackerAction } from '../../domain/live/tracker-definition.ts';
import { toUnits, toVolume } from '../../domain/money.ts';
import { checkPhase } from '../../domain/programs/check-program.ts';
import type {
  DealRule,
  Objective,
  Payout,
  Phase,
  Rule,
} from '../../domain/programs/program-definition.ts';
import type { Fault } from '../errors.ts';

/** With any digits: the consistency of amounts does not depend on them. */
const SOME_DIGITS = 4;

const LOSS_FIELDS = [
  ...['share', 'amount', 'inclusive', 'warnAt', 'onBreach', 'shareOf', 'actions', 'settleSeconds'],
  ...['measured', 'splitOnBreach'],
];
const DEAL_FIELDS = ['onBreach', 'failsAt', 'actions'];
/** The fields of a rule or objective of each kind, besides the kind. */
const FIELDS: Record<(Rule | Objective)['kind'], readonly string[]> = {
  dailyLoss: [...LOSS_FIELDS, 'from', 'failsAt', 'judged'],
  maximumLoss: [...LOSS_FIELDS, 'trails', 'lockAbove', 'onPayout'],
  timeLimit: ['days', 'actions'],
  inactivity: ['days', 'actions'],
  allowedSymbols: [...DEAL_FIELDS, 'only', 'excluded'],
  openAtOnce: [...DEAL_FIELDS, 'lots', 'positions', 'per', 'warnAt'],
  hedging: DEAL_FIELDS,
  closedHours: [...DEAL_FIELDS, 'starts', 'ends', 'forbids'],
  holdingTime: [...DEAL_FIELDS, 'seconds'],
  openLoss: [...DEAL_FIELDS, 'share', 'amount', 'inclusive', 'warnAt'],
  profitTarget: ['share', 'amount', 'by'],
  tradingDays: ['days', 'count'],
  profitableDays: ['share', 'amount', 'days'],
  consistency: ['share', 'of', 'inclusive'],
};

/** The actions that breaches of its rules, or its passing, start. */
export const phaseActions = ({ rules, actions = [] }: ProgramPhaseRecord): TrackerAction[] => [
  ...rules.flatMap((rule) => rule.actions ?? []),
  ...actions,
];

/** The faults of the given fields of a program. */
export const programFaults = ({ phases = [] }: Partial<NewProgram>): Fault[] =>
  phases.flatMap((phase, index) => definePhase(phase, SOME_DIGITS, `phases[${index}]`).faults);

/** The phase with its amounts in units of a currency with these digits, and all its faults. */
export function definePhase(
  { rules, objectives, payout, actions, ...rest }: ProgramPhaseRecord,
  digits: number,
  at: string,
): { phase: Phase; faults: Fault[] } {
  const faults: Fault[] = [];
  const moneyAt = (place: string, amount: number | undefined): number | undefined => {
    if (amount === undefined) return undefined;
    try {
      return toUnits(amount, digits);
    } catch {
      faults.push({ parameter: place, message: 'is too large to be stored exactly' });
      return undefined;
    }
  };
  const phase: Phase = {
    ...rest,
    rules: rules.map((rule, index) => {
      const place = `${at}.rules[${index}]`;
      faults.push(...strangeFields(rule, place));
      const amount = moneyAt(`${place}.amount`, rule.amount);
      return ruleOf(rule, amount, moneyAt(`${place}.lockAbove`, rule.lockAbove));
    }),
    objectives: objectives.map((objective, index) => {
      const place = `${at}.objectives[${index}]`;
      faults.push(...strangeFields(objective, place));
      return objectiveOf(objective, moneyAt(`${place}.amount`, objective.amount));
    }),
    payout: payout && payoutOf(payout, (name, amount) => moneyAt(`${at}.payout.${name}`, amount)),
    actions: actions?.map((action) => ({ moment: 'passing', ...action })),
  };
  faults.push(...checkPhase(phase, at));
  return { phase, faults };
}

function strangeFields(one: ProgramRuleRecord | ProgramObjectiveRecord, at: string): Fault[] {
  const { kind } = one;
  const known = ['kind', ...FIELDS[kind]];
  const faults = Object.keys(one)
    .filter((field) => !known.includes(field))
    .map((field) => ({ parameter: `${at}.${field}`, message: `is not a field of ${kind}` }));
  const base = 'shareOf' in one ? one.shareOf : undefined;
  const other = kind === 'dailyLoss' ? 'peak' : 'dayStart';
  if (base === other) {
    faults.push({ parameter: `${at}.shareOf`, message: `must not be ${other} in ${kind}` });
  }
  return faults;
}

function payoutOf(
  { buffer, minimum, caps, ...rest }: PayoutTermsRecord,
  moneyAt: (name: string, amount: number | undefined) => number | undefined,
): Payout {
  return {
    ...rest,
    buffer: moneyAt('buffer', buffer),
    minimum: moneyAt('minimum', minimum),
    caps: caps?.map((cap, index) => moneyAt(`caps[${index}]`, cap) ?? cap),
  };
}

function ruleOf(
  record: ProgramRuleRecord,
  amount: number | undefined,
  lockAbove: number | undefined,
): Rule {
  const { kind, days = 0, from, failsAt, judged, trails, shareOf, onPayout } = record;
  const { share, inclusive, warnAt, onBreach, actions, settleSeconds } = record;
  const { measured, splitOnBreach } = record;
  const limit = {
    ...{ share, amount, inclusive, warnAt, onBreach, actions, settleSeconds },
    ...{ measured, splitOnBreach },
  };
  switch (kind) {
    case 'dailyLoss':
      return {
        ...{ kind, ...limit, from, failsAt, judged },
        shareOf: shareOf === 'peak' ? undefined : shareOf,
      };
    case 'maximumLoss': {
      const base = shareOf === 'dayStart' ? undefined : shareOf;
      return { kind, ...limit, trails, shareOf: base, lockAbove, onPayout };
    }
    case 'timeLimit':
    case 'inactivity':
      return { kind, days, actions };
    case 'allowedSymbols':
    case 'openAtOnce':
    case 'hedging':
    case 'closedHours':
    case 'holdingTime':
    case 'openLoss':
      return dealRuleOf({ ...record, kind }, amount);
  }
}

/** A kind without a required field is reported by checkPhase. */
function dealRuleOf(
  record: ProgramRuleRecord & { kind: DealRule['kind'] },
  amount: number | undefined,
): DealRule {
  const { kind, onBreach, failsAt, actions, lots, ...given } = record;
  const common = { onBreach, failsAt, actions };
  switch (kind) {
    case 'allowedSymbols':
      return { kind, only: given.only, excluded: given.excluded, ...common };
    case 'openAtOnce': {
      const { positions, per, warnAt } = given;
      return {
        kind,
        lots: lots === undefined ? undefined : toVolume(lots),
        positions,
        ...{ per, warnAt },
        ...common,
      };
    }
    case 'hedging':
      return { kind, ...common };
    case 'closedHours': {
      const { starts = '', ends = '', forbids = 'holding' } = given;
      return { kind, starts, ends, forbids, ...common };
    }
    case 'holdingTime':
      return { kind, seconds: given.seconds ?? 0, ...common };
    case 'openLoss': {
      const { share, inclusive, warnAt } = given;
      return { kind, share, amount, inclusive, warnAt, ...common };
    }
  }
}

function objectiveOf(
  { kind, days = 0, share, by, count, of, inclusive }: ProgramObjectiveRecord,
  amount: number | undefined,
): Objective {
  switch (kind) {
    case 'profitTarget':
      return { kind, share, amount, by };
    case 'tradingDays':
      return { kind, days, count };
    case 'profitableDays':
      return { kind, days, share, amount };
    case 'consistency':
      return { kind, share: share ?? 0, of, inclusive };
  }
}
