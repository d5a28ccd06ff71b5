import { wordsOf } from './words-of.ts';

/** The periods of trackers. */
type Period = {
  /** The length, in units; `lifetime` has no end. */
  unit: 'day' | 'week' | 'month' | 'lifetime';
  count: number;
  /** From the tracker's start; otherwise it follows the calendar, with weeks from Sunday. */
  rolls: boolean;
  /** As a choice, at the beginning of a sentence, and in the name of a rule. */
  title: string;
  span: string;
  adjective: string;
};

export const PERIODS = {
  day: {
    unit: 'day',
    count: 1,
    rolls: true,
    adjective: 'Daily',
    title: 'Day, 24 hours from the start',
    span: 'Each 24 hours',
  },
  date: {
    unit: 'day',
    count: 1,
    rolls: false,
    adjective: 'Daily',
    title: 'Calendar day',
    span: 'Each calendar day',
  },
  week: {
    unit: 'week',
    count: 1,
    rolls: true,
    adjective: 'Weekly',
    title: 'Week, 7 days from the start',
    span: 'Each 7 days',
  },
  'week-to-date': {
    unit: 'week',
    count: 1,
    rolls: false,
    adjective: 'Weekly',
    title: 'Calendar week (from Sunday)',
    span: 'Each calendar week',
  },
  month: {
    unit: 'month',
    count: 1,
    rolls: true,
    adjective: 'Monthly',
    title: 'Month from the start',
    span: 'Each month from the start',
  },
  'month-to-date': {
    unit: 'month',
    count: 1,
    rolls: false,
    adjective: 'Monthly',
    title: 'Calendar month',
    span: 'Each calendar month',
  },
  quarter: {
    unit: 'month',
    count: 3,
    rolls: true,
    adjective: 'Quarterly',
    title: 'Quarter from the start',
    span: 'Each quarter from the start',
  },
  'quarter-to-date': {
    unit: 'month',
    count: 3,
    rolls: false,
    adjective: 'Quarterly',
    title: 'Calendar quarter',
    span: 'Each calendar quarter',
  },
  year: {
    unit: 'month',
    count: 12,
    rolls: true,
    adjective: 'Yearly',
    title: 'Year from the start',
    span: 'Each year from the start',
  },
  'year-to-date': {
    unit: 'month',
    count: 12,
    rolls: false,
    adjective: 'Yearly',
    title: 'Calendar year',
    span: 'Each calendar year',
  },
  lifetime: {
    unit: 'lifetime',
    count: 1,
    rolls: true,
    adjective: 'Total',
    title: 'Lifetime',
    span: 'Over the whole lifetime of the tracker',
  },
} as const satisfies Record<string, Period>;

export type PeriodWord = keyof typeof PERIODS;
export const PERIOD_WORDS = wordsOf(PERIODS);
