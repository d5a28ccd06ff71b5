import type {
  DrawdownEventRecord,
  EvidenceRecord,
  TrackerEventRecord,
} from '../../contract/operations/tracker-events.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { fromUnits } from '../../domain/money.ts';
import { numbersOfBytes } from '../../engine/live-cell.ts';
import {
  type EventFilter,
  readEventsByTime as findEventsByTime,
  readEvidence as findEvidence,
} from '../../storage/event-store.ts';
import { readBrokerTimes } from '../broker-times.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import type { EventFeed } from './event-feed.ts';
import { presentDrawdownEvent, presentTrackerEvent } from './present-event.ts';

export type EventSelection = { accountId?: string | undefined; trackerId?: string | undefined };
export type EventQuery = EventSelection & {
  previousSequenceNumber: number;
  limit: number;
  waitSeconds: number;
};

/** The events that who asks may see, of an account or tracker where given. */
export const filterOf = (
  principal: Principal,
  { accountId, trackerId }: EventSelection,
): EventFilter => ({
  userId: userOf(principal),
  accountIds: principal.accountIds,
  accountId,
  trackerId,
});

/** Drawdown events after a number; waits for one to come. */
export async function readDrawdownEvents(
  { feed }: { feed: EventFeed },
  principal: Principal,
  query: EventQuery,
  signal: AbortSignal,
): Promise<DrawdownEventRecord[]> {
  const filter: EventFilter = { ...filterOf(principal, query), type: 'drawdown' };
  const { previousSequenceNumber: after, limit, waitSeconds } = query;
  const events = await feed.next({ filter, after, limit }, waitSeconds * 1000, signal);
  return events.map(presentDrawdownEvent);
}

/** Drawdown and profit events after a number; waits for one to come. */
export async function readTrackerEvents(
  { feed }: { feed: EventFeed },
  principal: Principal,
  query: EventQuery,
  signal: AbortSignal,
): Promise<TrackerEventRecord[]> {
  const filter = filterOf(principal, query);
  const { previousSequenceNumber: after, limit, waitSeconds } = query;
  const events = await feed.next({ filter, after, limit }, waitSeconds * 1000, signal);
  return events.map(presentTrackerEvent);
}

/** Events of a range of broker time, both ends inclusive, in order of time, then number. */
export async function readEventsByTime(
  { database }: Context,
  principal: Principal,
  query: EventSelection & {
    startBrokerTime?: string | undefined;
    endBrokerTime?: string | undefined;
    limit: number;
  },
): Promise<TrackerEventRecord[]> {
  const { startBrokerTime = '0000-01-01 00:00:00', endBrokerTime = '9999-12-31 23:59:59.999' } =
    query;
  const range = readBrokerTimes({ startBrokerTime, endBrokerTime });
  if (range.startBrokerTime > range.endBrokerTime) {
    throw invalidParameter('startBrokerTime', 'must not be after endBrokerTime');
  }
  const events = await findEventsByTime(
    database,
    filterOf(principal, query),
    range.startBrokerTime,
    range.endBrokerTime,
    query.limit,
  );
  return events.map(presentTrackerEvent);
}

/** What proves an event. Throws `notFound`. */
export async function readEvidence(
  { database }: Context,
  principal: Principal,
  sequenceNumber: string,
): Promise<EvidenceRecord> {
  const number = /^\d{1,15}$/.test(sequenceNumber) ? Number(sequenceNumber) : 0;
  const found = await findEvidence(database, userOf(principal), number);
  const isReached =
    !principal.accountIds || (found && principal.accountIds.has(found.event.accountId));
  if (!found || !isReached) throw notFound('Event');
  const { event, moneyDigits: digits } = found;
  return {
    event: presentTrackerEvent(found),
    initialBalance: fromUnits(event.initialBalance, digits),
    baseline: fromUnits(event.baseline, digits),
    allowed: fromUnits(event.allowed, digits),
    inclusive: event.inclusive,
    adjustment: fromUnits(event.adjustment, digits),
    balance: fromUnits(event.balance, digits),
    equity: fromUnits(event.equity, digits),
    before: presentSnapshots(found.before, digits),
    after: presentSnapshots(found.after, digits),
    complete: !found.watched,
  };
}

function presentSnapshots(stored: Uint8Array, digits: number): EvidenceRecord['before'] {
  const numbers = numbersOfBytes(stored);
  return Array.from({ length: numbers.length / 3 }, (_, index) => ({
    brokerTime: formatBrokerTime(numbers[index * 3] ?? 0),
    balance: fromUnits(numbers[index * 3 + 1] ?? 0, digits),
    equity: fromUnits(numbers[index * 3 + 2] ?? 0, digits),
  }));
}
