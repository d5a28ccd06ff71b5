import {
  MAX_LIMIT_STEPS,
  type TrackerLimitsRecord,
} from '../../contract/operations/limit-steps.ts';
import { type BrokerTimeMs, brokerTimeAt, formatBrokerTime } from '../../domain/broker-time.ts';
import { type LimitStep, limitSteps } from '../../domain/live/limit-steps.ts';
import type { EquityBucket, PeriodStatistics } from '../../domain/live/live-records.ts';
import type { TrackerDefinition } from '../../domain/live/tracker-definition.ts';
import type { TrackerRule } from '../../domain/live/tracker-rule.ts';
import { fromUnits, moneyDigits } from '../../domain/money.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import { listCapitalDeals } from '../../storage/deal-store.ts';
import { listTrackers } from '../../storage/tracker-store.ts';
import { type Account, accessAccount } from '../accounts/access-account.ts';
import type { Context, Principal } from '../context.ts';
import { hoursSince } from '../equity-chart/account-hours.ts';
import { type ChartRange, type HourRange, rangeOf } from '../equity-chart/chart-range.ts';
import { LoopSlice } from '../turns.ts';
import { readNewestPeriods } from './newest-periods.ts';

/** How many periods of one tracker a chart shows: if they are days, more than three years. */
const MAX_PERIODS = 1200;

/** Steps of all trackers together. */
const MAX_STEPS = 18_000;

type Course = {
  tracker: TrackerDefinition;
  rule: TrackerRule;
  periods: PeriodStatistics[];
};

/** Floors and targets of all trackers of an account over a range of time. */
export async function readLimitSteps(
  context: Context & { live: LiveReader },
  principal: Principal,
  accountId: string,
  query: ChartRange,
): Promise<TrackerLimitsRecord[]> {
  const account = await accessAccount(context, principal, accountId);
  const nowMs = brokerTimeAt(context.now(), account.brokerClock);
  const { startMs: fromMs, endMs } = rangeOf(query, nowMs);
  // A limit is not drawn into the future, where it is unknown.
  const toMs = Math.min(endMs, nowMs);
  const courses = await readCourses(context, account, { startMs: fromMs, endMs: toMs });
  const history = await readHistory(context, account, courses);
  const clock = context.rules.clocks.viewOf(account.brokerClock);
  const digits = moneyDigits(account.currency);
  const most = Math.min(MAX_LIMIT_STEPS, Math.floor(MAX_STEPS / courses.length));
  const slice = new LoopSlice();
  const records: TrackerLimitsRecord[] = [];
  for (const { tracker, rule, periods } of courses) {
    const steps: LimitStep[] = [];
    for (const period of periods) {
      if (slice.isOver) await slice.next();
      steps.push(...limitSteps(rule, clock, { ...history, periods: [period] }, { fromMs, toMs }));
    }
    records.push({
      trackerId: tracker.id,
      name: tracker.name,
      steps: steps.slice(-most).map(({ startTimeMs, endTimeMs, floor, target }) => ({
        startBrokerTime: formatBrokerTime(startTimeMs),
        endBrokerTime: formatBrokerTime(endTimeMs),
        ...(floor === undefined ? {} : { floor: fromUnits(floor, digits) }),
        ...(target === undefined ? {} : { target: fromUnits(target, digits) }),
      })),
    });
  }
  return records;
}

/** The trackers of an account, with the periods that overlap a range. */
async function readCourses(
  context: Context & { live: LiveReader },
  { number }: Account,
  { startMs, endMs }: HourRange,
): Promise<Course[]> {
  const courses: Course[] = [];
  const slice = new LoopSlice();
  for (const tracker of await listTrackers(context.database, number)) {
    if (slice.isOver) await slice.next();
    const newest = await readNewestPeriods(context, number, tracker.id, {
      ...{ untilMs: endMs, limit: MAX_PERIODS, realTime: true },
    });
    const periods = newest
      .filter(({ endTimeMs = Number.POSITIVE_INFINITY }) => endTimeMs >= startMs)
      .reverse();
    if (periods.length > 0) courses.push({ tracker, rule: context.rules.ruleOf(tracker), periods });
  }
  return courses;
}

/** Deals since the first of the periods began, and hours if a baseline trails. */
async function readHistory(
  context: Context & { live: LiveReader },
  { number, id }: Account,
  courses: readonly Course[],
) {
  const firstOf = (some: readonly Course[]): BrokerTimeMs =>
    Math.min(...some.flatMap(({ periods }) => periods[0]?.startTimeMs ?? []));
  const trailing = courses.filter(({ rule }) => rule.trailing);
  const deals =
    courses.length > 0 ? await listCapitalDeals(context.database, [number], firstOf(courses)) : [];
  const hours: EquityBucket[] = [];
  if (trailing.length > 0) {
    for await (const page of hoursSince(context, number, firstOf(trailing))) {
      for (const hour of page) hours.push({ ...hour, accountId: id });
    }
  }
  const lastTimeMs = await context.live.read(number, false, (view) => view.lastTimeMs);
  return { deals, hours, lastTimeMs: lastTimeMs ?? Number.NEGATIVE_INFINITY };
}
