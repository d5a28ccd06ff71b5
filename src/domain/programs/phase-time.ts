import { DAY_MS } from '../broker-time.ts';
import type { BrokerClockView } from '../live/broker-clock-view.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { nextMidnightUtc } from '../live/tracker-period.ts';
import { reachDay, startDays } from './day-results.ts';
import { type LiveEnrolment, PAUSED, RUNNING } from './live-enrolment.ts';

/** Begins the phase if a moment has reached its start. Returns whether it has begun. */
export function beginPhase(account: LiveAccount, enrolment: LiveEnrolment, utcMs: number): boolean {
  const { definition, terms } = enrolment;
  if (enrolment.state === PAUSED) return false;
  const startUtcMs =
    definition.startTimeMs === undefined
      ? utcMs
      : account.clock.utcOf(definition.startTimeMs, Number.NaN);
  if (utcMs < startUtcMs) return false;
  const calendar = calendarOf(account, enrolment);
  const day = dayOf(calendar, startUtcMs);
  enrolment.startUtcMs = startUtcMs;
  enrolment.startTimeMs = definition.startTimeMs ?? account.clock.brokerTimeOf(startUtcMs);
  enrolment.today = day;
  enrolment.dayEndUtcMs = nextMidnightUtc(calendar, startUtcMs);
  startDays(enrolment, day);
  enrolment.deadlineUtcMs = startOfDayUtc(calendar, day + terms.limitDays);
  setActive(enrolment, calendar, day);
  return true;
}

/** Moves on to the day of a moment, if the running day is over by then. */
export function reachToday(account: LiveAccount, enrolment: LiveEnrolment, utcMs: number): void {
  if (utcMs < enrolment.dayEndUtcMs) return;
  const calendar = calendarOf(account, enrolment);
  enrolment.dayEndUtcMs = nextMidnightUtc(calendar, utcMs);
  enrolment.today = Math.max(enrolment.today, dayOf(calendar, utcMs));
  reachDay(enrolment, enrolment.today);
}

/**
 * Resumes after a pause: its days are added to the time limit, and idle days are counted from zero.
 */
export function resumeTime(account: LiveAccount, enrolment: LiveEnrolment, utcMs: number): void {
  const { pausedFromUtcMs } = enrolment;
  const resumedUtcMs = Math.max(utcMs, pausedFromUtcMs);
  enrolment.state = RUNNING;
  enrolment.pausedUntilUtcMs = resumedUtcMs;
  if (!enrolment.hasBegun) return;
  const calendar = calendarOf(account, enrolment);
  const day = dayOf(calendar, resumedUtcMs);
  const pausedDays = day - dayOf(calendar, pausedFromUtcMs);
  const { deadlineUtcMs } = enrolment;
  if (Number.isFinite(deadlineUtcMs)) {
    const lastDay = dayOf(calendar, deadlineUtcMs);
    enrolment.deadlineUtcMs = startOfDayUtc(calendar, lastDay + pausedDays);
  }
  if (day > enrolment.lastActiveDay) setActive(enrolment, calendar, day);
}

/** Counts idle days from the end of this day on. */
export function setActive(enrolment: LiveEnrolment, calendar: BrokerClockView, day: number): void {
  enrolment.lastActiveDay = day;
  enrolment.idleUntilUtcMs = startOfDayUtc(calendar, day + enrolment.terms.idleDays + 1);
}

/** The clock by which the phase counts days. */
export const calendarOf = ({ clock }: LiveAccount, { progress }: LiveEnrolment): BrokerClockView =>
  progress.rule.resetClock ?? clock;

/** The day that a calendar shows at a moment, counted from 1970. */
export const dayOf = (calendar: BrokerClockView, utcMs: number): number =>
  Math.floor(calendar.brokerTimeOf(utcMs) / DAY_MS);

export const startOfDayUtc = (calendar: BrokerClockView, day: number): number =>
  Number.isFinite(day) ? calendar.utcOf(day * DAY_MS, Number.NaN) : Number.POSITIVE_INFINITY;
