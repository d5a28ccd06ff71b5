import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import type {
  ActionConfirmation,
  ActionMoment,
  BreachActionWord,
} from '../../../src/words/actions.ts';
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

/** The contents of the form: texts as typed, empty if nothing is. Percentages, not fractions. */
export type RuleForm = {
  /** As given; undefined while it follows from the rule. */
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
  /** How long a breach waits for deals that may explain it; empty: the server's default. */
  settleSeconds: string;
  /** Actions on the platform when the loss limit is broken. */
  actions: readonly BreachActionWord[];
  /** Those that are only recorded. */
  dryRuns: readonly BreachActionWord[];
  /** What they wait for, if not for the platform. */
  confirmations: Readonly<Partial<Record<BreachActionWord, ActionConfirmation>>>;
  /** What starts them, if not the breach. */
  moments: Readonly<Partial<Record<BreachActionWord, ActionMoment>>>;
  actionGroup: string;
  /** It only measures: otherwise a rule that reports nothing is no rule. */
  isStatisticsOnly: boolean;
  /** Properties without a field here: they stay unchanged. */
  kept: object;
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
  settleSeconds: '',
  actions: [],
  dryRuns: [],
  confirmations: {},
  moments: {},
  actionGroup: '',
  isStatisticsOnly: false,
  kept: {},
};

export const isTrailing = ({ baseline }: Pick<RuleForm, 'baseline'>): boolean =>
  BASELINES[baseline].trails;

/** Whether the rule needs the account's initial capital. */
export const needsCapital = ({ baseline, limitBase }: RuleForm): boolean =>
  baseline === 'initialCapital' || limitBase === 'initialCapital';

export const NUMBERS = [
  ...(['drawdownPercent', 'drawdownMoney', 'profitPercent', 'profitMoney'] as const),
  ...(['warnPercent', 'initialCapital', 'lockAt', 'settleSeconds'] as const),
] as const;
export type NumberName = (typeof NUMBERS)[number];
export const THRESHOLDS = NUMBERS.slice(0, 4);

const MAX_MONEY = 900_000_000_000;
/** A fraction is kept with seven digits. */
const PERCENT_DIGITS = 5;

/** How long a breach may wait for its deals. */
export const SETTLE: NumberRules = { units: ['s', 'seconds'], min: 0, max: 60, digits: 3 };

export function rulesOf(name: NumberName, currency: string): NumberRules {
  if (name === 'settleSeconds') return SETTLE;
  if (name === 'warnPercent') {
    return { units: ['%'], min: 0.00001, digits: PERCENT_DIGITS, max: 99.99999 };
  }
  if (name.endsWith('Percent')) {
    const doubt = name === 'drawdownPercent' ? doubtOfLoss : doubtOfProfit;
    return { units: ['%'], min: 0.00001, digits: PERCENT_DIGITS, max: 9_000, doubt };
  }
  const digits = currencyDigits(currency);
  return {
    units: [currency, currencySymbol(currency)],
    min: 10 ** -digits,
    max: MAX_MONEY,
    digits,
  };
}

const SMALLEST_LOSS = 0.1;
const LARGEST_PROFIT = 1_000;

function doubtOfLoss(percent: number): string | undefined {
  if (percent >= 100) return 'Is that meant? It is more than can usually be lost.';
  return percent < SMALLEST_LOSS ? 'Is that meant? A spread alone may break it.' : undefined;
}

const doubtOfProfit = (percent: number): string | undefined =>
  percent >= LARGEST_PROFIT ? 'Is that meant? It is ten times the money or more.' : undefined;

export type Readings = Record<NumberName, NumberReading>;

export const readingsOf = (form: RuleForm, currency: string): Readings =>
  Object.fromEntries(
    NUMBERS.map((name) => [name, readNumber(form[name], rulesOf(name, currency))]),
  ) as Readings;

/** Why the form can't be saved, in words; undefined if it can. Faults of fields are shown there. */
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

const MOST_DIGITS = 8;

/** The form of a rule. */
export function formOf(rule: NewTracker): RuleForm {
  const plain = (value: number | undefined): string =>
    value === undefined ? '' : formatNumber(value, MOST_DIGITS);
  const percent = (value: number | undefined): string =>
    value === undefined ? '' : formatNumber(value * 100, PERCENT_DIGITS);
  const time = (text = ''): string => text.replace(' ', 'T').replace(/:00\.000$/, '');
  const { name, period, baseline, limitBase, inclusive, adjustDeals, ...others } = rule;
  const { relativeDrawdownThreshold, absoluteDrawdownThreshold, ...targets } = others;
  const { relativeProfitThreshold, absoluteProfitThreshold, ...amounts } = targets;
  const { initialCapital, warnAt, lockAt, settleSeconds, ...more } = amounts;
  const { startBrokerTime, endBrokerTime, resetClock, actions = [], ...kept } = more;
  const numbers: Record<NumberName, string> = {
    drawdownPercent: percent(relativeDrawdownThreshold),
    drawdownMoney: plain(absoluteDrawdownThreshold),
    profitPercent: percent(relativeProfitThreshold),
    profitMoney: plain(absoluteProfitThreshold),
    initialCapital: plain(initialCapital),
    warnPercent: percent(warnAt),
    lockAt: plain(lockAt),
    settleSeconds: plain(settleSeconds),
  };
  return {
    ...numbers,
    ...{ name, period, kept },
    baseline: baseline ?? START.baseline,
    limitBase: limitBase ?? START.limitBase,
    inclusive: inclusive ?? START.inclusive,
    adjustDeals: adjustDeals ?? START.adjustDeals,
    startBrokerTime: time(startBrokerTime),
    endBrokerTime: time(endBrokerTime),
    resetZone: resetClock?.zone ?? '',
    resetTime: resetClock?.time ?? '',
    ...actionFormOf(actions),
    isStatisticsOnly: THRESHOLDS.every((threshold) => numbers[threshold] === ''),
  };
}

/** The request of a form without obstacles. */
export function toNewTracker(form: RuleForm, currency: string, proposedName = ''): NewTracker {
  const readings = readingsOf(form, currency);
  const given = (name: NumberName): number | undefined => numberOf(readings[name]);
  const fraction = (name: NumberName): number | undefined => {
    const percent = numberOf(readings[name]);
    // Beyond this many digits, a percentage divided by 100 would have a binary error.
    return percent === undefined ? undefined : Number((percent / 100).toFixed(9));
  };
  const time = (text: string): string | undefined =>
    text === '' ? undefined : `${text.replace('T', ' ')}${text.length > 16 ? '' : ':00.000'}`;
  const isUsual = form.adjustDeals.length === 1 && form.adjustDeals[0] === 'DEAL_TYPE_BALANCE';
  const fields = {
    baseline: form.baseline === 'startBalance' ? undefined : form.baseline,
    relativeDrawdownThreshold: fraction('drawdownPercent'),
    absoluteDrawdownThreshold: given('drawdownMoney'),
    relativeProfitThreshold: fraction('profitPercent'),
    absoluteProfitThreshold: given('profitMoney'),
    warnAt: fraction('warnPercent'),
    settleSeconds: given('settleSeconds'),
    initialCapital: given('initialCapital'),
    limitBase: form.limitBase === 'baseline' ? undefined : form.limitBase,
    lockAt: isTrailing(form) ? given('lockAt') : undefined,
    inclusive: form.inclusive || undefined,
    adjustDeals: isUsual ? undefined : form.adjustDeals,
    startBrokerTime: time(form.startBrokerTime),
    endBrokerTime: time(form.endBrokerTime),
    resetClock: resetClockOf(form),
    actions: form.actions.length > 0 ? actionsOf(form) : undefined,
  };
  return {
    ...form.kept,
    name: (form.name ?? proposedName).trim(),
    period: form.period,
    ...(Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined),
    ) as Partial<NewTracker>),
  };
}

export type ActionForm = Pick<
  RuleForm,
  'actions' | 'actionGroup' | 'dryRuns' | 'confirmations' | 'moments'
>;

/** The chosen actions of a rule. */
export const actionFormOf = (actions: NonNullable<NewTracker['actions']>): ActionForm => ({
  actions: actions.map(({ action }) => action),
  actionGroup: actions.find(({ group }) => group !== undefined)?.group ?? '',
  dryRuns: actions.filter(({ dryRun }) => dryRun).map(({ action }) => action),
  confirmations: Object.fromEntries(actions.map(({ action, confirm }) => [action, confirm])),
  moments: Object.fromEntries(actions.map(({ action, moment = 'breach' }) => [action, moment])),
});

export const actionsOf = ({ actions, actionGroup, dryRuns, confirmations, moments }: ActionForm) =>
  actions.map((action) => ({
    action,
    ...(action === 'moveToGroup' ? { group: actionGroup.trim() } : {}),
    ...(dryRuns.includes(action) ? { dryRun: true } : {}),
    ...confirmOf(confirmations[action]),
    ...momentOf(moments[action] ?? firstMomentOf(action)),
  }));

/** What starts an action unless something else is chosen. */
export const firstMomentOf = (action: BreachActionWord): ActionMoment =>
  action === 'enableTrading' ? 'revision' : 'breach';

const momentOf = (moment: ActionMoment) => (moment === 'breach' ? {} : { moment });

const confirmOf = (confirm: ActionConfirmation = 'platform') =>
  confirm === 'platform' ? {} : { confirm };
