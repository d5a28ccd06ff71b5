import type { CaseAnnex } from '../../contract/operations/cases.ts';
import { isOfTracker, isTransition, type LiveEvent } from '../../domain/live/live-records.ts';
import { fromUnits } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import { readActionsOf } from '../../storage/breach-action-store.ts';
import type { Sql } from '../../storage/database.ts';
import type { StoredEvent } from '../../storage/event-store.ts';
import { readIncidentEntries, readIncidentEvents } from '../../storage/incident-store.ts';
import { readDefinitions } from '../../storage/tracker-store.ts';
import { presentAction } from '../breach-actions/present-action.ts';
import { presentHandling } from '../incidents/present-handling.ts';
import { isoTime } from '../present-time.ts';
import { openPositionsAt } from './open-positions.ts';

/**
 * What is known of an event beside its statement, as of a moment: what it had done, who handled the
 * incident of its moment, and what was open. It goes on changing, so it is no part of the chain.
 * @param hash of the event, by which the annex belongs to it and to no other
 */
export async function makeAnnex(
  sql: Sql,
  account: Account,
  stored: StoredEvent,
  { hash, generatedAtMs }: { hash: string; generatedAtMs: number },
): Promise<CaseAnnex> {
  const { event, moneyDigits } = stored;
  const place = { accountNumber: account.number, timeMs: event.timeMs };
  const events = await readIncidentEvents(sql, [place]);
  const entries = await readIncidentEntries(sql, [place]);
  const openResult = isOfTracker(event)
    ? { openResult: fromUnits(event.equity - event.balance, moneyDigits) }
    : {};
  return {
    ...{ format: 1, hash, generatedAt: isoTime(generatedAtMs) },
    actions: await actionsOf(sql, account, stored, events),
    ...presentHandling(events, entries),
    openPositions: { ...(await openPositionsAt(sql, account, event.timeMs)), ...openResult },
  };
}

async function actionsOf(
  sql: Sql,
  account: Account,
  { event }: StoredEvent,
  events: Awaited<ReturnType<typeof readIncidentEvents>>,
): Promise<CaseAnnex['actions']> {
  const breach = breachOf(event);
  if (!breach) return [];
  const actions = await readActionsOf(sql, account.number, breach);
  const definitions = (await readDefinitions(sql, [account.number])).get(account.number) ?? [];
  const trackerName = definitions.find(({ id }) => id === breach.trackerId)?.name;
  const sequenceNumber = events.find(
    (one) => one.event.trackerId === breach.trackerId,
  )?.sequenceNumber;
  return actions.map((action) => presentAction(action, { account, trackerName, sequenceNumber }));
}

/** The event of a tracker that may have had something done: this one, or the one that caused it. */
function breachOf(event: LiveEvent): { trackerId: string; startTimeMs: number } | undefined {
  if (isTransition(event)) return event.breach;
  return isOfTracker(event) && event.warnAt === undefined ? event : undefined;
}
