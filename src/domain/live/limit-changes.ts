import { type BrokerTimeMs, HOUR_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import type { EquityBucket, LiveDeal, PeriodStatistics } from './live-records.ts';
import { nextMidnightUtc } from './tracker-period.ts';
import type { TrackerRule } from './tracker-rule.ts';

/** What an amount is from a moment on. */
export type Change = { timeMs: BrokerTimeMs; amount: Money };

/** Tells which change is in force at a moment; to be asked in the order of time. */
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
 * A period's adjustment in the course of its adjusted deals, of which it came to an amount in the end:
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

/** What is stored of a period: its hours, the deals that were adjusted, the newest snapshot's time. */
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
  if (rule.baseline === 'peakEquity') {
    const adjustmentAt = inCourse(adjustmentChanges(adjusted, period.adjustment));
    hours.forEach((hour, index) => {
      const endMs = hour.startTimeMs + HOUR_MS;
      const adjustment = adjustmentAt(hour.startTimeMs - 1);
      // Which side of a deal in the hour the peak was on is not known.
      if (adjustmentAt(endMs - 1) !== adjustment) return;
      // What was held when the hour began is of another hour, which may have been of another period.
      const isHeld = index === 0 || hour.maxEquity === hours[index - 1]?.lastEquity;
      rise(endMs, (isHeld ? hour.lastEquity : hour.maxEquity) - adjustment.amount);
    });
  } else {
    const credit = adjusted.filter(isCredit).reduce((sum, { money }) => sum + money, 0);
    const deposits = adjusted.filter((deal) => !isCredit(deal));
    const adjustmentAt = inCourse(adjustmentChanges(deposits, period.adjustment - credit));
    hours.forEach((hour, index) => {
      const dayEndMs = dayEndAfter(rule, clock, hour.startTimeMs);
      const next = hours[index + 1];
      if (!next || next.startTimeMs < dayEndMs) return;
      const adjustment = adjustmentAt(hour.startTimeMs - 1);
      if (adjustmentAt(dayEndMs - 1) !== adjustment) return;
      rise(dayEndMs, hour.lastBalance - adjustment.amount);
    });
  }
  const last = hours.at(-1);
  if (last) rise(last.startTimeMs + HOUR_MS, baseline);
  return changes;
}

function dayEndAfter(rule: TrackerRule, clock: BrokerClockView, timeMs: BrokerTimeMs) {
  const utcMs = clock.utcOf(timeMs, Number.NaN);
  return clock.brokerTimeOf(nextMidnightUtc(rule.resetClock ?? clock, utcMs));
}
