import { isKnownZone } from '../broker-time.ts';
import { checkActions, isTimeOfDay, type TrackerFault } from '../live/check-tracker.ts';
import { RELATIVE_SCALE } from '../live/portion.ts';
import { MAX_RELATIVE_PROFIT } from '../live/tracker-definition.ts';
import {
  type Consistency,
  isLossRule,
  type LossRule,
  type Objective,
  type Phase,
  type Rule,
  type Size,
} from './program-definition.ts';

/** The most days of a limit or objective: ten years. */
export const MAX_DAYS = 3660;

/** A phase has at most one of each of these. */
const SINGLE: readonly (Rule | Objective)['kind'][] = [
  'timeLimit',
  'inactivity',
  'tradingDays',
  'profitableDays',
];

/** All faults of a phase; `at` is its path in the program. */
export function checkPhase(phase: Phase, at: string): TrackerFault[] {
  const { rules, objectives, resetClock } = phase;
  const faults = [
    ...rules.flatMap((rule, index) => checkRule(rule, `${at}.rules[${index}]`)),
    ...objectives.flatMap((one, index) => checkObjective(one, phase, `${at}.objectives[${index}]`)),
  ];
  for (const kind of SINGLE) {
    const count = [...rules, ...objectives].filter((one) => one.kind === kind).length;
    if (count > 1) faults.push({ parameter: at, message: `must have at most one ${kind}` });
  }
  if (resetClock && !isKnownZone(resetClock.zone)) {
    faults.push({ parameter: `${at}.resetClock.zone`, message: 'must be a known IANA zone' });
  }
  if (resetClock && !isTimeOfDay(resetClock.time)) {
    faults.push({ parameter: `${at}.resetClock.time`, message: 'must be a time of day as HH:mm' });
  }
  return faults;
}

function checkRule(rule: Rule, at: string): TrackerFault[] {
  const limit = isLossRule(rule) ? rule : undefined;
  const faults = checkActions(rule.actions ?? [], `${at}.actions`, limit);
  if (!isLossRule(rule)) return [...checkDays(rule.days, at), ...faults];
  faults.push(...checkSize(rule, 1, at));
  if (rule.shareOf !== undefined && rule.share === undefined) {
    faults.push({ parameter: `${at}.shareOf`, message: 'needs a share' });
  }
  if (rule.warnAt !== undefined && !(rule.warnAt > 0 && rule.warnAt < 1)) {
    faults.push({ parameter: `${at}.warnAt`, message: 'must be more than 0 and less than 1' });
  }
  if (rule.kind === 'maximumLoss') faults.push(...checkTrail(rule, at));
  return faults;
}

function checkTrail(rule: LossRule & { kind: 'maximumLoss' }, at: string): TrackerFault[] {
  if (rule.trails !== undefined) return [];
  const needsTrail = ['lockAbove', 'shareOf'] as const;
  return needsTrail
    .filter((field) => rule[field] !== undefined && rule[field] !== 'initialBalance')
    .map((field) => ({ parameter: `${at}.${field}`, message: 'needs a limit that trails' }));
}

function checkObjective(objective: Objective, phase: Phase, at: string): TrackerFault[] {
  switch (objective.kind) {
    case 'profitTarget':
      return checkSize(objective, MAX_RELATIVE_PROFIT, at);
    case 'tradingDays':
      return checkDays(objective.days, at);
    case 'profitableDays':
      return [...checkDays(objective.days, at), ...checkSize(objective, 1, at)];
    case 'consistency':
      return checkConsistency(objective, phase, at);
  }
}

function checkConsistency(rule: Consistency, phase: Phase, at: string): TrackerFault[] {
  const faults = checkShare(rule.share, 1, at);
  const hasTarget = phase.objectives.some(({ kind }) => kind === 'profitTarget');
  if (rule.of === 'profitTarget' && !hasTarget) {
    faults.push({ parameter: `${at}.of`, message: 'needs a profit target in the phase' });
  }
  return faults;
}

function checkSize({ share, amount }: Size, most: number, at: string): TrackerFault[] {
  if ((share === undefined) === (amount === undefined)) {
    return [{ parameter: at, message: 'needs a share or an amount, but not both' }];
  }
  if (share !== undefined) return checkShare(share, most, at);
  if (amount !== undefined && amount > 0) return [];
  return [{ parameter: `${at}.amount`, message: 'must be more than 0' }];
}

function checkShare(share: number, most: number, at: string): TrackerFault[] {
  if (share <= most && Math.round(share * RELATIVE_SCALE) > 0) return [];
  const message = `must be more than 0 and at most ${most}: it is a fraction of 1, so 0.05 is 5 %`;
  return [{ parameter: `${at}.share`, message }];
}

function checkDays(days: number, at: string): TrackerFault[] {
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return [];
  return [{ parameter: `${at}.days`, message: `must be a whole number from 1 to ${MAX_DAYS}` }];
}
