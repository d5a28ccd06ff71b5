import type {
  DrawdownEventRecord,
  EventRecord,
  EvidenceRecord,
} from '../../contract/operations/tracker-events.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { isBreach } from '../../domain/live/live-records.ts';
import { fromUnits } from '../../domain/money.ts';
import { NUMBERS_EACH, numbersOfBytes } from '../../engine/recent-snapshots.ts';
import { type EventFeed, TooManyWaiting } from '../../feeds/event-feed.ts';
import { presentDrawdowns, presentEvent, presentTrackerEvent } from '../../feeds/present-event.ts';
import { readEventRowsByTime, type StoredEvent } from '../../storage/event-feed-store.ts';
import type { EventFilter } from '../../storage/event-filter.ts';
import { readBrokerTimes } from '../broker-times.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { invalidParameter, notFound, unavailable } from '../errors.ts';
import { reachedEvent } from '../evidence/reached-event.ts';
import { isoTime } from '../present-time.ts';

const RETRY_AFTER_SECONDS = 5;

export type EventSelection = { accountId?: string | undefined; trackerId?: string | undefined };
export type EventQuery = EventSelection & {
  previousSequenceNumber: number;
  limit: number;
  waitSeconds: number;
};

/** An id of no user. An account that does not exist (any more) has no events. */
const NOTHING: EventFilter = { userId: '' };

/** The events that the caller may see; of one kind, account, tracker or enrolment, if given. */
export async function filterOf(
  { catalogue }: Pick<Context, 'catalogue'>,
  principal: Principal,
  { accountId, trackerId }: EventSelection,
  kind?: EventFilter['kind'],
): Promise<EventFilter> {
  const userId = userOf(principal);
  const { accountNumbers } = principal;
  const filter: EventFilter = { userId, accountNumbers, subjectId: trackerId, kind };
  if (accountId === undefined) return filter;
  const account = await catalogue.account(userId, accountId);
  return account ? { ...filter, accountNumber: account.number } : NOTHING;
}

export type FeedContext = Pick<Context, 'catalogue'> & { feed: EventFeed };

/** Drawdown events after a number; waits for one to come. */
export async function readDrawdownEvents(
  context: FeedContext,
  principal: Principal,
  query: EventQuery,
  signal?: AbortSignal,
): Promise<DrawdownEventRecord[]> {
  const filter = await filterOf(context, principal, query, 'drawdown');
  return presentDrawdowns(await nextEvents(context, filter, query, signal));
}

/** Events of all kinds after a number; waits for one to come. */
export async function readTrackerEvents(
  context: FeedContext,
  principal: Principal,
  query: EventQuery,
  signal?: AbortSignal,
): Promise<EventRecord[]> {
  const filter = await filterOf(context, principal, query);
  return (await nextEvents(context, filter, query, signal)).map(presentEvent);
}

async function nextEvents(
  { feed }: FeedContext,
  filter: EventFilter,
  { previousSequenceNumber: after, limit, waitSeconds }: EventQuery,
  signal?: AbortSignal,
): Promise<StoredEvent[]> {
  try {
    return await feed.next({ filter, after, limit }, waitSeconds * 1000, signal);
  } catch (error) {
    if (error instanceof TooManyWaiting) throw unavailable(error.message, RETRY_AFTER_SECONDS);
    throw error;
  }
}

/** The next batch of a stream's events: empty if none came for a while, undefined at the end. */
export type Following = (
  waitMs: number,
  signal: AbortSignal,
) => Promise<{ id?: number | string; data: string }[] | undefined>;

export type Follow = (
  context: FeedContext,
  principal: Principal,
  from: EventSelection & { after: number; limit: number },
) => Promise<Following>;

/** Follows drawdown events after a number, or those of all kinds. */
export const followDrawdownEvents: Follow = (context, principal, from) =>
  follow(context, principal, from, 'drawdown', (event) => presentDrawdowns([event])[0]);
export const followTrackerEvents: Follow = (context, principal, from) =>
  follow(context, principal, from, undefined, presentEvent);

async function follow(
  context: FeedContext,
  principal: Principal,
  { after, limit, ...selection }: EventSelection & { after: number; limit: number },
  kind: EventFilter['kind'],
  present: (event: StoredEvent) => unknown,
): Promise<Following> {
  const filter = await filterOf(context, principal, selection, kind);
  let last = after;
  return async (waitMs, signal) => {
    const { feed } = context;
    if (feed.isClosed) return undefined;
    const events = await feed.next({ filter, after: last, limit }, waitMs, signal);
    last = events.at(-1)?.sequenceNumber ?? last;
    return events.map((event) => ({
      id: event.sequenceNumber,
      data: JSON.stringify(present(event)),
    }));
  };
}

/** Events of a range of broker time, both ends inclusive, in order of time, then number. */
export async function readEventsByTime(
  { database, catalogue }: Context,
  principal: Principal,
  query: EventSelection & {
    startBrokerTime?: string | undefined;
    endBrokerTime?: string | undefined;
    limit: number;
  },
): Promise<EventRecord[]> {
  const { startBrokerTime = '0000-01-01 00:00:00', endBrokerTime = '9999-12-31 23:59:59.999' } =
    query;
  const range = readBrokerTimes({ startBrokerTime, endBrokerTime });
  if (range.startBrokerTime > range.endBrokerTime) {
    throw invalidParameter('startBrokerTime', 'must not be after endBrokerTime');
  }
  const filter = await filterOf({ catalogue }, principal, query);
  const events = await readEventRowsByTime(
    database,
    filter,
    range.startBrokerTime,
    range.endBrokerTime,
    query.limit,
  );
  return events.map(presentEvent);
}

/** The evidence of an event of an exceeded threshold. Throws `notFound`. */
export async function readEvidence(
  { database }: Context,
  principal: Principal,
  sequenceNumber: string,
): Promise<EvidenceRecord> {
  const found = await reachedEvent(database, principal, sequenceNumber);
  const { event, ...place } = found;
  if (!isBreach(event)) throw notFound('Event');
  const { moneyDigits: digits } = place;
  const before = presentSnapshots(found.before, digits);
  // An event found in stored hours, when its tracker was created, has snapshots of that moment.
  const isSeen = before.at(-1)?.brokerTime === formatBrokerTime(event.timeMs);
  return {
    event: presentTrackerEvent({ ...place, event }),
    initialBalance: fromUnits(event.initialBalance, digits),
    baseline: fromUnits(event.baseline, digits),
    allowed: fromUnits(event.allowed, digits),
    inclusive: event.inclusive,
    adjustment: fromUnits(event.adjustment, digits),
    balance: fromUnits(event.balance, digits),
    equity: fromUnits(event.equity, digits),
    before: isSeen ? before : [],
    after: isSeen ? presentSnapshots(found.after, digits) : [],
    complete: !isSeen || !found.watched,
  };
}

/** Snapshots in the stored form of an event. */
export function presentSnapshots(stored: Uint8Array, digits: number): EvidenceRecord['before'] {
  const numbers = numbersOfBytes(stored);
  return Array.from({ length: numbers.length / NUMBERS_EACH }, (_, index) => {
    const [timeMs = 0, balance = 0, equity = 0, receivedUtcMs = 0] = numbers.subarray(
      index * NUMBERS_EACH,
    );
    return {
      brokerTime: formatBrokerTime(timeMs),
      balance: fromUnits(balance, digits),
      equity: fromUnits(equity, digits),
      receivedAt: isoTime(receivedUtcMs),
    };
  });
}
