import {
  INCIDENT_PAGE_BYTES,
  type IncidentRecord,
  LISTED_ENTRIES,
  MAX_COUNTED_INCIDENTS,
  MAX_REVISIONS,
  SHOWN_ENTRIES,
} from '../../contract/operations/incidents.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import type { Revision } from '../../domain/live/live-records.ts';
import { presentRevision, presentTrackerEvent } from '../../feeds/present-event.ts';
import { type Account, findNumbered } from '../../storage/account-store.ts';
import type { BreachAction } from '../../storage/breach-action-store.ts';
import type { Sql } from '../../storage/database.ts';
import type { StoredEvent } from '../../storage/event-feed-store.ts';
import {
  countOpenIncidents,
  findIncidents,
  type IncidentEntry,
  type IncidentEvent,
  type IncidentPlace,
  listIncidentEntries as listEntries,
  listIncidentRows,
  readHandlings,
  readIncidentActions,
  readIncidentEvents,
  readRevisions,
} from '../../storage/incident-store.ts';
import type { IncidentChoice } from '../../words/service.ts';
import type { ThresholdType } from '../../words/trackers.ts';
import { presentAction } from '../breach-actions/present-action.ts';
import type { Context, Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { type Page, readPage } from '../page.ts';
import { filterOf } from '../tracker-events/read-events.ts';
import { readTrackerNames } from '../trackers/tracker-names.ts';
import { type Handling, keyOf, readHandling, readVersions } from './present-handling.ts';

export type IncidentQuery = {
  state: IncidentChoice;
  kind?: ThresholdType | undefined;
  accountId?: string | undefined;
  label?: string | undefined;
  before: number;
  limit: number;
};

/** A page of incidents, newest first, and how many are open. */
export async function listIncidents(
  context: Context,
  principal: Principal,
  { state, kind, accountId, label, before, limit }: IncidentQuery,
): Promise<{ open: number; incidents: IncidentRecord[]; next?: number }> {
  const { database } = context;
  const filter = { ...(await filterOf(context, principal, { accountId }, kind)), label };
  const open = await countOpenIncidents(database, filter, MAX_COUNTED_INCIDENTS);
  const heads = await listIncidentRows(database, filter, state, before, limit);
  const { incidents, read } = await fillPage(database, heads);
  const last = heads[read - 1];
  const isMore = heads.length === limit || read < heads.length;
  return { open, incidents, ...(isMore && last ? { next: last.id } : {}) };
}

/** Incidents read at a time: some are large. */
const READ_AT_ONCE = 20;

/** Presents incidents up to the bound of a page; returns how many of them were read. */
async function fillPage(
  sql: Sql,
  heads: readonly IncidentPlace[],
): Promise<{ incidents: IncidentRecord[]; read: number }> {
  const incidents: IncidentRecord[] = [];
  let bytes = 0;
  let read = 0;
  while (read < heads.length && bytes <= INCIDENT_PAGE_BYTES) {
    const places = heads.slice(read, read + READ_AT_ONCE);
    const found = await presentIncidents(sql, places, LISTED_ENTRIES);
    const byPlace = new Map(found.map((each) => [keyOf(each.place), each.incident]));
    for (const place of places) {
      if (bytes > INCIDENT_PAGE_BYTES) break;
      read += 1;
      const incident = byPlace.get(keyOf(place));
      if (!incident) continue;
      bytes += JSON.stringify(incident).length;
      incidents.push(incident);
    }
  }
  return { incidents, read };
}

/** The incident of an event. Throws `notFound`. */
export async function readIncident(
  context: Context,
  principal: Principal,
  eventNumber: string,
): Promise<IncidentRecord> {
  const places = await placesOf(context, principal, eventNumber);
  const [found] = await presentIncidents(context.database, places, SHOWN_ENTRIES);
  if (!found) throw notFound('Incident');
  return found.incident;
}

/** A page of an incident's entries, newest first. Throws `notFound`. */
export async function readEntries(
  context: Context,
  principal: Principal,
  eventNumber: string,
  { before, limit }: { before: number; limit: number },
): Promise<Page<IncidentEntry>> {
  const { database } = context;
  const [place] = await placesOf(context, principal, eventNumber);
  if (!place) throw notFound('Incident');
  const [handling] = await readHandlings(database, [place]);
  return readPage(
    { limit, total: handling?.entries ?? 0 },
    (most) => listEntries(database, place, before, most),
    (entry) => ({ before: entry.place }),
  );
}

/** None if the caller can see no incident with this event. */
async function placesOf(
  context: Context,
  principal: Principal,
  eventNumber: string,
): Promise<IncidentPlace[]> {
  const number = /^\d{1,15}$/.test(eventNumber) ? Number(eventNumber) : 0;
  const filter = await filterOf(context, principal, {});
  return findIncidents(context.database, filter, [number]);
}

/** Incidents with all known data, in the order of the places. */
async function presentIncidents(
  sql: Sql,
  places: readonly IncidentPlace[],
  entries: number,
): Promise<{ place: IncidentPlace; incident: IncidentRecord }[]> {
  const numbers = [...new Set(places.map(({ accountNumber }) => accountNumber))];
  const accounts = new Map(
    (await findNumbered(sql, numbers)).map((account) => [account.number, account]),
  );
  const names = await readTrackerNames(sql, numbers);
  const all = await readIncidentEvents(sql, places);
  const events = Map.groupBy(all, ({ accountNumber, event }) =>
    keyOf({ accountNumber, timeMs: event.timeMs }),
  );
  const revisions = Map.groupBy(
    await readRevisions(
      sql,
      all.map(({ sequenceNumber }) => sequenceNumber),
      MAX_REVISIONS,
    ),
    ({ revises }) => revises,
  );
  const handlingOf = await readHandling(sql, places, entries);
  const versionOf = await readVersions(sql, all);
  const actions = Map.groupBy(await readIncidentActions(sql, places), keyOf);
  return places.flatMap((place) => {
    const account = accounts.get(place.accountNumber);
    const own = events.get(keyOf(place));
    // Deleted between two reads.
    if (!account || !own) return [];
    const handling = handlingOf(place, own);
    const done = {
      revisions: own.flatMap(({ sequenceNumber }) => revisions.get(sequenceNumber) ?? []),
      handling: { ...handling, version: versionOf(own, handling.entryCount) },
      actions: actions.get(keyOf(place)) ?? [],
    };
    return [{ place, incident: present(account, own, done, names) }];
  });
}

type Done = {
  revisions: readonly StoredEvent<Revision>[];
  handling: Handling & { version: string };
  actions: readonly BreachAction[];
};

function present(
  account: Account,
  events: readonly IncidentEvent[],
  { revisions, handling, actions }: Done,
  names: ReadonlyMap<string, string>,
): IncidentRecord {
  const { id: accountId, name: accountName, login, currency } = account;
  const [first] = events;
  return {
    id: first?.sequenceNumber ?? 0,
    ...{ accountId, accountName, login, currency },
    brokerTime: formatBrokerTime(first?.event.timeMs ?? 0),
    events: events.map((event) => {
      const trackerName = names.get(event.event.trackerId);
      return {
        ...presentTrackerEvent(event),
        ...(trackerName === undefined ? {} : { trackerName }),
      };
    }),
    revisions: revisions.map(presentRevision),
    actions: actions.map((action) =>
      presentAction(action, {
        account,
        trackerName: names.get(action.trackerId),
        sequenceNumber: events.find(({ event }) => event.trackerId === action.trackerId)
          ?.sequenceNumber,
      }),
    ),
    ...handling,
  };
}
