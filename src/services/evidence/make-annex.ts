import type { CaseAnnex } from '../../contract/operations/cases.ts';
import { SHOWN_ENTRIES } from '../../contract/operations/incidents.ts';
import { isFeedChange, isMeasured, isTransition, kindOf } from '../../domain/live/live-records.ts';
import { fromUnits } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import { readActionsOf } from '../../storage/breach-action-store.ts';
import type { Sql } from '../../storage/database.ts';
import type { StoredEvent } from '../../storage/event-feed-store.ts';
import { subjectOf } from '../../storage/event-store.ts';
import { readIncidentEvents } from '../../storage/incident-store.ts';
import { presentAction } from '../breach-actions/present-action.ts';
import { readHandling } from '../incidents/present-handling.ts';
import { isoTime } from '../present-time.ts';
import { readTrackerNames } from '../trackers/tracker-names.ts';
import type { OpenPositions } from './open-positions.ts';

/**
 * The facts about an event besides its statement, as of a moment: the actions it started, the
 * handling of its incident, and open positions. They keep changing, so they are not part of the
 * tree.
 * @param leaf hash of the event's leaf, which ties the annex to it
 */
export async function makeAnnex(
  sql: Sql,
  account: Account,
  stored: StoredEvent,
  openPositions: OpenPositions,
  { leaf, generatedAtMs }: { leaf: string; generatedAtMs: number },
): Promise<CaseAnnex> {
  const { event, moneyDigits } = stored;
  const place = { accountNumber: account.number, timeMs: event.timeMs };
  const events = await readIncidentEvents(sql, [place]);
  const handlingOf = await readHandling(sql, [place], SHOWN_ENTRIES);
  const openResult = isMeasured(event)
    ? { openResult: fromUnits(event.equity - event.balance, moneyDigits) }
    : {};
  return {
    ...{ format: 1, leaf, generatedAt: isoTime(generatedAtMs) },
    actions: await actionsOf(sql, account, stored, events),
    ...handlingOf(place, events),
    openPositions: { ...openPositions, ...openResult },
  };
}

async function actionsOf(
  sql: Sql,
  account: Account,
  { event, sequenceNumber }: StoredEvent,
  events: Awaited<ReturnType<typeof readIncidentEvents>>,
): Promise<CaseAnnex['actions']> {
  const cause = isTransition(event) ? event.breach : undefined;
  if (isFeedChange(event)) return [];
  const subject = cause
    ? ([cause.trackerId, cause.startTimeMs, cause.round] as const)
    : subjectOf(event);
  const actions = await readActionsOf(
    sql,
    account.number,
    subject,
    cause ? 'drawdown' : kindOf(event),
  );
  const names = await readTrackerNames(sql, [account.number]);
  const ofCause = events.find((one) => one.event.trackerId === cause?.trackerId)?.sequenceNumber;
  return actions.map((action) =>
    presentAction(action, {
      account,
      trackerName: names.get(action.trackerId),
      sequenceNumber: cause ? ofCause : sequenceNumber,
    }),
  );
}
