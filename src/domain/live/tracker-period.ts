import { PERIODS, type PeriodWord } from '../../words/periods.ts';
import { type BrokerTimeMs, brokerDateMs, DAY_MS } from '../broker-time.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import type { LiveTracker } from './live-tracker.ts';

/** `endMs` is exclusive and may be Infinity. */
export type Span = { startMs: number; endMs: number };
/** A period by the broker's clock and by UTC, in which no time occurs twice. */
export type TrackerPeriod = Span & { startUtcMs: number; endUtcMs: number };

const WEEK_MS = 7 * DAY_MS;
/** 1970-01-01 was a Thursday: the Sunday before it lies four days earlier. */
const SUNDAY_OFFSET_MS = 4 * DAY_MS;
const ALWAYS: Span = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

/** The calendar unit that holds a wall time; weeks begin on Sunday. */
export function calendarSpan(word: PeriodWord, timeMs: BrokerTimeMs): Span {
  const { unit, count } = PERIODS[word];
  switch (unit) {
    case 'day':
      return evenSpan(0, count * DAY_MS, timeMs);
    case 'week':
      return evenSpan(-SUNDAY_OFFSET_MS, count * WEEK_MS, timeMs);
    case 'month':
      return calendarMonths(count, timeMs);
    case 'lifetime':
      return ALWAYS;
  }
}

/** The span of the word's length that holds a wall time, counted from an anchor ≤ it. */
export function rollingSpan(word: PeriodWord, anchorMs: BrokerTimeMs, timeMs: BrokerTimeMs): Span {
  const { unit, count } = PERIODS[word];
  switch (unit) {
    case 'day':
      return evenSpan(anchorMs, count * DAY_MS, timeMs);
    case 'week':
      return evenSpan(anchorMs, count * WEEK_MS, timeMs);
    case 'month':
      return rollingMonths(count, anchorMs, timeMs);
    case 'lifetime':
      return ALWAYS;
  }
}

function calendarMonths(months: number, timeMs: BrokerTimeMs): Span {
  const date = new Date(timeMs);
  const year = date.getUTCFullYear();
  const month = Math.floor(date.getUTCMonth() / months) * months;
  return {
    startMs: brokerDateMs(year, month + 1, 1),
    endMs: brokerDateMs(year, month + months + 1, 1),
  };
}

function rollingMonths(months: number, anchorMs: BrokerTimeMs, timeMs: BrokerTimeMs): Span {
  const anchor = new Date(anchorMs);
  const date = new Date(timeMs);
  const apart =
    (date.getUTCFullYear() - anchor.getUTCFullYear()) * 12 +
    (date.getUTCMonth() - anchor.getUTCMonth());
  let index = Math.floor(apart / months);
  if (addMonths(anchorMs, index * months) > timeMs) index -= 1;
  return {
    startMs: addMonths(anchorMs, index * months),
    endMs: addMonths(anchorMs, (index + 1) * months),
  };
}

/** The period of a tracker that holds a moment at or after its start. */
export function periodOf(
  tracker: LiveTracker,
  clock: BrokerClockView,
  timeMs: BrokerTimeMs,
  utcMs: number,
): TrackerPeriod {
  const { rule, startTimeMs, endTimeMs } = tracker;
  const hasStart = !Number.isNaN(startTimeMs);
  if (rule.period === 'lifetime') {
    const startMs = hasStart ? startTimeMs : timeMs;
    return withUtc({ startMs, endMs: endTimeMs + 1 }, clock);
  }
  const period = unclippedPeriod(tracker, clock, utcMs);
  if (hasStart && startTimeMs > period.startMs) {
    period.startMs = startTimeMs;
    period.startUtcMs = clock.utcOf(startTimeMs, Number.NaN);
  }
  if (endTimeMs < period.endMs) {
    period.endMs = endTimeMs + 1;
    period.endUtcMs = clock.utcOf(endTimeMs + 1, Number.NaN);
  }
  return period;
}

function unclippedPeriod(tracker: LiveTracker, clock: BrokerClockView, utcMs: number) {
  const { rule, startTimeMs } = tracker;
  const { resetClock } = rule;
  const calendar = resetClock ?? clock;
  const rolls = !resetClock && !Number.isNaN(startTimeMs) && PERIODS[rule.period].rolls;
  const spanAt = (wallMs: number) =>
    rolls ? rollingSpan(rule.period, startTimeMs, wallMs) : calendarSpan(rule.period, wallMs);
  let period = withUtc(spanAt(calendar.brokerTimeOf(utcMs)), calendar);
  // In the second pass of a time shown twice, a boundary inside it has passed already.
  if (period.endUtcMs <= utcMs) period = withUtc(spanAt(period.endMs), calendar);
  if (!resetClock) return period;
  period.startMs = clock.brokerTimeOf(period.startUtcMs);
  period.endMs = clock.brokerTimeOf(period.endUtcMs);
  return period;
}

/** The next midnight of a calendar after a moment of UTC. */
export function nextMidnightUtc(calendar: BrokerClockView, utcMs: number): number {
  const span = calendarSpan('date', calendar.brokerTimeOf(utcMs));
  const endUtcMs = calendar.utcOf(span.endMs, Number.NaN);
  return endUtcMs > utcMs ? endUtcMs : calendar.utcOf(span.endMs + DAY_MS, Number.NaN);
}

const withUtc = (span: Span, clock: BrokerClockView): TrackerPeriod => ({
  ...span,
  startUtcMs: clock.utcOf(span.startMs, Number.NaN),
  endUtcMs: span.endMs === Infinity ? Infinity : clock.utcOf(span.endMs, Number.NaN),
});

function evenSpan(anchorMs: number, lengthMs: number, timeMs: number): Span {
  const startMs = anchorMs + Math.floor((timeMs - anchorMs) / lengthMs) * lengthMs;
  return { startMs, endMs: startMs + lengthMs };
}

/** The same day and time `months` later, or the last day of a shorter month. */
function addMonths(timeMs: BrokerTimeMs, months: number): BrokerTimeMs {
  const date = new Date(timeMs);
  const timeOfDayMs = timeMs - Math.floor(timeMs / DAY_MS) * DAY_MS;
  const firstMs = brokerDateMs(date.getUTCFullYear(), date.getUTCMonth() + 1 + months, 1);
  const first = new Date(firstMs);
  const nextMs = brokerDateMs(first.getUTCFullYear(), first.getUTCMonth() + 2, 1);
  const days = (nextMs - firstMs) / DAY_MS;
  return firstMs + (Math.min(date.getUTCDate(), days) - 1) * DAY_MS + timeOfDayMs;
}
