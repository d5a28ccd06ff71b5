import { type BrokerTimeMs, HOUR_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import type { EquityBucket, LiveDeal, PeriodStatistics } from './live-records.ts';
import { nextMidnightUtc } from './tracker-period.ts';
import type { TrackerRule } from './tracker-rule.ts';

/** An amount in force from a moment on. */
export type Change = { timeMs: BrokerTimeMs; amount: Money };

/** Returns a lookup of the change in force at a moment; ask it in the order of time. */
export function inCourse([first, ...others]: readonly Change[]): (timeMs: BrokerTimeMs) => Change {
  let current = first ?? { timeMs: Number.NEGATIVE_INFINITY, amount: 0 };
  let next = 0;
  return (timeMs) => {
    for (let change = others[next]; change && change.timeMs <= timeMs; change = others[next]) {
      current = change;
      next += 1;
    }
    return current;
  };
}

/**
 * A period's adjustment over the course of its adjusted deals, given what it came to at the end:
 * the first deals may be in its initial balance, then the longest row of last ones that leads to it
 * counts; if none does, all.
 */
export function adjustmentChanges(deals: readonly LiveDeal[], atEnd: Money): Change[] {
  let sum = 0;
  let first = atEnd === 0 ? deals.length : 0;
  for (let index = deals.length - 1; index >= 0; index -= 1) {
    sum += deals[index]?.money ?? 0;
    if (sum === atEnd) first = index;
  }
  const counted = deals.slice(first);
  let amount = counted.reduce((left, { money }) => left - money, atEnd);
  const changes = [{ timeMs: Number.NEGATIVE_INFINITY, amount }];
  for (const { timeMs, money } of counted) {
    amount += money;
    changes.push({ timeMs, amount });
  }
  return changes;
}

/**
 * What is stored of a period: its hours, the deals that were adjusted, the newest snapshot's time.
 */
type PeriodParts = {
  hours: readonly EquityBucket[];
  adjusted: readonly LiveDeal[];
  lastTimeMs: BrokerTimeMs;
};

/** What a period's drawdown is measured from in the course of its hours; see limitSteps. */
export function baselineChanges(
  rule: TrackerRule,
  clock: BrokerClockView,
  period: PeriodStatistics,
  { hours, adjusted, lastTimeMs }: PeriodParts,
): Change[] {
  const { startTimeMs, baseline = 0, profitBaseline = 0 } = period;
  if (!rule.trailing) return [{ timeMs: startTimeMs, amount: baseline }];
  const changes = [{ timeMs: startTimeMs, amount: Math.min(profitBaseline, baseline) }];
  const rise = (endMs: BrokerTimeMs, peak: Money): void => {
    const amount = Math.min(peak, baseline);
    const timeMs = Math.min(endMs, lastTimeMs);
    if (amount > (changes.at(-1)?.amount ?? baseline)) changes.push({ timeMs, amount });
  };
  const cash = adjusted.filter((deal) => !isCredit(deal));
  const credit = sumOf(adjusted) - sumOf(cash);
  const adjustmentAt = inCourse(
    rule.baseline === 'peakEquity'
      ? adjustmentChanges(adjusted, period.adjustment)
      : adjustmentChanges(cash, period.adjustment - credit),
  );
  hours.forEach((hour, index) => {
    const peak = peakOfHour(rule, clock, hours, index);
    if (!peak) return;
    const adjustment = adjustmentAt(hour.startTimeMs - 1);
    // Which side of a deal in the hour the peak was on is not known.
    if (adjustmentAt(peak.timeMs - 1) === adjustment) {
      rise(peak.timeMs, peak.amount - adjustment.amount);
    }
  });
  const last = hours.at(-1);
  if (last) rise(last.startTimeMs + HOUR_MS, baseline);
  return changes;
}

function dayEndAfter(rule: TrackerRule, clock: BrokerClockView, timeMs: BrokerTimeMs) {
  const utcMs = clock.utcOf(timeMs, Number.NaN);
  return clock.brokerTimeOf(nextMidnightUtc(rule.resetClock ?? clock, utcMs));
}

/** What an hour shows of a peak by its end, or by that of its day where days count. */
function peakOfHour(
  rule: TrackerRule,
  clock: BrokerClockView,
  hours: readonly EquityBucket[],
  index: number,
): Change | undefined {
  const [before, hour, next] = [hours[index - 1], hours[index], hours[index + 1]];
  if (!hour) return undefined;
  if (rule.baseline === 'peakEndOfDayBalance') {
    const timeMs = dayEndAfter(rule, clock, hour.startTimeMs);
    const isLastOfDay = next !== undefined && next.startTimeMs >= timeMs;
    return isLastOfDay ? { timeMs, amount: hour.lastBalance } : undefined;
  }
  const [highest, last, held] =
    rule.baseline === 'peakEquity'
      ? [hour.maxEquity, hour.lastEquity, before?.lastEquity]
      : [hour.maxBalance, hour.lastBalance, before?.lastBalance];
  // What was held when the hour began is of another hour, which may have been of another period.
  const isHeld = before === undefined || highest === held;
  return { timeMs: hour.startTimeMs + HOUR_MS, amount: isHeld ? last : highest };
}

const sumOf = (deals: readonly LiveDeal[]): Money =>
  deals.reduce((sum, { money }) => sum + money, 0);
