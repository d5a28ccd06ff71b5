import { type BrokerTimeMs, HOUR_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import type { EquityBucket, LiveDeal, PeriodStatistics } from './live-records.ts';
import { nextMidnightUtc } from './tracker-period.ts';
import type { TrackerRule } from './tracker-rule.ts';

/** An amount in force from a moment on. */
export type Change = { timeMs: BrokerTimeMs; amount: Money };

/** Returns a lookup of the change in force at a moment; ask it in order of time. */
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
 * A period's adjustment over time, given its adjusted deals and its amount at the end. The first
 * deals may be in the initial balance instead: the longest run of last deals that adds up to that
 * amount counts, or all if none does.
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

/** A period's hours, its adjusted deals, and the time of the account's newest snapshot. */
type PeriodParts = {
  hours: readonly EquityBucket[];
  adjusted: readonly LiveDeal[];
  lastTimeMs: BrokerTimeMs;
};

/** The baseline of a period's drawdown over time; see limitSteps. */
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
    // If a deal was adjusted since, the peak may have been before or after it.
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

/** The peak that an hour shows by its end or, if balances at ends of days count, by its day's. */
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
  // A value held into the hour belongs to the hour before, perhaps of another period.
  const isHeld = before === undefined || highest === held;
  return { timeMs: hour.startTimeMs + HOUR_MS, amount: isHeld ? last : highest };
}

const sumOf = (deals: readonly LiveDeal[]): Money =>
  deals.reduce((sum, { money }) => sum + money, 0);
