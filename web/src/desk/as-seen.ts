import { useRef } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';

/** Less than people need to read that a button says something else now. */
const READ_MS = 500;

/**
 * An incident as whoever presses a button has seen it: in the moment after what the button changes
 * was changed by somebody else, as it stood before; the server refuses what is done to that.
 */
export function useAsSeen(
  incident: IncidentRecord,
  what: 'acknowledged' | 'assignee',
): () => IncidentRecord {
  const seen = useRef({ before: incident, now: incident, sinceMs: 0 });
  const { now } = seen.current;
  if (now[what] === incident[what]) seen.current.now = incident;
  else seen.current = { before: now, now: incident, sinceMs: performance.now() };
  return () => {
    const { before, sinceMs } = seen.current;
    return performance.now() - sinceMs < READ_MS ? before : incident;
  };
}
