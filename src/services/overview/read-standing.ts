import type { AccountStandingRecord } from '../../contract/operations/account-standing.ts';
import { DAY_MS, HOUR_MS } from '../../domain/broker-time.ts';
import { CapitalFlow, CLOCK_SLACK_MS } from '../../domain/live/capital-flow.ts';
import type { Running } from '../../domain/live/loss-rate.ts';
import { fromUnits, type Money, moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { Sql } from '../../storage/database.ts';
import { listCapitalDeals } from '../../storage/deal-store.ts';
import { type HourEnds, readRecentHours } from '../../storage/hour-store.ts';
import { listTrackers } from '../../storage/tracker-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { lastReading, readFlow, startReading } from '../equity-chart/read-flow.ts';
import { readTrackerNames } from '../trackers/tracker-names.ts';
import { readLossRates } from './loss-rates.ts';
import { presentStanding, untilReset } from './present-standing.ts';
import {
  NO_STANDING,
  presentAge,
  readingNow,
  runningOf,
  type Standing,
  standingNow,
  standingStateOf,
} from './standing.ts';

/** The most hours of a day on which the clock changes, and those just before it. */
const HOURS_OF_DAY = 27;

/** The standing of an account, including everything acknowledged before the call. */
export async function readStanding(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
): Promise<AccountStandingRecord> {
  const account = await accessAccount(context, principal, accountId);
  const { database } = context;
  const { number } = account;
  const trackers = await listTrackers(database, number);
  const names = await readTrackerNames(database, [number]);
  const now = await context.live.read(number, true, (view) => ({
    standing: standingNow(view, names),
    unexplained: view.unexplainedMovements(),
  }));
  const { standing = NO_STANDING, unexplained } = now ?? {};
  const { lastTimeMs } = standing;
  const midnightMs = Math.floor((lastTimeMs ?? 0) / DAY_MS) * DAY_MS;
  const hours =
    lastTimeMs === undefined
      ? []
      : await readRecentHours(database, number, midnightMs - HOUR_MS, HOURS_OF_DAY);
  const nowMs = context.now();
  const state = standingStateOf(account, standing, nowMs);
  const rates =
    state === 'live'
      ? await readLossRates(database, [{ accountNumber: number, standing, hours }])
      : new Map<number, Money>();
  const dayProfit = await readDayProfit(database, number, standing, hours, midnightMs);
  const digits = moneyDigits(account.currency);
  const money = (units: Money) => fromUnits(units, digits);
  const lossPerHour = rates.get(number);
  const { limits, ...figures } = presentStanding(account, standing, {
    ...{ trackers: trackers.length, unexplained, nowMs },
  });
  return {
    ...figures,
    ...presentAge(standing, nowMs),
    ...(dayProfit === undefined ? {} : { dayProfit: money(dayProfit) }),
    ...(lossPerHour === undefined ? {} : { lossPerHour: money(lossPerHour) }),
    limits: limits.map((limit, place) => ({
      ...limit,
      ...untilReset(standing.limits[place]?.resetUtcMs, nowMs),
    })),
  };
}

/** The day's profit, measured from the last equity before midnight or the first of the day. */
async function readDayProfit(
  sql: Sql,
  accountNumber: number,
  standing: Standing,
  hours: readonly HourEnds[],
  midnightMs: number,
): Promise<Money | undefined> {
  const running = runningOf(standing);
  if (!running) return undefined;
  const before = hours.findLast(({ startTimeMs }) => startTimeMs < midnightMs);
  const first = hours.find(({ startTimeMs }) => startTimeMs >= midnightMs);
  const start = before ? lastReading(before) : startReading(first ?? hourOf(running));
  const sinceMs = start.fromMs - CLOCK_SLACK_MS;
  const flow = new CapitalFlow(await listCapitalDeals(sql, [accountNumber], sinceMs));
  flow.next(start);
  const { money } = await readFlow(sql, accountNumber, flow, readingNow(running));
  return running.equity - start.equity - money;
}

/** The running hour as if it had ended. */
const hourOf = (running: Running): HourEnds => ({
  startTimeMs: running.hourStartMs,
  ...{ startBalance: running.hourStartBalance, startEquity: running.hourStartEquity },
  ...{ lastBalance: running.balance, lastEquity: running.equity },
});
