import { MAX_FAULTS } from '../../contract/faults.ts';
import {
  MAX_ENTRIES_WITH_NOTE,
  MAX_HANDLING_ENTRIES,
} from '../../contract/operations/incidents.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { findNumbered } from '../../storage/account-store.ts';
import { incidentKey, noteChanges } from '../../storage/change-store.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  acknowledgeEvents,
  addIncidentEntry,
  findIncidents,
  INCIDENT_ENTRY_BYTES,
  type IncidentEntry,
  type IncidentHead,
  type IncidentPlace,
  readHandlings,
  readIncidentEvents,
  reopenEvents,
} from '../../storage/incident-store.ts';
import type { IncidentEntryKind } from '../../words/service.ts';
import { type AuditNote, actorOf, auditOf } from '../changes.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { conflict, invalidParameter, notFound, ServiceError } from '../errors.ts';
import { filterOf } from '../tracker-events/read-events.ts';
import { nameOf } from '../users/read-current-token.ts';
import { keyOf, readVersions } from './present-handling.ts';

export type Handling = {
  ids: readonly number[];
  /** What was seen of each, in the order of the ids. */
  versions?: readonly string[] | undefined;
  acknowledged?: boolean | undefined;
  /** Empty: not assigned. */
  assignee?: string | undefined;
  note?: string | undefined;
};

type Handled = { id: number; version: string };

/**
 * Acknowledges, opens again, assigns or annotates incidents: all of them, each with its notes in
 * the audit. Nothing is done twice. Returns what they are now. Throws `notFound`, and does nothing,
 * if the caller cannot see one, `conflict` if one is not as it was seen or has too many entries.
 */
export async function handleIncidents(
  context: Context,
  principal: Principal,
  handling: Handling,
): Promise<{ incidents: Handled[] }> {
  const { versions } = handling;
  if (versions && versions.length !== handling.ids.length) {
    throw invalidParameter('versions', 'must have one for each of `ids`');
  }
  const userId = userOf(principal);
  const filter = await filterOf(context, principal, {});
  const author = await nameOf(context, principal);
  return await context.changes.make(actorOf(principal), async (tx) => {
    // If two do the same at once, the second finds it done.
    await tx.lock(`incidents:${userId}`);
    const found = await findIncidents(tx, filter, handling.ids);
    if (found.length < handling.ids.length) throw notFound('Incident');
    const incidents = [...new Map(found.map((each) => [keyOf(each), each])).values()];
    const before = await versionsNow(tx, found);
    if (versions) throwIfChanged(handling.ids, versions, before);
    const handlings = await readHandlings(tx, incidents);
    const assignees = new Map(handlings.map((each) => [keyOf(each), each.assignee]));
    const numbers = [...new Set(incidents.map(({ accountNumber }) => accountNumber))];
    const accounts = await findNumbered(tx, numbers);
    const handled: string[] = [];
    const accountIds = new Map(accounts.map(({ number, id }) => [number, id]));
    const audit: AuditNote[] = [];
    const nowMs = context.now();
    let bytes = 0;
    for (const incident of incidents) {
      const assignee = assignees.get(keyOf(incident)) ?? null;
      handled.push(incidentKey(incident.accountNumber, incident.timeMs));
      for (const entry of await handle(tx, { ...incident, assignee }, handling, author, nowMs)) {
        const place = await addIncidentEntry(tx, entry);
        bytes += INCIDENT_ENTRY_BYTES + (entry.words?.length ?? 0);
        if (place > MOST_ENTRIES[entry.kind]) throw isFull(incident.id);
        const { kind, timeMs } = entry;
        const about = { incidentId: incident.id, brokerTime: formatBrokerTime(timeMs) };
        audit.push({
          action: `incident.${kind}`,
          userId,
          accountId: accountIds.get(incident.accountNumber),
          details: { ...about, entry: place },
        });
      }
    }
    if (audit.length > 0) noteChanges(tx, 'incident', handled);
    await tx.hold(userId, 'note', { items: audit.length, bytes });
    const after = audit.length > 0 ? await versionsNow(tx, found) : before;
    const result = { incidents: handling.ids.map((id) => ({ id, version: after.get(id) ?? '' })) };
    return { result, audit: auditOf(audit) };
  });
}

/** What incidents are now, by the ids that name them. */
async function versionsNow(
  tx: Transaction,
  named: readonly IncidentHead[],
): Promise<ReadonlyMap<number, string>> {
  const events = await readIncidentEvents(tx, named);
  const versionOf = await readVersions(tx, events);
  const eventsOf = Map.groupBy(events, ({ accountNumber, event }) =>
    keyOf({ accountNumber, timeMs: event.timeMs }),
  );
  const handlings = await readHandlings(tx, named);
  const entries = new Map(handlings.map((each) => [keyOf(each), each.entries]));
  return new Map(
    named.map((head) => {
      const key = keyOf(head);
      return [head.id, versionOf(eventsOf.get(key) ?? [], entries.get(key) ?? 0)];
    }),
  );
}

function throwIfChanged(
  ids: readonly number[],
  seen: readonly string[],
  now: ReadonlyMap<number, string>,
): void {
  const details = ids.flatMap((id, place) =>
    now.get(id) === seen[place]
      ? []
      : [{ parameter: `ids[${place}]`, message: `Incident ${id} is at ${now.get(id)}` }],
  );
  if (details.length === 0) return;
  const what = details.length === 1 ? details[0]?.message : `${details.length} incidents`;
  throw new ServiceError(
    'conflict',
    `Changed since you read it: ${what}. Read again, then decide anew; nothing was done`,
    { details: details.slice(0, MAX_FAULTS) },
  );
}

/** Notes end earlier: after too many of them one can still acknowledge. */
const MOST_ENTRIES: Record<IncidentEntryKind, number> = {
  noted: MAX_ENTRIES_WITH_NOTE,
  assigned: MAX_HANDLING_ENTRIES,
  acknowledged: MAX_HANDLING_ENTRIES,
  reopened: MAX_HANDLING_ENTRIES,
};

const isFull = (incidentId: number): Error =>
  conflict(`Incident ${incidentId} has as many entries as it may: keep its history elsewhere`);

type NewEntry = Omit<IncidentEntry, 'place'>;

/** Handles one incident, and returns the new entries. */
async function handle(
  tx: Transaction,
  { accountNumber, timeMs, assignee: before }: IncidentPlace & { assignee: string | null },
  { acknowledged, assignee, note }: Handling,
  author: string,
  atMs: number,
): Promise<NewEntry[]> {
  const place = { accountNumber, timeMs };
  const entry = (kind: IncidentEntryKind, words: string | null = null): NewEntry => ({
    ...{ ...place, atMs, author, kind, words },
  });
  const entries: NewEntry[] = [];
  if (assignee !== undefined) {
    const name = assignee.trim() || null;
    if (name !== before) entries.push(entry('assigned', name));
  }
  if (note !== undefined) entries.push(entry('noted', note));
  if (acknowledged === true && (await acknowledgeEvents(tx, place, atMs))) {
    entries.push(entry('acknowledged'));
  }
  if (acknowledged === false && (await reopenEvents(tx, place))) entries.push(entry('reopened'));
  return entries;
}
