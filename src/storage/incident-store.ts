import type { BrokerTimeMs } from '../domain/broker-time.ts';
import {
  isBreach,
  isRevision,
  type Revision,
  type TrackerEvent,
} from '../domain/live/live-records.ts';
import type { IncidentChoice, IncidentEntryKind } from '../words/service.ts';
import { ACTION_COLUMNS, actionOf, type BreachAction } from './breach-action-store.ts';
import type { Row, Sql, SqlValue, Transaction } from './database.ts';
import { EVENT_COLUMNS, eventOf, type StoredEvent } from './event-feed-store.ts';
import { type EventFilter, eventsWhere, readInOrder } from './event-filter.ts';
import { plain, RecordTable } from './record-table.ts';
import { allIn, inSlices, numberOf, Where } from './sql-text.ts';

/** The events of one account and moment are one incident. */
export type IncidentPlace = { accountNumber: number; timeMs: BrokerTimeMs };

/** Its id is the number of one of its events: the smallest among the requested ones. */
export type IncidentHead = IncidentPlace & { id: number };

export type IncidentFilter = EventFilter & {
  /** Only of accounts with this label, if given. */
  label?: string | undefined;
};

/** The size of an entry besides its words. */
export const INCIDENT_ENTRY_BYTES = 100;

/** An action of a person on an incident. */
export type IncidentEntry = IncidentPlace & {
  /** Counts the incident's entries, from 1. */
  place: number;
  atMs: number;
  author: string;
  kind: IncidentEntryKind;
  /** The note, or the assignee: null for none. */
  words: string | null;
};

const ENTRY = new RecordTable<IncidentEntry>('incident_entry', {
  accountNumber: plain('account_number'),
  timeMs: plain('time_ms'),
  place: plain('place'),
  atMs: plain('at_ms'),
  author: plain('author'),
  kind: plain('kind'),
  words: plain('words'),
});

type HeadRow = Row & { account_number: number; time_ms: number; sequence_number: number };

const IS_OPEN = 'acknowledged_at_ms is null';
/** Warnings and changes of enrolments and feeds are not incidents. */
const IS_BREACH = "kind in ('drawdown', 'profit')";

/** For each incident, the event with the smallest number among those that pass. */
function headsWhere({ kind, label }: IncidentFilter, state: IncidentChoice, where: Where): Where {
  const alike = [
    'other.account_number = tracker_event.account_number',
    'other.time_ms = tracker_event.time_ms',
    'other.sequence_number < tracker_event.sequence_number',
    `other.${IS_BREACH}`,
  ];
  if (state === 'open') {
    where.and(IS_OPEN);
    alike.push(`other.${IS_OPEN}`);
  }
  if (kind) alike.push('other.kind = tracker_event.kind');
  if (label !== undefined) where.and(isLabelled(label, where));
  return where
    .and(IS_BREACH)
    .and('sequence_number is not null')
    .and(`not exists (select 1 from tracker_event other where ${alike.join(' and ')})`);
}

/**
 * The condition that the account of an event's row has the label. Labels are a JSON list, which has
 * it in quotes, at the beginning or after a comma. `like` would ignore case on SQLite.
 */
function isLabelled(label: string, where: Where): string {
  const word = JSON.stringify(label);
  const [first, later] = [where.place(`[${word}`), where.place(`,${word}`)];
  return `account_number in (select number from account where user_id = $1
    and (replace(labels, ${first}, '') <> labels or replace(labels, ${later}, '') <> labels))`;
}

/** Incidents whose ids come before a number, newest first. */
export async function listIncidentRows(
  sql: Sql,
  filter: IncidentFilter,
  state: IncidentChoice,
  before: number,
  limit: number,
): Promise<IncidentHead[]> {
  const select = (where: Where): string => {
    const heads = headsWhere(filter, state, where);
    return `select account_number, time_ms, sequence_number from tracker_event
      where ${heads.and(`sequence_number < ${where.place(before)}`)}`;
  };
  const rows = await readInOrder<HeadRow>(sql, filter, {
    ...{ select, order: ['sequence_number'], isDescending: true, limit },
    // Open ones have an index of their own.
    isFew: state === 'open',
  });
  return rows.map(headOf);
}

const headOf = (row: HeadRow): IncidentHead => ({
  accountNumber: row.account_number,
  timeMs: row.time_ms,
  id: row.sequence_number,
});

/** How many are open, counted up to `most`. */
export async function countOpenIncidents(
  sql: Sql,
  filter: IncidentFilter,
  most: number,
): Promise<number> {
  const heads = headsWhere(filter, 'open', eventsWhere(filter));
  return numberOf(
    sql,
    `select count(*) as incidents from
       (select 1 as one from tracker_event where ${heads} limit ${heads.place(most)}) as open_incident`,
    heads.params,
  );
}

/** The incidents of those events with these numbers that pass. */
export async function findIncidents(
  sql: Sql,
  filter: EventFilter,
  numbers: readonly number[],
): Promise<IncidentHead[]> {
  const where = eventsWhere(filter).and(IS_BREACH);
  const rows = await allIn<HeadRow>(
    sql,
    numbers,
    (list) =>
      `select account_number, time_ms, sequence_number from tracker_event
       where ${where} and sequence_number in (${list})`,
    where.params,
  );
  return rows.map(headOf);
}

export type IncidentEvent = StoredEvent<TrackerEvent> & { acknowledgedAtMs: number | undefined };

/** The events of incidents, in the order of their numbers. */
export async function readIncidentEvents(
  sql: Sql,
  incidents: readonly IncidentPlace[],
): Promise<IncidentEvent[]> {
  type Found = Row & { sequence_number: number; acknowledged_at_ms: number | null };
  // A range instead of "is not null", with which SQLite would not use the index of numbered events.
  const rows = await ofPlaces<Found>(
    sql,
    incidents,
    (where) =>
      `select ${EVENT_COLUMNS}, acknowledged_at_ms
       from tracker_event where (${where}) and ${IS_BREACH} and sequence_number > 0`,
  );
  return rows
    .sort((a, b) => a.sequence_number - b.sequence_number)
    .flatMap((row) => {
      const { event, ...place } = eventOf(row);
      const acknowledgedAtMs = row.acknowledged_at_ms ?? undefined;
      return isBreach(event) ? [{ ...place, event, acknowledgedAtMs }] : [];
    });
}

/** The revisions of events, in the order of their numbers; at most `limit`, the newest. */
export async function readRevisions(
  sql: Sql,
  numbers: readonly number[],
  limit: number,
): Promise<StoredEvent<Revision>[]> {
  const rows = await allIn<Row & { sequence_number: number }>(
    sql,
    numbers,
    (list) =>
      `select ${EVENT_COLUMNS} from tracker_event where revises in (${list})
       order by sequence_number desc limit ${limit}`,
  );
  return rows
    .sort((a, b) => a.sequence_number - b.sequence_number)
    .flatMap((row) => {
      const { event, ...place } = eventOf(row);
      return isRevision(event) ? [{ ...place, event }] : [];
    });
}

/** The number of the newest revision of each event that has one. */
export async function newestRevisions(
  sql: Sql,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await allIn<Row & { revises: number; newest: number }>(
    sql,
    numbers,
    (list) =>
      `select revises, max(sequence_number) as newest from tracker_event
       where revises in (${list}) and sequence_number > 0 group by revises`,
  );
  return new Map(rows.map(({ revises, newest }) => [revises, newest]));
}

/** How many entries an incident has, and its assignee; null: none. */
export type IncidentHandling = IncidentPlace & { entries: number; assignee: string | null };

const HANDLING = new RecordTable<IncidentHandling>('incident', {
  accountNumber: plain('account_number'),
  timeMs: plain('time_ms'),
  entries: plain('entries'),
  assignee: plain('assignee'),
});

/** Those incidents that have entries. */
export async function readHandlings(
  sql: Sql,
  incidents: readonly IncidentPlace[],
): Promise<IncidentHandling[]> {
  const rows = await ofPlaces(sql, incidents, (where) => `select * from incident where ${where}`);
  return rows.map(HANDLING.read);
}

/** The newest entries of each incident, at most `limit` of each, in order. */
export async function readIncidentEntries(
  sql: Sql,
  incidents: readonly IncidentPlace[],
  limit: number,
): Promise<IncidentEntry[]> {
  const rows = await ofPlaces<Row & { place: number }>(
    sql,
    incidents,
    (where) =>
      `select incident_entry.* from incident join incident_entry
         on incident_entry.account_number = incident.account_number
         and incident_entry.time_ms = incident.time_ms
         and incident_entry.place > incident.entries - ${limit}
       where ${where}`,
    'incident.',
  );
  return rows.sort((a, b) => a.place - b.place).map(ENTRY.read);
}

/** Entries of one incident before a place, newest first. */
export const listIncidentEntries = (
  sql: Sql,
  { accountNumber, timeMs }: IncidentPlace,
  before: number,
  limit: number,
): Promise<IncidentEntry[]> =>
  ENTRY.all(
    sql,
    `where account_number = $1 and time_ms = $2 and place < $3
     order by place desc limit $4`,
    [accountNumber, timeMs, before, limit],
  );

/** The actions on platforms that incidents started, in order of id. */
export async function readIncidentActions(
  sql: Sql,
  incidents: readonly IncidentPlace[],
): Promise<BreachAction[]> {
  const rows = await ofPlaces(
    sql,
    incidents,
    (where) => `select ${ACTION_COLUMNS} from breach_action where ${where}`,
  );
  return rows.map(actionOf).sort((a, b) => a.id - b.id);
}

/** Adds an entry to an incident and returns its place. */
export async function addIncidentEntry(
  tx: Transaction,
  entry: Omit<IncidentEntry, 'place'>,
): Promise<number> {
  const isAssigned = entry.kind === 'assigned';
  const row = await tx.get<{ entries: number }>(
    `insert into incident (account_number, time_ms, entries, assignee) values ($1, $2, 1, $3)
     on conflict (account_number, time_ms) do update set entries = incident.entries + 1
       ${isAssigned ? ', assignee = excluded.assignee' : ''}
     returning entries`,
    [entry.accountNumber, entry.timeMs, isAssigned ? entry.words : null],
  );
  const place = row?.entries ?? 1;
  await ENTRY.add(tx, { ...entry, place });
  return place;
}

/** Acknowledges the open events of an incident; false if there were none. */
export async function acknowledgeEvents(
  tx: Transaction,
  { accountNumber, timeMs }: IncidentPlace,
  atMs: number,
): Promise<boolean> {
  const changed = await tx.run(
    `update tracker_event set acknowledged_at_ms = $3
     where account_number = $1 and time_ms = $2 and ${IS_BREACH} and ${IS_OPEN}
       and sequence_number is not null`,
    [accountNumber, timeMs, atMs],
  );
  return changed > 0;
}

/** Opens the events of an incident again; false if none was acknowledged. */
export async function reopenEvents(
  tx: Transaction,
  { accountNumber, timeMs }: IncidentPlace,
): Promise<boolean> {
  const changed = await tx.run(
    `update tracker_event set acknowledged_at_ms = null
     where account_number = $1 and time_ms = $2 and ${IS_BREACH}
       and acknowledged_at_ms is not null and sequence_number is not null`,
    [accountNumber, timeMs],
  );
  return changed > 0;
}

/** All rows of a query that belong to incidents, by their ids. */
async function ofPlaces<T extends Row>(
  sql: Sql,
  incidents: readonly IncidentPlace[],
  queryFor: (where: string) => string,
  table = '',
): Promise<T[]> {
  const found: T[] = [];
  await inSlices(incidents, async (slice) => {
    const params: SqlValue[] = [];
    const either = slice.map(({ accountNumber, timeMs }) => {
      const own = new Where(params)
        .equal(`${table}account_number`, accountNumber)
        .equal(`${table}time_ms`, timeMs);
      return `(${own})`;
    });
    found.push(...(await sql.all<T>(queryFor(either.join(' or ')), params)));
  });
  return found;
}
