import { type IncidentRecord, MAX_HANDLING_ENTRIES } from '../../contract/operations/incidents.ts';
import type { IncidentEntry, IncidentEvent } from '../../storage/incident-store.ts';
import { isoTime } from '../present-time.ts';

/** What people did about an incident with these events. */
export function presentHandling(
  events: readonly IncidentEvent[],
  entries: readonly IncidentEntry[],
): Pick<IncidentRecord, 'acknowledged' | 'assignee' | 'entries'> {
  const assignee = entries.findLast(({ kind }) => kind === 'assigned')?.words;
  return {
    acknowledged: events.every(({ acknowledgedAtMs }) => acknowledgedAtMs !== undefined),
    ...(assignee ? { assignee } : {}),
    entries: entries.slice(-MAX_HANDLING_ENTRIES).map(({ atMs, author, kind, words }) => ({
      at: isoTime(atMs),
      ...{ author, kind },
      ...(words === null ? {} : { words }),
    })),
  };
}
