/** Times of the service's own clock, as the wire has them. */
export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/** Absent where there is none. */
export const isoTimeOrAbsent = (timeMs: number | null): string | undefined =>
  timeMs === null ? undefined : isoTime(timeMs);
