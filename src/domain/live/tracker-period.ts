import { PERIODS, type PeriodWord } from '../../words/periods.ts';
import { type BrokerTimeMs, brokerDateMs, DAY_MS } from '../broker-time.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import type { LiveTracker } from './live-tracker.ts';

/** `endMs` is exclusive and may be Infinity. */
export type Span = { startMs: number; endMs: number };
/**
 * A period by UTC, in which no time occurs twice, and its first and last moment by the broker's
 * clock. Without an end, the last two are Infinity.
 */
export type TrackerPeriod = {
  startUtcMs: number;
  endUtcMs: number;
  startMs: number;
  lastMs: number;
};

const WEEK_MS = 7 * DAY_MS;
/** 1970-01-01 was a Thursday: the Sunday before it lies four days earlier. */
const SUNDAY_OFFSET_MS = 4 * DAY_MS;
const ALWAYS: Span = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

/** The calendar unit that contains a wall time; weeks begin on Sunday. */
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

/** The span of the period's length that contains a wall time, counted from an anchor ≤ it. */
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

/** The period of a tracker that contains a moment at or after its start. */
export function periodOf(
  tracker: LiveTracker,
  clock: BrokerClockView,
  timeMs: BrokerTimeMs,
  utcMs: number,
): TrackerPeriod {
  const { startTimeMs, endTimeMs } = tracker;
  const span = unclippedPeriod(tracker, clock, timeMs, utcMs);
  const ownStartUtcMs = Number.isNaN(startTimeMs) ? -Infinity : utcOf(startTimeMs, clock);
  const startUtcMs = Math.max(span.startUtcMs, ownStartUtcMs);
  const endUtcMs = Math.min(span.endUtcMs, utcOf(endTimeMs + 1, clock));
  // A midnight, or a wall time less a millisecond, may never be shown by the clock: use instants.
  const startMs = clock.brokerTimeOf(startUtcMs);
  return { startUtcMs, endUtcMs, startMs, lastMs: clock.brokerTimeOf(endUtcMs - 1) };
}

function unclippedPeriod(
  { rule, startTimeMs }: LiveTracker,
  clock: BrokerClockView,
  timeMs: BrokerTimeMs,
  utcMs: number,
): Pick<TrackerPeriod, 'startUtcMs' | 'endUtcMs'> {
  if (rule.period === 'lifetime') {
    const startMs = Number.isNaN(startTimeMs) ? timeMs : startTimeMs;
    return { startUtcMs: utcOf(startMs, clock), endUtcMs: Infinity };
  }
  const calendar = rule.resetClock ?? clock;
  const rolls = !rule.resetClock && !Number.isNaN(startTimeMs) && PERIODS[rule.period].rolls;
  const spanAt = (wallMs: number) =>
    rolls ? rollingSpan(rule.period, startTimeMs, wallMs) : calendarSpan(rule.period, wallMs);
  let span = spanAt(calendar.brokerTimeOf(utcMs));
  // In the second pass of a time shown twice, a boundary inside it has passed already.
  if (utcOf(span.endMs, calendar) <= utcMs) span = spanAt(span.endMs);
  return { startUtcMs: utcOf(span.startMs, calendar), endUtcMs: utcOf(span.endMs, calendar) };
}

/** The next midnight of a calendar after a moment of UTC. */
export function nextMidnightUtc(calendar: BrokerClockView, utcMs: number): number {
  const span = calendarSpan('date', calendar.brokerTimeOf(utcMs));
  const endUtcMs = calendar.utcOf(span.endMs, Number.NaN);
  return endUtcMs > utcMs ? endUtcMs : calendar.utcOf(span.endMs + DAY_MS, Number.NaN);
}

const utcOf = (timeMs: BrokerTimeMs, clock: BrokerClockView): number =>
  timeMs === Infinity ? Infinity : clock.utcOf(timeMs, Number.NaN);

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
