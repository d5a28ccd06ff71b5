/** The end of days, as typed. */
export type DayEndForm = { resetTime: string; resetZone: string };

/** The missing part, in words; both or neither. */
export function dayEndObstacle({ resetTime, resetZone }: DayEndForm): string | undefined {
  if ((resetTime === '') === (resetZone.trim() === '')) return undefined;
  return resetTime === ''
    ? 'Say at what time days end in that zone, or clear the zone.'
    : 'Say in which zone days end at that time, such as Europe/Prague.';
}

/** The clock that ends days; undefined for the account's own. */
export const resetClockOf = ({ resetTime, resetZone }: DayEndForm) =>
  resetZone.trim() && resetTime ? { zone: resetZone.trim(), time: resetTime } : undefined;
