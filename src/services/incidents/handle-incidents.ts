import { formatBrokerTime } from '../../domain/broker-time.ts';
import { findNumbered } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  acknowledgeEvents,
  findIncidents,
  type IncidentEntry,
  type IncidentPlace,
  insertIncidentEntry,
  readIncidentEntries,
  reopenEvents,
} from '../../storage/incident-store.ts';
import type { IncidentEntryKind } from '../../words/service.ts';
import { type AuditNote, actorOf } from '../changes.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { notFound } from '../errors.ts';
import { filterOf } from '../tracker-events/read-events.ts';
import { nameOf } from '../users/read-current-token.ts';

export type Handling = {
  ids: readonly number[];
  acknowledged?: boolean | undefined;
  /** Empty: nobody. */
  assignee?: string | undefined;
  note?: string | undefined;
};

/**
 * Acknowledges, opens again, assigns or annotates incidents: all of them, each with its notes in
 * the audit. What is so already is not done again. Throws `notFound`, and does nothing, if the
 * caller cannot see one.
 */
export async function handleIncidents(
  context: Context,
  principal: Principal,
  handling: Handling,
): Promise<void> {
  const userId = userOf(principal);
  const filter = await filterOf(context, principal, {});
  const author = await nameOf(context, principal);
  await context.changes.make(actorOf(principal), async (tx) => {
    // If two do the same at once, the second finds it done.
    await tx.lock(`incidents:${userId}`);
    const found = await findIncidents(tx, filter, handling.ids);
    if (found.length < handling.ids.length) throw notFound('Incident');
    const incidents = [...new Map(found.map((each) => [keyOf(each), each])).values()];
    const assignees = await assigneesOf(tx, incidents);
    const numbers = [...new Set(incidents.map(({ accountNumber }) => accountNumber))];
    const accounts = await findNumbered(tx, numbers);
    const accountIds = new Map(accounts.map(({ number, id }) => [number, id]));
    const audit: AuditNote[] = [];
    const nowMs = context.now();
    for (const incident of incidents) {
      const assignee = assignees.get(keyOf(incident)) ?? null;
      for (const entry of await handle(tx, { ...incident, assignee }, handling, author, nowMs)) {
        await insertIncidentEntry(tx, entry);
        const { kind, words, timeMs } = entry;
        const about = { incidentId: incident.id, brokerTime: formatBrokerTime(timeMs) };
        audit.push({
          action: `incident.${kind}`,
          userId,
          accountId: accountIds.get(incident.accountNumber),
          details: words === null ? about : { ...about, words },
        });
      }
    }
    const [first, ...others] = audit;
    return { result: undefined, audit: first ? [first, ...others] : 'unchanged' };
  });
}

/** Events of one account and moment are one incident, whichever of their numbers names it. */
const keyOf = ({ accountNumber, timeMs }: IncidentPlace): string => `${accountNumber} ${timeMs}`;

/** Who looks after each incident; null if it was given back. */
async function assigneesOf(
  tx: Transaction,
  incidents: readonly IncidentPlace[],
): Promise<Map<string, string | null>> {
  const entries = await readIncidentEntries(tx, incidents);
  const assigned = entries.filter(({ kind }) => kind === 'assigned');
  return new Map(assigned.map((entry) => [keyOf(entry), entry.words]));
}

/** Handles one incident, and returns the entries of what was done. */
async function handle(
  tx: Transaction,
  { accountNumber, timeMs, assignee: before }: IncidentPlace & { assignee: string | null },
  { acknowledged, assignee, note }: Handling,
  author: string,
  atMs: number,
): Promise<IncidentEntry[]> {
  const place = { accountNumber, timeMs };
  const entry = (kind: IncidentEntryKind, words: string | null = null): IncidentEntry => ({
    ...{ ...place, atMs, author, kind, words },
  });
  const entries: IncidentEntry[] = [];
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
