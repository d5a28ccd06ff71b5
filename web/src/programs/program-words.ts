import type {
  ProgramObjectiveRecord,
  ProgramPhaseRecord,
  ProgramRuleRecord,
} from '../../../src/contract/operations/programs.ts';
import {
  CONSISTENCY_WHOLES,
  DAY_STARTS,
  type EnrolmentState,
  OBJECTIVE_KINDS,
  RULE_KINDS,
  SHARE_BASES,
  TARGET_MEASURES,
  TRAILS,
} from '../../../src/words/programs.ts';
import { planWords } from '../actions/action-words.ts';
import type { Tone } from '../components/badge.tsx';
import { formatMoney, formatNumber, formatRulePercent } from '../lib/format.ts';
import { adjustmentWords, settleWords } from '../rules/rule-words.ts';

export const ENROLMENT_STATES: Record<EnrolmentState, { title: string; tone: Tone }> = {
  running: { title: 'Running', tone: 'accent' },
  paused: { title: 'Paused', tone: 'warn' },
  passed: { title: 'Passed', tone: 'good' },
  failed: { title: 'Failed', tone: 'bad' },
  withdrawn: { title: 'Withdrawn', tone: 'plain' },
};

type Ended = { state: EnrolmentState; isDisputed: boolean };

/** The state of an enrolment in words: an end may be disputed. */
export function stateOf({ state, isDisputed }: Ended): { title: string; tone: Tone } {
  const known = ENROLMENT_STATES[state];
  return isDisputed ? { title: `${known.title}, disputed`, tone: 'warn' } : known;
}

/** The baseline of a maximum loss. */
export const FLOORS = { none: { title: 'the initial balance' }, ...TRAILS };

/** An amount; in a program, of the account's currency, which is unknown there. */
const moneyWords = (amount: number, currency: string | undefined): string =>
  currency === undefined ? formatNumber(amount, 8) : formatMoney(amount, currency);

type Sized = Pick<ProgramRuleRecord, 'share' | 'amount' | 'shareOf'>;

function sizeWords({ share, amount, shareOf }: Sized, currency: string | undefined): string {
  if (share === undefined) return moneyWords(amount ?? 0, currency);
  return `${formatRulePercent(share)} of ${SHARE_BASES[shareOf ?? 'initialBalance']}`;
}

const dayWords = (days = 0): string => (days === 1 ? '1 day' : `${formatNumber(days, 0)} days`);

/** A rule in plain words; without a currency its amounts are in that of any account. */
export function ruleWords(rule: ProgramRuleRecord, currency?: string): string {
  const { kind, days, actions } = rule;
  const plan = planWords(actions, 'it') && ` ${planWords(actions, 'it')}`;
  if (kind === 'timeLimit') {
    return `Ends after ${dayWords(days)}; the first is the day on which it begins.${plan}`;
  }
  if (kind === 'inactivity') {
    return `Ends after ${dayWords(days)} in a row without a trade.${plan}`;
  }
  const size = sizeWords(rule, currency);
  const loss = rule.inclusive ? `${size} or more` : `more than ${size}`;
  const from =
    kind === 'dailyLoss'
      ? DAY_STARTS[rule.from ?? 'balance'].title
      : FLOORS[rule.trails ?? 'none'].title;
  return (
    [
      `The equity must not fall ${loss} below ${from}.`,
      ...(rule.lockAbove === undefined ? [] : [lockWords(rule.lockAbove, currency)]),
      ...(rule.warnAt === undefined
        ? []
        : [`Warns when ${formatRulePercent(rule.warnAt)} is used.`]),
      ...[settleWords(rule) ?? []].flat(),
      ...(rule.onBreach === 'record' ? ['A breach is recorded and ends nothing.'] : []),
    ].join(' ') + plan
  );
}

const lockWords = (above: number, currency: string | undefined): string =>
  above === 0
    ? 'The floor rises no higher than the initial balance.'
    : `The floor rises no higher than the initial balance plus ${moneyWords(above, currency)}.`;

/** An objective in plain words. */
export function objectiveWords(objective: ProgramObjectiveRecord, currency?: string): string {
  const { days, share = 0 } = objective;
  switch (objective.kind) {
    case 'profitTarget':
      return `${sizeWords(objective, currency)} or more, by ${TARGET_MEASURES[objective.by ?? 'balance']}.`;
    case 'tradingDays':
      return objective.count === 'traded'
        ? `Any trade on ${dayWords(days)} or more.`
        : `A position opened on ${dayWords(days)} or more.`;
    case 'profitableDays':
      return `${dayWords(days)} or more that are over and made ${sizeWords(objective, currency)} or more.`;
    case 'consistency': {
      const most = objective.inclusive ? 'less than' : 'no more than';
      return `The best day makes ${most} ${formatRulePercent(share)} of ${CONSISTENCY_WHOLES[objective.of ?? 'profit']}.`;
    }
  }
}

export const countsDays = (kind: ProgramObjectiveRecord['kind']): boolean =>
  kind === 'tradingDays' || kind === 'profitableDays';

/** The reached or needed part of an objective: days, or money of the account. */
export const objectiveAmount = (
  kind: ProgramObjectiveRecord['kind'],
  amount: number,
  currency: string,
): string => (countsDays(kind) ? formatNumber(amount, 0) : formatMoney(amount, currency));

/** When its days end, and which deals are neither profit nor loss, if not the default. */
export function daysWords({ resetClock, adjustDeals }: ProgramPhaseRecord): string {
  const days = resetClock
    ? `Days end at ${resetClock.time} in ${resetClock.zone}.`
    : 'Days end at midnight of the account’s own clock.';
  return adjustDeals ? `${days} ${adjustmentWords(adjustDeals)}` : days;
}

const shortSize = ({ share, amount = 0 }: Pick<Sized, 'share' | 'amount'>): string =>
  share === undefined ? moneyWords(amount, undefined) : formatRulePercent(share);

/** A phase on one line, for lists: `daily loss 5 %, maximum loss 10 %, 4 trading days`. */
export function phaseSummary({ rules, objectives }: ProgramPhaseRecord): string {
  const parts = [...rules, ...objectives].map((one) => {
    const title = { ...RULE_KINDS, ...OBJECTIVE_KINDS }[one.kind].toLowerCase();
    if (one.kind === 'tradingDays' || one.kind === 'profitableDays') return `${one.days} ${title}`;
    return `${title} ${one.days === undefined ? shortSize(one) : dayWords(one.days)}`;
  });
  return parts.length === 0 ? 'nothing is judged' : parts.join(', ');
}
