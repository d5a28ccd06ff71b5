import { isKnownZone } from '../broker-time.ts';
import { checkActions, isTimeOfDay, type TrackerFault } from '../live/check-tracker.ts';
import { RELATIVE_SCALE } from '../live/portion.ts';
import { MAX_RELATIVE_PROFIT } from '../live/tracker-definition.ts';
import { checkDealRule } from './check-deal-rule.ts';
import {
  type Consistency,
  type DailyLoss,
  type DealRule,
  isDealRule,
  isLossRule,
  type LossRule,
  type Objective,
  type Payout,
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
  const { rules, objectives, resetClock, payout, actions = [] } = phase;
  const faults = [
    ...rules.flatMap((rule, index) => checkRule(rule, phase, `${at}.rules[${index}]`)),
    ...(payout ? checkPayout(payout, phase, `${at}.payout`) : []),
    ...objectives.flatMap((one, index) => checkObjective(one, phase, `${at}.objectives[${index}]`)),
    ...checkActions(actions, `${at}.actions`, 'phase'),
  ];
  if (actions.length > 0 && (payout || objectives.length === 0)) {
    const message = 'need objectives, and no payout: otherwise the phase never passes';
    faults.push({ parameter: `${at}.actions`, message });
  }
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

function checkRule(rule: Rule, phase: Phase, at: string): TrackerFault[] {
  const period = rule.kind === 'dailyLoss' ? 'date' : 'lifetime';
  const warnAt = 'warnAt' in rule ? rule.warnAt : undefined;
  const warns = warnAt === undefined ? 'days' : 'deals';
  const owner = isLossRule(rule) ? ({ ...rule, period } as const) : warns;
  const faults = checkActions(rule.actions ?? [], `${at}.actions`, owner);
  if (warnAt !== undefined && !(warnAt > 0 && warnAt < 1)) {
    faults.push({ parameter: `${at}.warnAt`, message: 'must be more than 0 and less than 1' });
  }
  if (isDealRule(rule)) {
    if (rule.kind === 'openLoss') faults.push(...checkSize(rule, 1, at));
    return [...checkDealRule(rule, at), ...faults, ...checkCount(rule, at)];
  }
  if (!isLossRule(rule)) return [...checkDays(rule.days, at), ...faults];
  faults.push(...checkSize(rule, 1, at));
  if (rule.shareOf !== undefined && rule.share === undefined) {
    faults.push({ parameter: `${at}.shareOf`, message: 'needs a share' });
  }
  if (rule.measured === 'balance') faults.push(...checkClosedTrades(rule, at));
  faults.push(...checkSplit(rule, phase, at));
  if (rule.kind === 'dailyLoss') {
    return [...faults, ...checkCount(rule, at), ...checkVerdict(rule, at), ...checkReset(rule, at)];
  }
  return [...faults, ...checkTrail(rule, at), ...checkFloor(rule, phase, at)];
}

const startsWithBalance = (rule: LossRule): boolean =>
  rule.kind === 'dailyLoss' ? (rule.from ?? 'balance') === 'balance' : rule.trails !== 'equity';

function checkClosedTrades(rule: LossRule, at: string): TrackerFault[] {
  const parameter = `${at}.measured`;
  if (!startsWithBalance(rule)) {
    return [{ parameter, message: 'balance must be measured from the balance' }];
  }
  if (!needsPlatform(rule)) return [];
  const message = 'balance needs actions with confirm none or person: platforms confirm by equity';
  return [{ parameter, message }];
}

const needsPlatform = ({ actions = [] }: LossRule): boolean =>
  actions.some(
    ({ confirm = 'platform', moment = 'breach' }) =>
      confirm === 'platform' && (moment === 'breach' || moment === 'warning'),
  );

function checkVerdict(rule: DailyLoss, at: string): TrackerFault[] {
  if (rule.judged !== 'dayEnd') return [];
  const parameter = `${at}.judged`;
  if (rule.settleSeconds !== undefined) {
    return [{ parameter, message: 'dayEnd waits for no explanation: leave out settleSeconds' }];
  }
  if (!needsPlatform(rule)) return [];
  const message = 'dayEnd needs actions with confirm none or person: the day is over by then';
  return [{ parameter, message }];
}

/** Whoever breaks the rule has to trade again, in a day that is not over yet. */
function checkReset({ actions = [], onBreach, judged }: DailyLoss, at: string): TrackerFault[] {
  if (!actions.some(({ moment }) => moment === 'reset')) return [];
  if (onBreach === 'record' && judged !== 'dayEnd') return [];
  const message = 'reset needs onBreach record, and a loss that is judged at once';
  return [{ parameter: `${at}.actions`, message }];
}

function checkSplit({ splitOnBreach, onBreach }: LossRule, { payout }: Phase, at: string) {
  if (splitOnBreach === undefined) return [];
  if (onBreach === 'record' && payout) return checkShare(splitOnBreach, 1, at, 'splitOnBreach');
  const message = 'needs onBreach record, in a phase with payouts';
  return [{ parameter: `${at}.splitOnBreach`, message }];
}

function checkCount({ failsAt, onBreach }: DailyLoss | DealRule, at: string): TrackerFault[] {
  if (failsAt === undefined) return [];
  const parameter = `${at}.failsAt`;
  if (onBreach !== 'record') return [{ parameter, message: 'needs onBreach record' }];
  if (Number.isInteger(failsAt) && failsAt >= 2) return [];
  return [{ parameter, message: 'must be a whole number from 2: without it the first one fails' }];
}

function checkFloor(
  { onPayout, lockAbove }: LossRule & { kind: 'maximumLoss' },
  { payout }: Phase,
  at: string,
): TrackerFault[] {
  if (onPayout === undefined) return [];
  const parameter = `${at}.onPayout`;
  if (!payout) return [{ parameter, message: 'needs a phase with payouts' }];
  if (onPayout !== 'locks' || lockAbove !== undefined) return [];
  return [{ parameter, message: 'locks needs lockAbove, the place where it locks' }];
}

function checkPayout(payout: Payout, { adjustDeals }: Phase, at: string): TrackerFault[] {
  const { share, split, days, firstDays, buffer = 0, minimum = 1, caps = [] } = payout;
  const faults = [
    ...Object.entries({ share, split }).flatMap(([name, one = 1]) => checkShare(one, 1, at, name)),
    ...Object.entries({ days, firstDays }).flatMap(([name, one = 1]) => checkDays(one, at, name)),
  ];
  if (buffer < 0) faults.push({ parameter: `${at}.buffer`, message: 'must not be less than 0' });
  for (const [name, amounts] of Object.entries({ minimum: [minimum], caps })) {
    if (amounts.every((amount) => amount > 0)) continue;
    faults.push({ parameter: `${at}.${name}`, message: 'must be more than 0' });
  }
  if (adjustDeals && !adjustDeals.includes('DEAL_TYPE_BALANCE')) {
    const message = 'needs DEAL_TYPE_BALANCE among adjustDeals: payouts are such deals';
    faults.push({ parameter: at, message });
  }
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

function checkShare(share: number, most: number, at: string, name = 'share'): TrackerFault[] {
  if (share <= most && Math.round(share * RELATIVE_SCALE) > 0) return [];
  const message = `must be more than 0 and at most ${most}: it is a fraction of 1, so 0.05 is 5 %`;
  return [{ parameter: `${at}.${name}`, message }];
}

function checkDays(days: number, at: string, name = 'days'): TrackerFault[] {
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return [];
  return [{ parameter: `${at}.${name}`, message: `must be a whole number from 1 to ${MAX_DAYS}` }];
}
