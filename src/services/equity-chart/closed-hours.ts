import { type BrokerTimeMs, DAY_MS } from '../../domain/broker-time.ts';
import { mergeHours } from '../../domain/live/equity-bucket.ts';
import type { FreshHours, RunningBucket } from '../../domain/live/live-records.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Context } from '../context.ts';
import type { PageCache } from '../page-cache.ts';
import { storedHours } from './account-hours.ts';
import { chartDays, MAX_DAYS } from './chart-days.ts';
import type { HourRange } from './chart-range.ts';
import { joined, jsonFrom, jsonOfHours, jsonParts } from './present-hours.ts';

/** Hours of an account that the database may lack, as of a moment. */
export type NewestHours = FreshHours & {
  running: RunningBucket | undefined;
  /**
   * Differs after each change of the closed hours; undefined if this process does not fold them.
   */
  hoursVersion: number | undefined;
};

export const NO_HOURS: NewestHours = {
  running: undefined,
  hours: [],
  corrections: [],
  hoursVersion: undefined,
};

/**
 * The API's JSON of the account's closed hours that begin in [start, end), in consecutive parts,
 * which may be empty, and whether these include the formerly running hour, closed by now. If
 * requested repeatedly, and if this process knows of changes of the closed hours, they are cached
 * until the next one.
 */
export async function closedHours(
  context: Pick<Context, 'database' | 'changes'> & { pages: PageCache },
  account: Account,
  live: NewestHours,
  { startMs, endMs }: HourRange,
): Promise<{ parts: Buffer[]; hasRunning: boolean }> {
  const { database, pages } = context;
  const runningMs = live.running?.startTimeMs;
  const { fromMs, untilMs } = wholeDaysOf({ startMs, endMs }, runningMs, live);
  const isOpen = runningMs !== undefined && endMs > runningMs;
  const key = ['chart', account.number, fromMs, isOpen ? 'now' : endMs].join('|');
  const version = versionOf(live, isOpen ? runningMs : undefined);
  const known = version && startMs >= fromMs ? pages.get(key, version) : undefined;
  if (known) return { parts: [jsonFrom(known, startMs)], hasRunning: false };
  const [beginning, days, end] = await Promise.all([
    storedHours(database, account.number, { startMs, endMs: fromMs }),
    chartDays(context, account, fromMs, untilMs),
    storedHours(database, account.number, { startMs: untilMs, endMs }),
  ]);
  const hours = mergeHours(end, live).filter(
    ({ startTimeMs }) => startTimeMs >= untilMs && startTimeMs < endMs,
  );
  const digits = moneyDigits(account.currency);
  const newest = await jsonParts(hours, digits, jsonOfHours);
  // Hours from the running one on come from a clock that was set back, or were closed after `live`.
  const isWhole = !isOpen || hours.every(({ startTimeMs }) => startTimeMs < runningMs);
  if (version && isWhole) pages.set(key, version, joined([...days, ...newest]));
  return {
    parts: [
      ...(await jsonParts(beginning, digits, jsonOfHours)),
      ...days.map((part, index) => (index === 0 ? jsonFrom(part, startMs) : part)),
      ...newest,
    ],
    hasRunning: hours.some(({ startTimeMs }) => startTimeMs === runningMs),
  };
}

/** Undefined while hours are being written to the database, or if their changes are unknown. */
function versionOf(live: NewestHours, runningMs: BrokerTimeMs | undefined): string | undefined {
  if (live.hoursVersion === undefined) return undefined;
  if (live.hours.length + live.corrections.length > 0) return undefined;
  return `${live.hoursVersion} ${runningMs}`;
}

/**
 * The past days of a range, the first one complete even if the range begins within it: those before
 * the running hour and before all hours being written to the database. If there are none, both ends
 * are the range's start.
 */
function wholeDaysOf(
  { startMs, endMs }: HourRange,
  runningMs: BrokerTimeMs | undefined,
  live: NewestHours,
): { fromMs: BrokerTimeMs; untilMs: BrokerTimeMs } {
  const none = { fromMs: startMs, untilMs: startMs };
  if (runningMs === undefined) return none;
  const pending = [...live.hours, ...live.corrections];
  const changing = pending.map(({ startTimeMs }) => startTimeMs);
  const settledMs = Math.min(runningMs, endMs, ...changing);
  const untilMs = Math.floor(settledMs / DAY_MS) * DAY_MS;
  const fromMs = Math.max(Math.floor(startMs / DAY_MS) * DAY_MS, untilMs - MAX_DAYS * DAY_MS);
  return fromMs < untilMs ? { fromMs, untilMs } : none;
}
