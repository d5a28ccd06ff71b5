import type { FastifyInstance } from 'fastify';
import {
  DEFAULT_WAIT_SECONDS,
  drawdownEventStreamOperation,
  evidenceOperation,
  liveDrawdownEventsOperation,
  liveTrackerEventsOperation,
  trackerEventStreamOperation,
  trackerEventsByTimeOperation,
} from '../../../contract/operations/tracker-events.ts';
import type { Context } from '../../../services/context.ts';
import {
  type EventQuery,
  type FeedContext,
  type Follow,
  followDrawdownEvents,
  followTrackerEvents,
  readDrawdownEvents,
  readEventsByTime,
  readEvidence,
  readTrackerEvents,
} from '../../../services/tracker-events/read-events.ts';
import { unauthorized } from '../../../services/users/authenticate.ts';
import { addRoute, type Call } from '../../add-route.ts';
import { stillAllowed } from '../../authentication.ts';
import { leavingOf } from '../../client-leaves.ts';
import { HEARTBEAT_MS, sendEventStream } from '../../event-stream.ts';

type EventContext = Context & FeedContext;

const EVENTS_PER_WRITE = 500;
const RETRY_AFTER_SECONDS = 5;
const STREAM_SHARES = { process: 5000, user: 1000, token: 500 };
const POLL_SHARES = { process: 15_000, user: 4000, token: 4000 };

export function registerTrackerEvents(server: FastifyInstance, context: EventContext): void {
  const places = server.places.create('polls', 'waiting polls', POLL_SHARES, RETRY_AFTER_SECONDS);
  addRoute(
    server,
    drawdownEventStreamOperation,
    (call) =>
      poll(call, context.now, (query, signal) =>
        readDrawdownEvents(context, call.principal, query, signal),
      ),
    { places },
  );
  addRoute(
    server,
    trackerEventStreamOperation,
    (call) =>
      poll(call, context.now, (query, signal) =>
        readTrackerEvents(context, call.principal, query, signal),
      ),
    { places },
  );
  addRoute(server, trackerEventsByTimeOperation, ({ principal, query }) =>
    readEventsByTime(context, principal, { ...query, limit: query.limit ?? 1000 }),
  );
  addRoute(server, evidenceOperation, ({ principal, params }) =>
    readEvidence(context, principal, params.sequenceNumber),
  );
  registerLiveEvents(server, context);
}

function registerLiveEvents(server: FastifyInstance, context: EventContext): void {
  const places = server.places.create(
    'streams',
    'event streams',
    STREAM_SHARES,
    RETRY_AFTER_SECONDS,
  );
  const send = async (
    { query, headers, reply, principal, request }: Call<typeof liveDrawdownEventsOperation>,
    follow: Follow,
  ): Promise<void> => {
    const resumed = headers['last-event-id'];
    const after = resumed === undefined ? (query.previousSequenceNumber ?? 0) : Number(resumed);
    await sendEventStream(reply, {
      next: await follow(context, principal, { ...query, after, limit: EVENTS_PER_WRITE }),
      stillAllowed: () => stillAllowed(request),
      expiresAtMs: principal.expiresAtMs,
      now: context.now,
    });
  };
  addRoute(server, liveDrawdownEventsOperation, (call) => send(call, followDrawdownEvents), {
    places,
  });
  addRoute(server, liveTrackerEventsOperation, (call) => send(call, followTrackerEvents), {
    places,
  });
}

/**
 * Reads events, waiting for one to come. The token is checked again at each heartbeat and before
 * the answer: one that has ended gets none.
 */
async function poll<Event>(
  { principal, query, request }: Call<typeof drawdownEventStreamOperation>,
  now: () => number,
  read: (query: EventQuery, signal?: AbortSignal) => Promise<Event[]>,
): Promise<Event[]> {
  const { expiresAtMs = Number.POSITIVE_INFINITY } = principal;
  const { previousSequenceNumber = 0, accountId, trackerId, limit = 1000 } = query;
  const wanted = { previousSequenceNumber, accountId, trackerId, limit };
  let leftMs = (query.wait ?? DEFAULT_WAIT_SECONDS) * 1000;
  using leaving = leftMs > 0 ? leavingOf(request) : undefined;
  const gone = leaving?.signal;
  for (;;) {
    const waitMs = Math.min(leftMs, HEARTBEAT_MS, Math.max(1, expiresAtMs - now()));
    const events = await read({ ...wanted, waitSeconds: waitMs / 1000 }, gone);
    if (waitMs > 0 && !gone?.aborted && !(await stillAllowed(request))) throw unauthorized();
    leftMs -= waitMs;
    if (events.length > 0 || leftMs <= 0 || gone?.aborted) return events;
  }
}
