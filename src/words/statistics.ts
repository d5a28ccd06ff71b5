import { wordsOf } from './words-of.ts';

/** How a table of statistics groups trades, and the meaning of each group. */
export const TABLE_KEYS = {
  symbol: 'symbol, as the platform names it',
  side: 'buy or sell',
  outcome: 'won, with a net profit above zero, or lost',
  hour: 'hour of broker time in which the position opened, 0 to 23',
  weekday: 'weekday of broker time on which it closed, Sunday 0 to Saturday 6',
  month: 'month of broker time in which it closed, YYYY-MM',
  duration: 'how long it was held',
  magic: 'magic number of the expert; absent where it is not known',
} as const;

export type TableKey = keyof typeof TABLE_KEYS;
export const TABLE_KEY_WORDS = wordsOf(TABLE_KEYS);

const [MINUTE, HOUR, DAY] = [1, 60, 1440];

/** Classes of holding times, and the minutes that each ends before. */
export const DURATIONS = {
  under1m: MINUTE,
  '1m-5m': 5 * MINUTE,
  '5m-15m': 15 * MINUTE,
  '15m-1h': HOUR,
  '1h-4h': 4 * HOUR,
  '4h-1d': DAY,
  '1d-1w': 7 * DAY,
  over1w: Number.POSITIVE_INFINITY,
} as const;

export type Duration = keyof typeof DURATIONS;
export const DURATION_WORDS = wordsOf(DURATIONS);

/** What can be exported of an account, and in which formats. */
export const EXPORTS = ['trades', 'deals', 'statistics'] as const;
export type Export = (typeof EXPORTS)[number];
export const FILE_FORMATS = ['csv', 'json'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
