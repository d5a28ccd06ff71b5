import { wordsOf } from './words-of.ts';

/** The baselines of a drawdown. Trailing ones only rise within a period. */
export const BASELINES = {
  startBalance: { trails: false, title: 'the balance at the start of the period' },
  startEquity: { trails: false, title: 'the equity at the start of the period' },
  maxOfBoth: {
    trails: false,
    title: 'the higher of balance and equity at the start of the period',
  },
  peakEquity: { trails: true, title: 'the highest equity of the period' },
  peakBalance: { trails: true, title: 'the highest balance of the period' },
  peakEndOfDayBalance: { trails: true, title: 'the highest balance at the end of a day' },
  initialCapital: { trails: false, title: 'the initial capital' },
} as const satisfies Record<string, { trails: boolean; title: string }>;
export type Baseline = keyof typeof BASELINES;
export const BASELINE_WORDS = wordsOf(BASELINES);

/** The base of relative thresholds. */
export const LIMIT_BASES = ['baseline', 'initialCapital'] as const;
export type LimitBase = (typeof LIMIT_BASES)[number];

export const THRESHOLD_TYPES = ['drawdown', 'profit'] as const;
export type ThresholdType = (typeof THRESHOLD_TYPES)[number];

export const PERIOD_STATES = ['running', 'completed'] as const;
export type PeriodStatus = (typeof PERIOD_STATES)[number];
