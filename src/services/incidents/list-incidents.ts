import {
  type IncidentRecord,
  MAX_COUNTED_INCIDENTS,
  MAX_REVISIONS,
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
  listIncidentRows,
  readIncidentActions,
  readIncidentEntries,
  readIncidentEvents,
  readRevisions,
} from '../../storage/incident-store.ts';
import type { IncidentChoice } from '../../words/service.ts';
import type { ThresholdType } from '../../words/trackers.ts';
import { presentAction } from '../breach-actions/present-action.ts';
import type { Context, Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { filterOf } from '../tracker-events/read-events.ts';
import { readTrackerNames } from '../trackers/tracker-names.ts';
import { presentHandling } from './present-handling.ts';

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
  const incidents = await presentIncidents(database, heads);
  const last = heads.at(-1);
  const next = heads.length === limit && last ? { next: last.id } : {};
  return { open, incidents, ...next };
}

/** The incident that an event belongs to. Throws `notFound`. */
export async function readIncident(
  context: Context,
  principal: Principal,
  eventNumber: string,
): Promise<IncidentRecord> {
  const number = /^\d{1,15}$/.test(eventNumber) ? Number(eventNumber) : 0;
  const filter = await filterOf(context, principal, {});
  const places = await findIncidents(context.database, filter, [number]);
  const [incident] = await presentIncidents(context.database, places);
  if (!incident) throw notFound('Incident');
  return incident;
}

/** Incidents with everything known of them, in the order of the places. */
async function presentIncidents(
  sql: Sql,
  places: readonly IncidentPlace[],
): Promise<IncidentRecord[]> {
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
  const entries = Map.groupBy(await readIncidentEntries(sql, places), keyOf);
  const actions = Map.groupBy(await readIncidentActions(sql, places), keyOf);
  return places.flatMap((place) => {
    const account = accounts.get(place.accountNumber);
    const own = events.get(keyOf(place));
    // Deleted between two reads.
    if (!account || !own) return [];
    const done = {
      revisions: own.flatMap(({ sequenceNumber }) => revisions.get(sequenceNumber) ?? []),
      entries: entries.get(keyOf(place)) ?? [],
      actions: actions.get(keyOf(place)) ?? [],
    };
    return [present(account, own, done, names)];
  });
}

const keyOf = ({ accountNumber, timeMs }: IncidentPlace): string => `${accountNumber} ${timeMs}`;

type Done = {
  revisions: readonly StoredEvent<Revision>[];
  entries: readonly IncidentEntry[];
  actions: readonly BreachAction[];
};

function present(
  account: Account,
  events: readonly IncidentEvent[],
  { revisions, entries, actions }: Done,
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
    ...presentHandling(events, entries),
  };
}
