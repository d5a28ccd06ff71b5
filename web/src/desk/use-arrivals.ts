import { useRef } from 'react';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';

/** Tells what came after the list was first shown: only that catches the eye. */
export function useArrivals(
  incidents: readonly IncidentRecord[] | undefined,
  list: string,
): (id: number) => boolean {
  const first = useRef<{ list: string; newest: number }>(undefined);
  if (incidents && first.current?.list !== list) {
    first.current = { list, newest: incidents[0]?.id ?? 0 };
  }
  return (id) => first.current !== undefined && id > first.current.newest;
}
