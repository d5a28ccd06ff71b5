import { ERRORS, type ErrorRecord, type ErrorStatus } from '../contract/error-record.ts';

/** The record of an error that occurs now, with an id of its own; see `errorRecord`. */
export function errorOccurrence(
  status: ErrorStatus,
  message: string,
  more: { details?: ErrorRecord['details']; retryAfterSeconds?: number } = {},
): ErrorRecord {
  const { details, retryAfterSeconds } = more;
  const retryMs = (retryAfterSeconds ?? 0) * 1000;
  return {
    ...{ id: nextId(), error: ERRORS[status], message },
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined
      ? {}
      : { metadata: { recommendedRetryTime: new Date(Date.now() + retryMs).toISOString() } }),
  };
}

/** Unique integers in the order of time: microseconds, incremented where two would be equal. */
let lastId = 0;
function nextId(): number {
  lastId = Math.max(lastId + 1, Date.now() * 1000);
  return lastId;
}
