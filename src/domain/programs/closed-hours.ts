import { type BrokerTimeMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import type { ClosedHours } from './program-definition.ts';

/** The clock of a phase, and how its account's times look on it. */
export type PhaseClock = {
  localOf: (timeMs: BrokerTimeMs) => number;
  timeOf: (localMs: number) => BrokerTimeMs;
};

type Bound = { weekday: number | undefined; offsetMs: number };

const WEEK_MS = 7 * DAY_MS;
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const BOUND = /^(?:([A-Z]{3}) )?([01]\d|2[0-3]):([0-5]\d)$/;
/** 1970-01-04, the first Sunday. */
const FIRST_SUNDAY_MS = 3 * DAY_MS;

/** A moment of a week (`FRI 22:00`) or of a day (`22:00`); undefined for other text. */
function boundOf(text: string): Bound | undefined {
  const [, name, hours, minutes] = BOUND.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const offsetMs = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  if (name === undefined) return { weekday: undefined, offsetMs };
  const weekday = WEEKDAYS.indexOf(name);
  return weekday < 0 ? undefined : { weekday, offsetMs: weekday * DAY_MS + offsetMs };
}

/** Milliseconds since midnight of a time as HH:mm; undefined for other text. */
export const timeOfDay = (text: string): number | undefined => boundOf(text)?.offsetMs;

/** What is wrong with the bounds of closed hours, in words; undefined if nothing is. */
export function closedHoursFault({ starts, ends }: Pick<ClosedHours, 'starts' | 'ends'>) {
  const [from, to] = [boundOf(starts), boundOf(ends)];
  if (!from || !to) return 'must be a time as HH:mm, or with a day of the week as FRI 22:00';
  if ((from.weekday === undefined) !== (to.weekday === undefined)) {
    return 'must both have a day of the week, or neither';
  }
  return from.offsetMs === to.offsetMs ? 'must not start and end at the same time' : undefined;
}

/** The closed hours that a time lies in, or else the next ones, by the clock of the phase. */
export function closedFrom({ starts, ends }: ClosedHours, localMs: number) {
  const [from, to] = [boundOf(starts), boundOf(ends)];
  const periodMs = from?.weekday === undefined ? DAY_MS : WEEK_MS;
  const [fromMs, toMs] = [from?.offsetMs ?? 0, to?.offsetMs ?? 0];
  const lengthMs = (((toMs - fromMs) % periodMs) + periodMs) % periodMs;
  const originMs = FIRST_SUNDAY_MS + fromMs;
  const startMs = originMs + Math.floor((localMs - originMs) / periodMs) * periodMs;
  const isInside = localMs < startMs + lengthMs;
  return { isInside, startMs: isInside ? startMs : startMs + periodMs };
}

/**
 * The first moment at which what was opened at a time is held in closed hours, unless it is closed
 * by then.
 */
export function heldFrom(
  rule: ClosedHours,
  openTimeMs: BrokerTimeMs,
  { localOf, timeOf }: PhaseClock,
): BrokerTimeMs {
  const { isInside, startMs } = closedFrom(rule, localOf(openTimeMs));
  return isInside ? openTimeMs : timeOf(startMs);
}
