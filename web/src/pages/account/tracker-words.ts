import type { NewTracker, TrackerRecord } from '../../../../src/contract/operations/trackers.ts';
import { formatFraction, formatMoney } from '../../lib/format.ts';

type Rule = Omit<NewTracker, 'name'> | TrackerRecord;

export const PERIOD_TITLES: Record<NewTracker['period'], string> = {
  day: 'Day, 24 hours from the start',
  date: 'Calendar day',
  week: 'Week, 7 days from the start',
  'week-to-date': 'Calendar week (from Sunday)',
  month: 'Month from the start',
  'month-to-date': 'Calendar month',
  quarter: 'Quarter from the start',
  'quarter-to-date': 'Calendar quarter',
  year: 'Year from the start',
  'year-to-date': 'Calendar year',
  lifetime: 'Lifetime',
};

const SPANS: Record<string, string> = {
  day: 'Each 24 hours',
  date: 'Each calendar day',
  week: 'Each 7 days',
  'week-to-date': 'Each calendar week',
  month: 'Each month from the start',
  'month-to-date': 'Each calendar month',
  quarter: 'Each quarter from the start',
  'quarter-to-date': 'Each calendar quarter',
  year: 'Each year from the start',
  'year-to-date': 'Each calendar year',
  lifetime: 'Over the whole life of the tracker',
};

export const BASELINE_TITLES: Record<NonNullable<NewTracker['baseline']>, string> = {
  startBalance: 'the balance at the start of the period',
  startEquity: 'the equity at the start of the period',
  maxOfBoth: 'the higher of balance and equity at the start of the period',
  peakEquity: 'the highest equity of the period',
  peakBalance: 'the highest balance of the period',
  peakEndOfDayBalance: 'the highest balance at the end of a day',
  initialCapital: 'the initial capital',
};

/** A tracker's rule in one sentence, for people who set limits and not for those who program. */
export function describeRule(rule: Rule, currency: string): string {
  const limits = [
    limit('loses', rule.absoluteDrawdownThreshold, rule.relativeDrawdownThreshold, currency),
    limit('gains', rule.absoluteProfitThreshold, rule.relativeProfitThreshold, currency),
  ].filter((text) => text !== undefined);
  const from = BASELINE_TITLES[rule.baseline ?? 'startBalance'];
  const span = SPANS[rule.period] ?? rule.period;
  if (limits.length === 0) {
    return `${span}: statistics of profit and loss against ${from}; nothing is reported.`;
  }
  const base =
    rule.limitBase === 'initialCapital' ? ' Percentages are of the initial capital.' : '';
  const lock =
    rule.lockAt === undefined
      ? ''
      : ` The floor rises with it no further than ${formatMoney(rule.lockAt, currency)}.`;
  const clock = rule.resetClock
    ? ` Days end at ${rule.resetClock.time} in ${rule.resetClock.zone}.`
    : '';
  return `${span}: reports when the account ${limits.join(', or ')} against ${from}.${base}${lock}${clock}`;
}

function limit(
  verb: string,
  absolute: number | undefined,
  relative: number | undefined,
  currency: string,
): string | undefined {
  const parts = [
    relative === undefined ? undefined : formatFraction(relative, 4),
    absolute === undefined ? undefined : formatMoney(absolute, currency),
  ].filter((text) => text !== undefined);
  return parts.length === 0 ? undefined : `${verb} more than ${parts.join(' or ')}`;
}
