/** Times of the service's own clock, as the wire shows them. */
export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/** Undefined without a time. */
export const isoTimeOrAbsent = (timeMs: number | null): string | undefined =>
  timeMs === null ? undefined : isoTime(timeMs);
