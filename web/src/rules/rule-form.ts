import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import type { BreachActionWord } from '../../../src/words/actions.ts';
import { type AdjustableDealType, USUALLY_ADJUSTED } from '../../../src/words/deals.ts';
import type { PeriodWord } from '../../../src/words/periods.ts';
import { BASELINES, type Baseline, type LimitBase } from '../../../src/words/trackers.ts';
import { currencyDigits } from '../lib/currency-digits.ts';
import { currencySymbol } from '../lib/currency-symbol.ts';
import { formatNumber } from '../lib/format.ts';
import {
  type NumberReading,
  type NumberRules,
  numberOf,
  readNumber,
  UNREADABLE,
} from '../lib/read-number.ts';
import { dayEndObstacle, resetClockOf } from './day-end.ts';

/** What the form holds: texts as typed, empty where nothing is. Percentages, not fractions. */
export type RuleForm = {
  /** As given; undefined while it is to follow from the rule. */
  name: string | undefined;
  period: PeriodWord;
  baseline: Baseline;
  drawdownPercent: string;
  drawdownMoney: string;
  profitPercent: string;
  profitMoney: string;
  /** Of the loss limit: a warning before it is broken. */
  warnPercent: string;
  initialCapital: string;
  limitBase: LimitBase;
  lockAt: string;
  inclusive: boolean;
  adjustDeals: readonly AdjustableDealType[];
  startBrokerTime: string;
  endBrokerTime: string;
  resetZone: string;
  resetTime: string;
  /** What is done on the platform when the loss limit is broken. */
  actions: readonly BreachActionWord[];
  /** Those of them that are recorded only. */
  dryRuns: readonly BreachActionWord[];
  actionGroup: string;
  /** It shall measure only: without it a rule that reports nothing is no rule. */
  isStatisticsOnly: boolean;
};

export const START: RuleForm = {
  name: undefined,
  period: 'date',
  baseline: 'startBalance',
  drawdownPercent: '5',
  drawdownMoney: '',
  profitPercent: '',
  profitMoney: '',
  warnPercent: '',
  initialCapital: '',
  limitBase: 'baseline',
  lockAt: '',
  inclusive: false,
  adjustDeals: USUALLY_ADJUSTED,
  startBrokerTime: '',
  endBrokerTime: '',
  resetZone: '',
  resetTime: '',
  actions: [],
  dryRuns: [],
  actionGroup: '',
  isStatisticsOnly: false,
};

export const isTrailing = ({ baseline }: Pick<RuleForm, 'baseline'>): boolean =>
  BASELINES[baseline].trails;

/** Whether the rule needs the capital that the account began with. */
export const needsCapital = ({ baseline, limitBase }: RuleForm): boolean =>
  baseline === 'initialCapital' || limitBase === 'initialCapital';

export const NUMBERS = [
  ...(['drawdownPercent', 'drawdownMoney', 'profitPercent', 'profitMoney'] as const),
  ...(['warnPercent', 'initialCapital', 'lockAt'] as const),
] as const;
export type NumberName = (typeof NUMBERS)[number];
export const THRESHOLDS = NUMBERS.slice(0, 4);

const MAX_MONEY = 900_000_000_000;
/** A fraction is kept with seven digits. */
const PERCENT_DIGITS = 5;

export function rulesOf(name: NumberName, currency: string): NumberRules {
  if (name === 'warnPercent') {
    return { units: ['%'], min: 0.00001, digits: PERCENT_DIGITS, max: 99.99999 };
  }
  if (name.endsWith('Percent')) {
    return { units: ['%'], min: 0.00001, digits: PERCENT_DIGITS, max: 9_000 };
  }
  const digits = currencyDigits(currency);
  return {
    units: [currency, currencySymbol(currency)],
    min: 10 ** -digits,
    max: MAX_MONEY,
    digits,
  };
}

export type Readings = Record<NumberName, NumberReading>;

export const readingsOf = (form: RuleForm, currency: string): Readings =>
  Object.fromEntries(
    NUMBERS.map((name) => [name, readNumber(form[name], rulesOf(name, currency))]),
  ) as Readings;

/**
 * Why the form can't be saved, in words; undefined when it can. Faults of fields are told there.
 */
export function obstacleOf(form: RuleForm, currency: string): string | undefined {
  const readings = readingsOf(form, currency);
  if (NUMBERS.some((name) => readings[name].kind === 'unreadable')) {
    return UNREADABLE;
  }
  const hasThreshold = THRESHOLDS.some((name) => readings[name].kind === 'number');
  if (!hasThreshold && !form.isStatisticsOnly) {
    return 'Set a largest loss or a profit target, or tick “Statistics only”.';
  }
  if (hasThreshold && form.isStatisticsOnly) {
    return 'A tracker with a limit reports events: untick “Statistics only” or clear the limits.';
  }
  if (needsCapital(form) && readings.initialCapital.kind === 'empty') {
    return 'Enter the initial capital: the rule is measured by it.';
  }
  const hasLossLimit = (['drawdownPercent', 'drawdownMoney'] as const).some(
    (name) => readings[name].kind === 'number',
  );
  if (readings.warnPercent.kind === 'number' && !hasLossLimit) {
    return 'A warning belongs to a loss limit: set a largest loss, or clear the warning.';
  }
  if (form.actions.length > 0 && !hasLossLimit) {
    return 'Actions run when a loss limit is broken: set a largest loss, or choose no action.';
  }
  if (form.actions.includes('moveToGroup') && form.actionGroup.trim() === '') {
    return 'Name the group that the account is moved to.';
  }
  return dayEndObstacle(form);
}

const MOST_MONEY_DIGITS = 8;

/** The form that a rule would be typed in. */
export function formOf(rule: NewTracker): RuleForm {
  const money = (value: number | undefined): string =>
    value === undefined ? '' : formatNumber(value, MOST_MONEY_DIGITS);
  const percent = (value: number | undefined): string =>
    value === undefined ? '' : formatNumber(value * 100, PERCENT_DIGITS);
  const time = (text = ''): string => text.slice(0, 16).replace(' ', 'T');
  const { actions = [] } = rule;
  const numbers: Record<NumberName, string> = {
    drawdownPercent: percent(rule.relativeDrawdownThreshold),
    drawdownMoney: money(rule.absoluteDrawdownThreshold),
    profitPercent: percent(rule.relativeProfitThreshold),
    profitMoney: money(rule.absoluteProfitThreshold),
    initialCapital: money(rule.initialCapital),
    warnPercent: percent(rule.warnAt),
    lockAt: money(rule.lockAt),
  };
  return {
    ...numbers,
    name: rule.name,
    period: rule.period,
    baseline: rule.baseline ?? START.baseline,
    limitBase: rule.limitBase ?? START.limitBase,
    inclusive: rule.inclusive ?? START.inclusive,
    adjustDeals: rule.adjustDeals ?? START.adjustDeals,
    startBrokerTime: time(rule.startBrokerTime),
    endBrokerTime: time(rule.endBrokerTime),
    resetZone: rule.resetClock?.zone ?? '',
    resetTime: rule.resetClock?.time ?? '',
    actions: actions.map(({ action }) => action),
    actionGroup: actions.find(({ group }) => group !== undefined)?.group ?? '',
    dryRuns: actions.filter(({ dryRun }) => dryRun).map(({ action }) => action),
    isStatisticsOnly: THRESHOLDS.every((name) => numbers[name] === ''),
  };
}

/** What is sent for a form that has no obstacle. */
export function toNewTracker(form: RuleForm, currency: string, proposedName = ''): NewTracker {
  const readings = readingsOf(form, currency);
  const money = (name: NumberName): number | undefined => numberOf(readings[name]);
  const fraction = (name: NumberName): number | undefined => {
    const percent = numberOf(readings[name]);
    // Digits beyond which a percentage divided by 100 would carry its binary error.
    return percent === undefined ? undefined : Number((percent / 100).toFixed(9));
  };
  const time = (text: string): string | undefined =>
    text === '' ? undefined : `${text.replace('T', ' ')}:00.000`;
  const isUsual = form.adjustDeals.length === 1 && form.adjustDeals[0] === 'DEAL_TYPE_BALANCE';
  const given = {
    baseline: form.baseline === 'startBalance' ? undefined : form.baseline,
    relativeDrawdownThreshold: fraction('drawdownPercent'),
    absoluteDrawdownThreshold: money('drawdownMoney'),
    relativeProfitThreshold: fraction('profitPercent'),
    absoluteProfitThreshold: money('profitMoney'),
    warnAt: fraction('warnPercent'),
    initialCapital: needsCapital(form) || isTrailing(form) ? money('initialCapital') : undefined,
    limitBase: form.limitBase === 'baseline' ? undefined : form.limitBase,
    lockAt: isTrailing(form) ? money('lockAt') : undefined,
    inclusive: form.inclusive || undefined,
    adjustDeals: isUsual ? undefined : form.adjustDeals,
    startBrokerTime: time(form.startBrokerTime),
    endBrokerTime: time(form.endBrokerTime),
    resetClock: resetClockOf(form),
    actions: form.actions.length > 0 ? actionsOf(form) : undefined,
  };
  return {
    name: (form.name ?? proposedName).trim(),
    period: form.period,
    ...(Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<NewTracker>),
  };
}

export type ActionForm = Pick<RuleForm, 'actions' | 'actionGroup' | 'dryRuns'>;

export const actionsOf = ({ actions, actionGroup, dryRuns }: ActionForm) =>
  actions.map((action) => ({
    action,
    ...(action === 'moveToGroup' ? { group: actionGroup.trim() } : {}),
    ...(dryRuns.includes(action) ? { dryRun: true } : {}),
  }));
