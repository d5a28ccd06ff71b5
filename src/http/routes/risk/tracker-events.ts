import type { FastifyInstance, FastifyReply } from 'fastify';
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
import { unavailable } from '../../../services/errors.ts';
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
import { addRoute, type Call } from '../../add-route.ts';
import { HEARTBEAT_MS, sendEventStream } from '../../event-stream.ts';

const MAX_STREAMS = 5000;
const EVENTS_PER_WRITE = 500;

export function registerTrackerEvents(
  server: FastifyInstance,
  context: Context & FeedContext,
): void {
  addRoute(server, drawdownEventStreamOperation, ({ principal, query, reply }) =>
    readDrawdownEvents(context, principal, eventQuery(query), leaving(reply)),
  );
  addRoute(server, trackerEventStreamOperation, ({ principal, query, reply }) =>
    readTrackerEvents(context, principal, eventQuery(query), leaving(reply)),
  );
  addRoute(server, trackerEventsByTimeOperation, ({ principal, query }) =>
    readEventsByTime(context, principal, { ...query, limit: query.limit ?? 1000 }),
  );
  addRoute(server, evidenceOperation, ({ principal, params }) =>
    readEvidence(context, principal, params.sequenceNumber),
  );
  registerLiveEvents(server, context);
}

function registerLiveEvents(server: FastifyInstance, context: Context & FeedContext): void {
  let streams = 0;
  const send = async (
    { query, headers, reply, principal }: Call<typeof liveDrawdownEventsOperation>,
    follow: Follow,
  ): Promise<void> => {
    if (streams >= MAX_STREAMS) throw unavailable('Too many event streams are open', 5);
    const resumed = headers['last-event-id'];
    const after = resumed === undefined ? (query.previousSequenceNumber ?? 0) : Number(resumed);
    const next = await follow(context, principal, { ...query, after, limit: EVENTS_PER_WRITE });
    streams += 1;
    try {
      await sendEventStream(reply, (signal) => next(HEARTBEAT_MS, signal));
    } finally {
      streams -= 1;
    }
  };
  addRoute(server, liveDrawdownEventsOperation, (call) => send(call, followDrawdownEvents));
  addRoute(server, liveTrackerEventsOperation, (call) => send(call, followTrackerEvents));
}

type StreamQuery = {
  previousSequenceNumber?: number;
  accountId?: string;
  trackerId?: string;
  limit?: number;
  wait?: number;
};

const eventQuery = (query: StreamQuery): EventQuery => ({
  previousSequenceNumber: query.previousSequenceNumber ?? 0,
  accountId: query.accountId,
  trackerId: query.trackerId,
  limit: query.limit ?? 1000,
  waitSeconds: query.wait ?? DEFAULT_WAIT_SECONDS,
});

/** Aborts when the client leaves before it is answered. */
function leaving(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
