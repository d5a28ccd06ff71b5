import type {
  NewProgram,
  PayoutTermsRecord,
  ProgramObjectiveRecord,
  ProgramPhaseRecord,
  ProgramRuleRecord,
} from '../../../src/contract/operations/programs.ts';
import { USUALLY_ADJUSTED } from '../../../src/words/deals.ts';
import { OBJECTIVE_KINDS, RULE_KINDS } from '../../../src/words/programs.ts';
import { type NumberRules, numberOf, readNumber, UNREADABLE } from '../lib/read-number.ts';
import { dayEndObstacle, resetClockOf } from '../rules/day-end.ts';
import { type ActionForm, actionsOf, SETTLE } from '../rules/rule-form.ts';
import type { LineForm, PhaseForm, ProgramForm } from './program-form.ts';
import { dealRuleFields, isOverDeals, obstacleOfDealRule, warnsOfDeals } from './read-deal-rule.ts';

/** A fraction is kept with seven digits. */
const PERCENT_DIGITS = 5;
const MOST_PERCENT = 9_000;
/** A program has no known currency: as many digits as any currency has. */
const MONEY_DIGITS = 8;
const MAX_MONEY = 900_000_000_000;

export const PERCENT: NumberRules = {
  units: ['%'],
  min: 0.00001,
  digits: PERCENT_DIGITS,
  max: 100,
};
export const TARGET_PERCENT: NumberRules = { ...PERCENT, max: MOST_PERCENT };
export const WARN_PERCENT: NumberRules = { ...PERCENT, max: 99.99999 };
export const AMOUNT: NumberRules = {
  min: 10 ** -MONEY_DIGITS,
  digits: MONEY_DIGITS,
  max: MAX_MONEY,
};
export const LOCK: NumberRules = { ...AMOUNT, min: 0 };
export const DAYS: NumberRules = { units: ['days', 'day'], isInteger: true, min: 1, max: 3660 };

export const BREACHES: NumberRules = { isInteger: true, min: 2, max: 1000 };

export const hasSize = (line: LineForm): boolean =>
  line.kind !== 'timeLimit' &&
  line.kind !== 'inactivity' &&
  line.kind !== 'tradingDays' &&
  (!isOverDeals(line) || line.kind === 'openLoss');
export const hasDays = ({ kind }: LineForm): boolean =>
  kind === 'timeLimit' ||
  kind === 'inactivity' ||
  kind === 'tradingDays' ||
  kind === 'profitableDays';
export const isLoss = ({ kind }: LineForm): boolean =>
  kind === 'dailyLoss' || kind === 'maximumLoss';
/** Whether recorded breaches may add up to a failure. */
export const counts = (line: LineForm): boolean =>
  (line.kind === 'dailyLoss' || isOverDeals(line)) && line.recordOnly;
/** Whether the loss may be one of the balance. */
export const fromBalance = (line: LineForm): boolean =>
  line.kind === 'dailyLoss'
    ? line.from === 'balance'
    : line.kind === 'maximumLoss' && line.trails !== 'equity';
/** A consistency is a share and nothing else. */
export const isShare = ({ kind, unit }: LineForm): boolean =>
  unit === 'share' || kind === 'consistency';

export const sizeRules = (line: LineForm): NumberRules =>
  !isShare(line) ? AMOUNT : line.kind === 'profitTarget' ? TARGET_PERCENT : PERCENT;

const TITLES = { ...RULE_KINDS, ...OBJECTIVE_KINDS };

/** Why the form can't be saved, in words; undefined if it can. */
export function obstacleOf(form: ProgramForm): string | undefined {
  if (form.name.trim() === '') return 'Give the program a name.';
  return obstacleOfPhases(form.phases);
}

/** Why its phases can't be put in words yet. */
export function obstacleOfPhases(phases: readonly PhaseForm[]): string | undefined {
  for (const [index, phase] of phases.entries()) {
    const what = obstacleOfPhase(phase);
    if (what !== undefined) return `Phase ${index + 1}${what}`;
  }
  return undefined;
}

function obstacleOfPhase(phase: PhaseForm): string | undefined {
  if (phase.name.trim() === '') return ': Give it a name.';
  const dayEnd = dayEndObstacle(phase);
  if (dayEnd !== undefined) return `: ${dayEnd}`;
  if (phase.isFunded && payoutNumbers(phase).some(({ kind }) => kind === 'unreadable')) {
    return `, payouts: ${UNREADABLE}`;
  }
  if (!phase.isFunded && lacksGroup(phase)) return `, when it is passed: ${NO_GROUP}`;
  for (const line of [...phase.rules, ...phase.objectives]) {
    const what = obstacleOfLine(line);
    if (what !== undefined) return `, ${TITLES[line.kind].toLowerCase()}: ${what}`;
  }
  return undefined;
}

function obstacleOfLine(line: LineForm): string | undefined {
  const ofDeals = obstacleOfDealRule(line);
  if (ofDeals !== undefined) return ofDeals;
  const required = [
    ...(hasSize(line) ? [readNumber(line.size, sizeRules(line))] : []),
    ...(hasDays(line) ? [readNumber(line.days, DAYS)] : []),
  ];
  const optional = isLoss(line)
    ? [
        readNumber(line.warnPercent, WARN_PERCENT),
        readNumber(line.lockAbove, LOCK),
        readNumber(line.settleSeconds, SETTLE),
        ...(line.recordOnly ? [readNumber(line.splitOnBreach, PERCENT)] : []),
      ]
    : warnsOfDeals(line)
      ? [readNumber(line.warnPercent, WARN_PERCENT)]
      : [];
  const breaches = counts(line) ? [readNumber(line.failsAt, BREACHES)] : [];
  if ([...required, ...optional, ...breaches].some(({ kind }) => kind === 'unreadable')) {
    return UNREADABLE;
  }
  if (required.some(({ kind }) => kind === 'empty')) return 'Say how much.';
  return lacksGroup(line) ? NO_GROUP : undefined;
}

const NO_GROUP = 'Name the group that the account is moved to.';
const lacksGroup = ({ actions, actionGroup }: ActionForm): boolean =>
  actions.includes('moveToGroup') && actionGroup.trim() === '';

const present = <T extends object>(
  fields: T,
): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<{
    [K in keyof T]: Exclude<T[K], undefined>;
  }>;

/** A percentage as a fraction, without the binary error of a division. */
const fraction = (text: string, rules: NumberRules): number | undefined => {
  const value = numberOf(readNumber(text, rules));
  return value === undefined ? undefined : Number((value / 100).toFixed(9));
};

/** The request; of a form with an obstacle, its readable part. */
export const toProgram = ({ name, phases }: ProgramForm): NewProgram => ({
  name: name.trim(),
  phases: phases.map(toPhase),
});

export function toPhase(phase: PhaseForm): ProgramPhaseRecord {
  const { name, adjustDeals, rules, objectives, isFunded, kept } = phase;
  const resetClock = resetClockOf(phase);
  return {
    ...kept,
    name: name.trim(),
    rules: rules.map((line) => toRule(line, isFunded)),
    objectives: objectives.map(toObjective),
    ...(isFunded ? { payout: toPayout(phase) } : passingActions(phase)),
    ...(resetClock ? { resetClock } : {}),
    ...(String(adjustDeals) === String(USUALLY_ADJUSTED) ? {} : { adjustDeals }),
  };
}

/** A funded phase never passes. */
const passingActions = (phase: PhaseForm): Pick<ProgramPhaseRecord, 'actions'> =>
  phase.actions.length === 0
    ? {}
    : { actions: actionsOf(phase).map((action) => ({ ...action, moment: 'passing' })) };

/** What is typed between semicolons. */
const capsOf = ({ caps }: PhaseForm) =>
  caps
    .split(';')
    .map((cap) => readNumber(cap, AMOUNT))
    .filter(({ kind }) => kind !== 'empty');

const payoutNumbers = (phase: PhaseForm) => [
  ...[phase.payoutDays, phase.firstDays].map((days) => readNumber(days, DAYS)),
  ...[phase.sharePercent, phase.splitPercent].map((share) => readNumber(share, PERCENT)),
  readNumber(phase.buffer, LOCK),
  readNumber(phase.minimum, AMOUNT),
  ...capsOf(phase),
];

function toPayout(phase: PhaseForm): PayoutTermsRecord {
  const caps = capsOf(phase).flatMap((cap) => numberOf(cap) ?? []);
  return {
    ...phase.payoutKept,
    ...present({
      days: numberOf(readNumber(phase.payoutDays, DAYS)),
      firstDays: numberOf(readNumber(phase.firstDays, DAYS)),
      share: fraction(phase.sharePercent, PERCENT),
      buffer: numberOf(readNumber(phase.buffer, LOCK)),
      minimum: numberOf(readNumber(phase.minimum, AMOUNT)),
      caps: caps.length > 0 ? caps : undefined,
      split: fraction(phase.splitPercent, PERCENT),
    }),
  };
}

const sizeOf = (line: LineForm) =>
  isShare(line)
    ? { share: fraction(line.size, sizeRules(line)) }
    : { amount: numberOf(readNumber(line.size, AMOUNT)) };

function toRule(line: LineForm, isFunded: boolean): ProgramRuleRecord {
  const kind = line.kind as ProgramRuleRecord['kind'];
  const actions = line.actions.length > 0 ? actionsOf(line) : undefined;
  if (isOverDeals(line)) {
    const onBreach = line.recordOnly ? ('record' as const) : undefined;
    const warnAt = warnsOfDeals(line) ? fraction(line.warnPercent, WARN_PERCENT) : undefined;
    const failsAt = counts(line) ? numberOf(readNumber(line.failsAt, BREACHES)) : undefined;
    return {
      ...{ ...line.kept, kind, ...dealRuleFields(line) },
      ...(kind === 'openLoss'
        ? present({ ...sizeOf(line), inclusive: line.inclusive || undefined })
        : {}),
      ...present({ warnAt, onBreach, failsAt, actions }),
    };
  }
  if (!isLoss(line)) return { ...line.kept, kind, ...present({ days: daysOf(line), actions }) };
  const isTrailing = kind === 'maximumLoss' && line.trails !== 'none';
  const hasBase = isShare(line) && (kind === 'dailyLoss' || isTrailing);
  return {
    ...line.kept,
    kind,
    ...present({
      ...sizeOf(line),
      shareOf: hasBase && line.shareOf !== 'initialBalance' ? line.shareOf : undefined,
      measured: fromBalance(line) && line.measured !== 'equity' ? line.measured : undefined,
      judged: kind === 'dailyLoss' && line.judged !== 'always' ? line.judged : undefined,
      from: kind === 'dailyLoss' && line.from !== 'balance' ? line.from : undefined,
      trails: isTrailing && line.trails !== 'none' ? line.trails : undefined,
      lockAbove: isTrailing ? numberOf(readNumber(line.lockAbove, LOCK)) : undefined,
      warnAt: fraction(line.warnPercent, WARN_PERCENT),
      inclusive: line.inclusive || undefined,
      settleSeconds: numberOf(readNumber(line.settleSeconds, SETTLE)),
      onBreach: line.recordOnly ? ('record' as const) : undefined,
      failsAt: counts(line) ? numberOf(readNumber(line.failsAt, BREACHES)) : undefined,
      splitOnBreach:
        isFunded && line.recordOnly ? fraction(line.splitOnBreach, PERCENT) : undefined,
      onPayout:
        isFunded && kind === 'maximumLoss' && line.onPayout !== 'follows'
          ? line.onPayout
          : undefined,
      actions,
    }),
  };
}

function toObjective(line: LineForm): ProgramObjectiveRecord {
  const kind = line.kind as ProgramObjectiveRecord['kind'];
  const { by, count, of, inclusive } = line;
  return {
    ...line.kept,
    kind,
    ...present({
      ...(hasSize(line) ? sizeOf(line) : {}),
      ...(hasDays(line) ? { days: daysOf(line) } : {}),
      by: kind === 'profitTarget' && by !== 'balance' ? by : undefined,
      count: kind === 'tradingDays' && count !== 'opened' ? count : undefined,
      of: kind === 'consistency' && of !== 'profit' ? of : undefined,
      inclusive: (kind === 'consistency' && inclusive) || undefined,
    }),
  };
}

const daysOf = ({ days }: LineForm): number | undefined => numberOf(readNumber(days, DAYS));
