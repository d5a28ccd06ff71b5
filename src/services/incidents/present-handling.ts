import type { IncidentRecord } from '../../contract/operations/incidents.ts';
import type { Sql } from '../../storage/database.ts';
import {
  type IncidentEntry,
  type IncidentEvent,
  type IncidentPlace,
  newestRevisions,
  readHandlings,
  readIncidentEntries,
} from '../../storage/incident-store.ts';
import { isoTime } from '../present-time.ts';

export type Handling = Pick<IncidentRecord, 'acknowledged' | 'assignee' | 'entryCount' | 'entries'>;

/** The handling of incidents, with at most `limit` entries of each. */
export async function readHandling(
  sql: Sql,
  places: readonly IncidentPlace[],
  limit: number,
): Promise<(place: IncidentPlace, events: readonly IncidentEvent[]) => Handling> {
  const known = new Map((await readHandlings(sql, places)).map((each) => [keyOf(each), each]));
  const newest = Map.groupBy(await readIncidentEntries(sql, places, limit), keyOf);
  return (place, events) => {
    const { assignee = null, entries = 0 } = known.get(keyOf(place)) ?? {};
    return {
      acknowledged: events.every(({ acknowledgedAtMs }) => acknowledgedAtMs !== undefined),
      ...(assignee === null ? {} : { assignee }),
      entryCount: entries,
      entries: (newest.get(keyOf(place)) ?? []).map(presentEntry),
    };
  };
}

type Numbered = Pick<IncidentEvent, 'sequenceNumber'>;

/** Names what of incidents can be seen: their newest event or revision, and how often handled. */
export async function readVersions(
  sql: Sql,
  events: readonly Numbered[],
): Promise<(own: readonly Numbered[], entries: number) => string> {
  const numbers = events.map(({ sequenceNumber }) => sequenceNumber);
  const revised = await newestRevisions(sql, numbers);
  return (own, entries) => {
    const newest = own.map(({ sequenceNumber }) => revised.get(sequenceNumber) ?? sequenceNumber);
    return `${entries}-${Math.max(0, ...newest)}`;
  };
}

export const presentEntry = ({ place, atMs, author, kind, words }: IncidentEntry) => ({
  ...{ place, at: isoTime(atMs), author, kind },
  ...(words === null ? {} : { words }),
});

/** Events of one account and moment are one incident, whichever of their numbers names it. */
export const keyOf = ({ accountNumber, timeMs }: IncidentPlace): string =>
  `${accountNumber} ${timeMs}`;
