import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
import { leavingOf } from './client-leaves.ts';

/** Interval of comments if nothing else is sent, and of checks of the token. */
export const HEARTBEAT_MS = 15_000;
/** A stream ends after this time; clients resume from its end. */
const MAX_LIFE_MS = 3_600_000;
/** A client that leaves data unread for this long is cut off. */
const MAX_STALL_MS = 10_000;
/** Time for a client to read the last words. */
const FAREWELL_MS = 2000;

/** `data` is JSON; without an id, a client that resumes does so from the one before. */
export type StreamItem = { id?: number | string | undefined; data: string };
/** Why a stream ended; its last event says so. */
type StreamEnd =
  | 'server-stopping'
  | 'slow-consumer'
  | 'service-unavailable'
  | 'token-ended'
  | 'hour-is-over';

export type StreamSource = {
  /** Waits for items up to a time; `check`: only for the token; undefined ends the stream. */
  next: (waitMs: number, signal: AbortSignal) => Promise<StreamItem[] | 'check' | undefined>;
  /** Called before anything is written. */
  stillAllowed: () => Promise<boolean>;
  /** When the token ends, by the same clock as `now`. */
  expiresAtMs?: number | undefined;
  now: () => number;
};

export type StreamTimes = { stallMs?: number; farewellMs?: number; lifeMs?: number };

/**
 * Answers with server-sent events until the client leaves, or its token or the stream's time ends.
 * At most one batch of items is in memory.
 */
export async function sendEventStream(
  reply: FastifyReply,
  source: StreamSource,
  { stallMs = MAX_STALL_MS, farewellMs = FAREWELL_MS, lifeMs = MAX_LIFE_MS }: StreamTimes = {},
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  using leaving = leavingOf(reply.request);
  const { signal: gone } = leaving;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    ...reply.server.lastHeaders(reply.request),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // The server may stop before a stream has ended: no connection outlives its stream.
    connection: 'close',
  });
  raw.write('retry: 1000\n\n');
  const endsAtMs = source.now() + lifeMs;
  let end: StreamEnd | undefined;
  while (!gone.aborted && !end) {
    const text = await nextText(source, endsAtMs, gone);
    if (typeof text === 'object') end = text.end;
    else if (text && !raw.write(text)) end = await drained(reply, gone, stallMs);
  }
  raw.end(`event: closed\ndata: ${JSON.stringify({ reason: end })}\n\n`);
  setTimeout(() => raw.destroy(), farewellMs).unref();
}

/** The next output: events, or a heartbeat; or why the stream ends. */
async function nextText(
  { next, stillAllowed, expiresAtMs = Number.POSITIVE_INFINITY, now }: StreamSource,
  endsAtMs: number,
  signal: AbortSignal,
): Promise<string | { end: StreamEnd }> {
  const leftMs = endsAtMs - now();
  if (leftMs <= 0) return { end: 'hour-is-over' };
  const waitMs = Math.min(HEARTBEAT_MS, leftMs, Math.max(0, expiresAtMs - now()));
  try {
    const items = await next(waitMs, signal);
    if (!items) return { end: 'server-stopping' };
    if (!(await stillAllowed())) return { end: 'token-ended' };
    if (items === 'check') return '';
    const events = items.map(
      ({ id, data }) => `${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`,
    );
    return events.join('') || ': heartbeat\n\n';
  } catch {
    return { end: 'service-unavailable' };
  }
}

async function drained(
  { raw }: FastifyReply,
  gone: AbortSignal,
  stallMs: number,
): Promise<StreamEnd | undefined> {
  const stalled = AbortSignal.any([gone, AbortSignal.timeout(stallMs)]);
  try {
    await once(raw, 'drain', { signal: stalled });
    return undefined;
  } catch {
    return 'slow-consumer';
  }
}
