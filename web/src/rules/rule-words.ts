import type { NewTracker, TrackerRecord } from '../../../src/contract/operations/trackers.ts';
import { ADJUSTABLE_DEALS } from '../../../src/words/deals.ts';
import { PERIODS } from '../../../src/words/periods.ts';
import { BASELINES, type Baseline } from '../../../src/words/trackers.ts';
import { planWords } from '../actions/action-words.ts';
import { formatMoney, formatNumber, formatRulePercent } from '../lib/format.ts';

export type Rule = Omit<NewTracker, 'name'> | TrackerRecord;

const DEFAULT: Baseline = 'startBalance';

/** Whether it has amounts of money, which mean something else in another currency. */
export const hasMoney = (rule: Rule): boolean =>
  [
    rule.absoluteDrawdownThreshold,
    rule.absoluteProfitThreshold,
    rule.initialCapital,
    rule.lockAt,
  ].some((amount) => amount !== undefined);

/** A rule in plain words, for people who set limits, not for programmers. */
export function describeRule(rule: Rule, currency: string): string {
  const reach = rule.inclusive ? ' or more' : '';
  const more = rule.inclusive ? '' : 'more than ';
  const limits = [
    limit(
      `loses ${more}`,
      rule.absoluteDrawdownThreshold,
      rule.relativeDrawdownThreshold,
      currency,
    ),
    limit(`gains ${more}`, rule.absoluteProfitThreshold, rule.relativeProfitThreshold, currency),
  ].flatMap((text) => (text === undefined ? [] : [`${text}${reach}`]));
  const from = BASELINES[rule.baseline ?? DEFAULT].title;
  const capital =
    rule.initialCapital === undefined ? '' : ` of ${formatMoney(rule.initialCapital, currency)}`;
  const measured = rule.baseline === 'initialCapital' ? `${from}${capital}` : from;
  const { span } = PERIODS[rule.period];
  const sentences =
    limits.length === 0
      ? [`${span}: statistics of profit and loss against ${measured}; nothing is reported.`]
      : [`${span}: reports when the account ${limits.join(', or ')} against ${measured}.`];
  if (rule.limitBase === 'initialCapital') {
    sentences.push(`Percentages are of the initial capital${capital}.`);
  }
  if (rule.warnAt !== undefined) {
    sentences.push(`Warns when ${formatRulePercent(rule.warnAt)} of the loss limit is used.`);
  }
  if (rule.lockAt !== undefined) {
    sentences.push(
      `The floor rises with it no further than ${formatMoney(rule.lockAt, currency)}.`,
    );
  }
  if (rule.adjustDeals) sentences.push(adjustmentWords(rule.adjustDeals));
  if (rule.resetClock) {
    sentences.push(`Days end at ${rule.resetClock.time} in ${rule.resetClock.zone}.`);
  }
  if (rule.startBrokerTime) {
    sentences.push(`From ${rule.startBrokerTime.slice(0, 16)} broker time on.`);
  }
  if (rule.endBrokerTime) {
    sentences.push(`Until ${rule.endBrokerTime.slice(0, 16)} broker time.`);
  }
  const settling = settleWords(rule);
  if (settling) sentences.push(settling);
  if (rule.actions?.length) sentences.push(planWords(rule.actions));
  return sentences.join(' ');
}

/** Irreversible actions wait for deals: the server's default, if not set. */
export const usualSettleSeconds = (actions: readonly unknown[] = []): number =>
  actions.length > 0 ? 5 : 0;

/** How long a breach waits for its deals; empty if it does not. */
export function settleWords({
  settleSeconds,
  actions,
}: Pick<Rule, 'settleSeconds' | 'actions'>): string | undefined {
  const seconds = settleSeconds ?? usualSettleSeconds(actions);
  if (seconds === 0) return undefined;
  return `A breach that may be a transfer waits ${formatNumber(seconds, 3)} s for its deal.`;
}

export function adjustmentWords(types: NonNullable<NewTracker['adjustDeals']>): string {
  if (types.length === 0) return 'Deposits and withdrawals count as profit and loss.';
  const words = types.map((type) => ADJUSTABLE_DEALS[type].toLowerCase()).join(', ');
  return `No profit or loss: ${words}.`;
}

function limit(
  verb: string,
  absolute: number | undefined,
  relative: number | undefined,
  currency: string,
): string | undefined {
  const parts = [
    relative === undefined ? undefined : formatRulePercent(relative),
    absolute === undefined ? undefined : formatMoney(absolute, currency),
  ].filter((text) => text !== undefined);
  return parts.length === 0 ? undefined : `${verb}${parts.join(' or ')}`;
}

/** A short name that describes the rule: `Daily loss 5 %`, `Trailing loss 2,500 USD`. */
export function nameOfRule(rule: Omit<NewTracker, 'name'>, currency: string): string {
  const { trails } = BASELINES[rule.baseline ?? DEFAULT];
  const period = PERIODS[rule.period].adjective;
  const loss = amountOf(rule.relativeDrawdownThreshold, rule.absoluteDrawdownThreshold, currency);
  const target = amountOf(rule.relativeProfitThreshold, rule.absoluteProfitThreshold, currency);
  const parts = [
    ...(loss === undefined ? [] : [`${trails ? 'trailing loss' : 'loss'} ${loss}`]),
    ...(target === undefined ? [] : [`profit target ${target}`]),
  ];
  if (parts.length === 0) return `${period} statistics`;
  return `${period} ${parts.join(', ')}`;
}

function amountOf(
  relative: number | undefined,
  absolute: number | undefined,
  currency: string,
): string | undefined {
  const parts = [
    ...(relative === undefined ? [] : [formatRulePercent(relative)]),
    ...(absolute === undefined ? [] : [formatMoney(absolute, currency)]),
  ];
  return parts.length === 0 ? undefined : parts.join(' / ');
}
