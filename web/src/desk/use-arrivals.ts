import { useRef } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';

/** The newest number of an incident's events and revisions. */
const newestOf = ({ id, revisions }: IncidentRecord): number =>
  revisions.at(-1)?.sequenceNumber ?? id;

/** Tells what came, or was revised, after the list was first shown: only that catches the eye. */
export function useArrivals(
  incidents: readonly IncidentRecord[] | undefined,
  list: string,
): (incident: IncidentRecord) => boolean {
  const first = useRef<{ list: string; newest: number }>(undefined);
  if (incidents && first.current?.list !== list) {
    first.current = { list, newest: Math.max(0, ...incidents.map(newestOf)) };
  }
  return (incident) => first.current !== undefined && newestOf(incident) > first.current.newest;
}
