import { type BrokerTimeMs, HOUR_MS } from '../broker-time.ts';
import { countFirst } from '../count-first.ts';
import type { Money } from '../money.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import { adjustmentChanges, baselineChanges, type Change, inCourse } from './limit-changes.ts';
import type { EquityBucket, LiveDeal, PeriodStatistics } from './live-records.ts';
import { limitOf, relativeBase } from './tracker-records.ts';
import { allowedBy, type TrackerRule } from './tracker-rule.ts';

/** A stretch of broker time over which the equities at which a threshold is met stay the same. */
export type LimitStep = {
  startTimeMs: BrokerTimeMs;
  /** The last moment of the stretch. */
  endTimeMs: BrokerTimeMs;
  /** As in LimitRoom; absent without a threshold. */
  floor?: Money | undefined;
  target?: Money | undefined;
};

/** The stored history of a tracker and its account, each list ascending by time. */
export type LimitHistory = {
  /** The periods that overlap the range, both completed and running. */
  periods: readonly PeriodStatistics[];
  /** The account's deals since the first of them began. */
  deals: readonly LiveDeal[];
  /** The account's hours since then, with the running one; needed only for trailing baselines. */
  hours: readonly EquityBucket[];
  /** The time of the account's newest snapshot. */
  lastTimeMs: BrokerTimeMs;
};

/** Both ends inclusive. */
export type TimeRange = { fromMs: BrokerTimeMs; toMs: BrokerTimeMs };

/**
 * The floor and target of a tracker over a range of time, with gaps where no period was. Exact:
 * baselines that do not trail, with deposits and withdrawals at their times, and any baseline at
 * the end of each period, so the running one as of now. A trailing floor is never above its true
 * value: a peak shows at the end of its hour or, if balances at ends of days count, of its day. If
 * deals are adjusted in that hour, or it is the first of the period, it may show later, at the
 * latest with the last hour.
 */
export function limitSteps(
  rule: TrackerRule,
  clock: BrokerClockView,
  { periods, deals, hours, lastTimeMs }: LimitHistory,
  { fromMs, toMs }: TimeRange,
): LimitStep[] {
  return periods.flatMap((period) => {
    const { startTimeMs, endTimeMs = Number.POSITIVE_INFINITY } = period;
    const booked = within(deals, (deal) => deal.timeMs, startTimeMs, endTimeMs);
    const adjusted = booked.filter(({ type }) => rule.adjustDeals.includes(type));
    const hourMs = (hour: EquityBucket): BrokerTimeMs => hour.startTimeMs;
    const own = within(hours, hourMs, startTimeMs - HOUR_MS + 1, endTimeMs);
    const parts = { hours: own, adjusted, lastTimeMs };
    return stepsOf(rule, period, adjusted, baselineChanges(rule, clock, period, parts))
      .filter((step) => step.startTimeMs <= toMs && step.endTimeMs >= fromMs)
      .map((step) => ({
        ...step,
        startTimeMs: Math.max(step.startTimeMs, fromMs),
        endTimeMs: Math.min(step.endTimeMs, toMs),
      }));
  });
}

/** Of a list in order of time, those in [from, to]: found by halving, as histories are long. */
function within<T>(
  items: readonly T[],
  timeOf: (item: T) => BrokerTimeMs,
  fromMs: BrokerTimeMs,
  toMs: BrokerTimeMs,
): readonly T[] {
  const timeAt = (place: number): BrokerTimeMs => timeOf(items[place] as T);
  return items.slice(
    countFirst(items.length, (place) => timeAt(place) < fromMs),
    countFirst(items.length, (place) => timeAt(place) <= toMs),
  );
}

function stepsOf(
  rule: TrackerRule,
  period: PeriodStatistics,
  adjusted: readonly LiveDeal[],
  baselines: readonly Change[],
): LimitStep[] {
  const { startTimeMs, profitBaseline, profitLimit } = period;
  const { endTimeMs = Number.POSITIVE_INFINITY } = period;
  if (profitBaseline === undefined) return [];
  const adjustments = adjustmentChanges(adjusted, period.adjustment);
  const times = [...adjustments, ...baselines].map(({ timeMs }) => Math.max(timeMs, startTimeMs));
  const starts = [...new Set(times)].sort((a, b) => a - b);
  const steps: LimitStep[] = [];
  const adjustmentAt = inCourse(adjustments);
  const baselineAt = inCourse(baselines);
  for (const timeMs of starts) {
    if (timeMs > endTimeMs) break;
    const { amount: adjustment } = adjustmentAt(timeMs);
    const { amount: baseline } = baselineAt(timeMs);
    const base = relativeBase(rule, baseline);
    const allowed = allowedBy(rule, base, rule.absoluteDrawdown, rule.relativeDrawdown);
    const limit = limitOf(rule, allowed);
    const floor = limit === undefined ? undefined : baseline - limit + adjustment;
    const target =
      profitLimit === undefined ? undefined : profitBaseline + profitLimit + adjustment;
    if (floor === undefined && target === undefined) continue;
    const last = steps.at(-1);
    if (last?.floor === floor && last?.target === target) continue;
    if (last) last.endTimeMs = timeMs - 1;
    steps.push({ startTimeMs: timeMs, endTimeMs, floor, target });
  }
  return steps;
}
