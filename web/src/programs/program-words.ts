import type { EnrolmentDetailsRecord } from '../../../src/contract/operations/enrolments.ts';
import type {
  PayoutTermsRecord,
  ProgramObjectiveRecord,
  ProgramPhaseRecord,
  ProgramRuleRecord,
} from '../../../src/contract/operations/programs.ts';
import {
  CONSISTENCY_WHOLES,
  DAY_STARTS,
  type EnrolmentState,
  LOSS_VERDICTS,
  MEASURED_FIGURES,
  OBJECTIVE_KINDS,
  PAYOUT_FLOORS,
  PAYOUT_HINDRANCES,
  RULE_KINDS,
  SHARE_BASES,
  TARGET_MEASURES,
  TRAILS,
} from '../../../src/words/programs.ts';
import { planWords } from '../actions/action-words.ts';
import type { Tone } from '../components/badge.tsx';
import { countOf, formatMoney, formatNumber, formatRulePercent } from '../lib/format.ts';
import { adjustmentWords, settleWords } from '../rules/rule-words.ts';
import { countWords, dealRuleWords, openLossWords, shortDealRule } from './deal-rule-words.ts';

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

const dayWords = (days = 0): string => countOf(days, 'day');

/** A rule in plain words; without a currency its amounts are in that of any account. */
export function ruleWords(rule: ProgramRuleRecord, currency?: string): string {
  const { kind, days, actions } = rule;
  const planned = planWords(actions, 'When it is broken');
  const plan = planned && ` ${planned}`;
  if (kind === 'timeLimit') {
    return `Ends after ${dayWords(days)}; the first is the day on which it begins.${plan}`;
  }
  if (kind === 'inactivity') {
    return `Ends after ${dayWords(days)} in a row without a trade.${plan}`;
  }
  const size = sizeWords(rule, currency);
  const loss = rule.inclusive ? `${size} or more` : `more than ${size}`;
  const overDeals = kind === 'openLoss' ? openLossWords(loss) : dealRuleWords(rule);
  const warns =
    rule.warnAt === undefined ? [] : [`Warns when ${formatRulePercent(rule.warnAt)} is used.`];
  if (overDeals !== undefined) {
    return `${[overDeals, ...warns].join(' ')}${countWords(rule)}${plan}`;
  }
  const from =
    kind === 'dailyLoss'
      ? DAY_STARTS[rule.from ?? 'balance'].title
      : FLOORS[rule.trails ?? 'none'].title;
  return (
    [
      `The ${MEASURED_FIGURES[rule.measured ?? 'equity']} must not fall ${loss} below ${from}${verdictWords(rule)}.`,
      ...(rule.lockAbove === undefined ? [] : [lockWords(rule.lockAbove, currency)]),
      ...warns,
      ...[settleWords(rule) ?? []].flat(),
      ...(rule.onPayout ? [`With a payout the floor ${PAYOUT_FLOORS[rule.onPayout]}.`] : []),
      ...(rule.onBreach === 'record' ? [recordWords(rule)] : []),
    ].join(' ') + plan
  );
}

const verdictWords = ({ judged = 'always' }: ProgramRuleRecord): string =>
  judged === 'always' ? '' : `, judged ${LOSS_VERDICTS[judged]}`;

function recordWords({ failsAt, splitOnBreach }: ProgramRuleRecord): string {
  const ends =
    failsAt === undefined
      ? 'A breach is recorded and ends nothing.'
      : `A breach is recorded; breach number ${failsAt}, at most one a day, ends the phase.`;
  if (splitOnBreach === undefined) return ends;
  return `${ends} From the first on, at most ${formatRulePercent(splitOnBreach)} of a payout is the trader’s.`;
}

/** The terms of payouts in plain words. */
export function payoutWords(payout: PayoutTermsRecord, currency?: string): string {
  const { days, firstDays = days, share, buffer, minimum, caps = [], split } = payout;
  const money = (amount: number): string => moneyWords(amount, currency);
  const most = caps.map(money);
  return [
    share === undefined
      ? 'Profit may be withdrawn'
      : `${formatRulePercent(share)} of the profit may be withdrawn`,
    ...(days === undefined ? [] : [`each ${dayWords(days)}`]),
    ...(firstDays === days || firstDays === undefined
      ? []
      : [`at first after ${dayWords(firstDays)}`]),
    ...(buffer === undefined || buffer === 0 ? [] : [`${money(buffer)} of it must stay`]),
    ...(minimum === undefined ? [] : [`at least ${money(minimum)}`]),
    ...(most.length === 0 ? [] : [`at most ${most.join(', then ')}`]),
    ...(split === undefined ? [] : [`${formatRulePercent(split)} of a payout is the trader’s`]),
  ]
    .join(', ')
    .concat('. The objectives are those of each payout.');
}

type PayoutStanding = NonNullable<EnrolmentDetailsRecord['payout']>;

/** What may be withdrawn now, or why nothing may. */
export function standingWords(
  { amount, traderAmount, hindrances }: PayoutStanding,
  currency: string,
): string {
  const part =
    traderAmount === amount ? '' : `, of which ${formatMoney(traderAmount, currency)} the trader’s`;
  if (hindrances.length === 0) {
    return `${formatMoney(amount, currency)} may be withdrawn now${part}.`;
  }
  const why = hindrances.map((one) => PAYOUT_HINDRANCES[one]).join('; ');
  const later = amount > 0 ? ` Otherwise it would be ${formatMoney(amount, currency)}${part}.` : '';
  return `Nothing may be withdrawn now: ${why}.${later}`;
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

/** The best day, and what it may be: nothing while there is no profit to hold it against. */
export function consistencyWords(best: number | undefined, most: number, currency: string): string {
  const day = `Best day ${best === undefined ? '–' : formatMoney(best, currency)}`;
  return most > 0 ? `${day}, at most ${formatMoney(most, currency)}` : `${day}; no profit so far`;
}

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
export function phaseSummary({ rules, objectives, payout }: ProgramPhaseRecord): string {
  const parts = [...rules, ...objectives].map((one) => {
    const title = { ...RULE_KINDS, ...OBJECTIVE_KINDS }[one.kind].toLowerCase();
    if (one.kind === 'tradingDays' || one.kind === 'profitableDays') return `${one.days} ${title}`;
    const size = one.days === undefined ? shortSize(one) : dayWords(one.days);
    return `${title} ${shortDealRule(one as ProgramRuleRecord) ?? size}`.trim();
  });
  if (payout) parts.push('payouts');
  return parts.length === 0 ? 'nothing is judged' : parts.join(', ');
}
