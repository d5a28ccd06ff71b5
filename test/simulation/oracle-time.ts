import { type BrokerClock, brokerTimeAt } from '../../src/domain/broker-time.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { PeriodWord } from '../../src/words/periods.ts';

/* Time as the definitions have it: every question is put to Temporal again, nothing is cached. */
const HOUR = 3_600_000;

/** Its bounds, and the account's clock at its first and last moment. */
export type OraclePeriod = {
  startUtcMs: number;
  endUtcMs: number;
  startMs: number;
  lastMs: number;
};

const plainOf = (wallMs: number): Temporal.PlainDateTime =>
  Temporal.PlainDateTime.from(new Date(wallMs).toISOString().slice(0, -1));

const msOf = (plain: Temporal.PlainDateTime): number =>
  plain.toZonedDateTime('UTC').epochMilliseconds;

/** The earlier moment of a wall time shown twice, the moment after the jump of a skipped one. */
export function firstUtcOf(wallMs: number, clock: BrokerClock): number {
  const plain = plainOf(wallMs - clock.shiftHours * HOUR);
  return plain.toZonedDateTime(clock.zone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** A wall time in the course of an account: which pass of a repeated time it is. */
export function utcInCourse(
  wallMs: number,
  lastUtcMs: number | undefined,
  clock: BrokerClock,
): number {
  const plain = plainOf(wallMs - clock.shiftHours * HOUR);
  const first = plain.toZonedDateTime(clock.zone, { disambiguation: 'earlier' });
  const second = plain.toZonedDateTime(clock.zone, { disambiguation: 'later' });
  if (first.epochMilliseconds === second.epochMilliseconds) return first.epochMilliseconds;
  const isShownTwice =
    first.toPlainDateTime().equals(plain) && second.toPlainDateTime().equals(plain);
  if (!isShownTwice || lastUtcMs === undefined) return firstUtcOf(wallMs, clock);
  const changeUtcMs = first.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
  const lengthMs = second.epochMilliseconds - first.epochMilliseconds;
  const isInSecond = lastUtcMs >= changeUtcMs;
  const isInFirst = !isInSecond && lastUtcMs >= changeUtcMs - lengthMs;
  const stepsBack = wallMs < brokerTimeAt(lastUtcMs, clock) - lengthMs / 2;
  return isInSecond || (isInFirst && stepsBack)
    ? second.epochMilliseconds
    : first.epochMilliseconds;
}

const UNITS: Record<string, Temporal.DurationLike> = {
  day: { days: 1 },
  date: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
};

const times = (unit: Temporal.DurationLike, count: number): Temporal.DurationLike =>
  Object.fromEntries(Object.entries(unit).map(([name, amount]) => [name, Number(amount) * count]));

/** The clock whose midnights, Sundays and firsts bound the tracker's calendar. */
export function calendarOf({ resetClock }: TrackerDefinition, clock: BrokerClock): BrokerClock {
  if (!resetClock) return clock;
  const [hours = 0, minutes = 0] = resetClock.time.split(':').map(Number);
  return { zone: resetClock.zone, shiftHours: -(hours + minutes / 60) };
}

/** The period of a moment at or after the tracker's start, found by counting from the beginning. */
export function oraclePeriodAt(
  definition: TrackerDefinition,
  clock: BrokerClock,
  utcMs: number,
): OraclePeriod {
  const { period: word, startTimeMs, endTimeMs, resetClock } = definition;
  const calendar = calendarOf(definition, clock);
  const isPlain = !word.endsWith('to-date') && word !== 'date';
  const unit = UNITS[word.replace('-to-date', '')] ?? { years: 20_000 };
  const rolls = word !== 'lifetime' && !resetClock && startTimeMs !== undefined && isPlain;
  const anchor = rolls
    ? plainOf(startTimeMs)
    : calendarStart(word, plainOf(brokerTimeAt(utcMs, calendar))).subtract(unit);
  let found: Pick<OraclePeriod, 'startUtcMs' | 'endUtcMs'> | undefined;
  let startMs = msOf(anchor);
  let startUtcMs = firstUtcOf(startMs, calendar);
  for (let count = 1; word !== 'lifetime' && !found; count += 1) {
    const endMs = msOf(anchor.add(times(unit, count)));
    const endUtcMs = firstUtcOf(endMs, calendar);
    if (utcMs >= startUtcMs && utcMs < endUtcMs) {
      found = { startUtcMs, endUtcMs };
    }
    [startMs, startUtcMs] = [endMs, endUtcMs];
  }
  found ??= { startUtcMs: utcMs, endUtcMs: Infinity };
  const ownUtcMs = startTimeMs === undefined ? -Infinity : firstUtcOf(startTimeMs, clock);
  if (startTimeMs !== undefined && (word === 'lifetime' || ownUtcMs > found.startUtcMs)) {
    found.startUtcMs = ownUtcMs;
  }
  if (endTimeMs !== undefined) {
    found.endUtcMs = Math.min(found.endUtcMs, firstUtcOf(endTimeMs + 1, clock));
  }
  const { startUtcMs: beganUtcMs, endUtcMs } = found;
  return {
    ...found,
    startMs: brokerTimeAt(beganUtcMs, clock),
    lastMs: endUtcMs === Infinity ? Infinity : brokerTimeAt(endUtcMs - 1, clock),
  };
}

function calendarStart(word: PeriodWord, wall: Temporal.PlainDateTime): Temporal.PlainDateTime {
  const midnight = wall.with({ hour: 0, minute: 0, second: 0, millisecond: 0 });
  if (word.startsWith('week')) return midnight.subtract({ days: midnight.dayOfWeek % 7 });
  if (word.startsWith('month')) return midnight.with({ day: 1 });
  if (word.startsWith('year')) return midnight.with({ day: 1, month: 1 });
  if (word.startsWith('quarter')) {
    return midnight.with({ day: 1, month: midnight.month - ((midnight.month - 1) % 3) });
  }
  return midnight;
}

/** The first midnight of a calendar after a moment. */
export function midnightAfter(utcMs: number, calendar: BrokerClock): number {
  const today = calendarStart('date', plainOf(brokerTimeAt(utcMs, calendar)));
  for (let days = 0; ; days += 1) {
    const midnightUtcMs = firstUtcOf(msOf(today.add({ days })), calendar);
    if (midnightUtcMs > utcMs) return midnightUtcMs;
  }
}
