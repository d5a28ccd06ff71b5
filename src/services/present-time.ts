/** Times of the service's own clock, in the form of the API. */
export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/** Undefined without a time. */
export const isoTimeOrAbsent = (timeMs: number | null): string | undefined =>
  timeMs === null ? undefined : isoTime(timeMs);
