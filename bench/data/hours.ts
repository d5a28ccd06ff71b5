import type { StoredHour } from '../../src/storage/hour-store.ts';

export const HOURS = 720;
export const HOUR_MS = 3_600_000;
/** The last of them is over. */
export const HOURS_START_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOURS * HOUR_MS;

/** The last 30 days of an account. */
export const hoursOf = (accountNumber: number): StoredHour[] =>
  Array.from({ length: HOURS }, (_, hour) => ({
    ...{ accountNumber, startTimeMs: HOURS_START_MS + hour * HOUR_MS },
    ...{ averageBalance: 1_000_000_000, minBalance: 1_000_000_000, maxBalance: 1_000_000_000 },
    ...{ averageEquity: 1_001_234_567, minEquity: 990_000_000, maxEquity: 1_012_345_678 },
    ...{ startBalance: 1_000_000_000, startEquity: 1_001_000_000, lastBalance: 1_000_000_000 },
    lastEquity: 1_002_000_000,
    hasLateExtremes: false,
  }));
