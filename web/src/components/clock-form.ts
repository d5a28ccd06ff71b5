import { formatNumber } from '../lib/format.ts';
import { type NumberRules, numberOf, readNumber } from '../lib/read-number.ts';

/** A broker's clock as typed. */
export type ClockForm = { zone: string; shiftHours: string };

/** New York + 7 hours, used by most brokers. */
export const USUAL_CLOCK: ClockForm = { zone: 'America/New_York', shiftHours: '7' };

export const HOURS_ADDED: NumberRules = { min: -24, max: 24, digits: 2, units: ['h'] };

/** A clock as it would be typed. */
export const clockFormOf = (clock: { zone: string; shiftHours?: number }): ClockForm => ({
  zone: clock.zone,
  shiftHours: formatNumber(clock.shiftHours ?? 0, 2),
});

/** The clock of the form; undefined while its hours can't be read. */
export function readClock({ zone, shiftHours }: ClockForm) {
  const reading = readNumber(shiftHours, HOURS_ADDED);
  if (reading.kind === 'unreadable') return undefined;
  return { zone: zone.trim(), shiftHours: numberOf(reading) ?? 0 };
}

/** The current time on a form's clock, for comparison with the terminal's; or nothing. */
export function clockNow(form: ClockForm): string | undefined {
  const clock = readClock(form);
  if (!clock) return undefined;
  try {
    const atMs = Date.now() + clock.shiftHours * 3_600_000;
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone: clock.zone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(atMs);
  } catch {
    return undefined;
  }
}
