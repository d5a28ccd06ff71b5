import { formatBrokerTime } from '../../domain/broker-time.ts';
import { findNumbered } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  acknowledgeEvents,
  findIncidents,
  type IncidentEntry,
  type IncidentEntryKind,
  type IncidentHead,
  insertIncidentEntry,
  reopenEvents,
} from '../../storage/incident-store.ts';
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
 * Acknowledges, opens again, assigns or annotates incidents: all of them, each with its notes in the
 * audit. What is so already is not done again. Throws `notFound`, and does nothing, where one is not
 * there for who asks.
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
    const incidents = await findIncidents(tx, filter, handling.ids);
    if (incidents.length < handling.ids.length) throw notFound('Incident');
    const numbers = [...new Set(incidents.map(({ accountNumber }) => accountNumber))];
    const accounts = await findNumbered(tx, numbers);
    const accountIds = new Map(accounts.map(({ number, id }) => [number, id]));
    const audit: AuditNote[] = [];
    for (const incident of incidents) {
      for (const entry of await handle(tx, incident, handling, author, context.now())) {
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

/** Does it, and tells what was done. */
async function handle(
  tx: Transaction,
  { accountNumber, timeMs }: IncidentHead,
  { acknowledged, assignee, note }: Handling,
  author: string,
  atMs: number,
): Promise<IncidentEntry[]> {
  const place = { accountNumber, timeMs };
  const entry = (kind: IncidentEntryKind, words: string | null = null): IncidentEntry => ({
    ...{ ...place, atMs, author, kind, words },
  });
  const entries: IncidentEntry[] = [];
  if (assignee !== undefined) entries.push(entry('assigned', assignee.trim() || null));
  if (note !== undefined) entries.push(entry('noted', note));
  if (acknowledged === true && (await acknowledgeEvents(tx, place, atMs))) {
    entries.push(entry('acknowledged'));
  }
  if (acknowledged === false && (await reopenEvents(tx, place))) entries.push(entry('reopened'));
  return entries;
}
