import { once } from 'node:events';
import type { FastifyReply } from 'fastify';

/** A comment is sent so often when nothing else is. */
export const HEARTBEAT_MS = 15_000;
/** A client that has not taken what was sent for so long is cut off. */
const MAX_STALL_MS = 10_000;
/** Time that a client has to take the last words. */
const FAREWELL_MS = 2000;

export type StreamItem = { id: number; data: unknown };
type StreamEnd = 'server-stopping' | 'slow-consumer' | 'service-unavailable';

/**
 * Answers with server-sent events until the client leaves. `next` waits for items up to a heartbeat;
 * undefined ends the stream. At most one batch of items is in memory.
 */
export async function sendEventStream(
  reply: FastifyReply,
  next: (signal: AbortSignal) => Promise<StreamItem[] | undefined>,
  { stallMs = MAX_STALL_MS, farewellMs = FAREWELL_MS } = {},
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    ...reply.server.lastHeaders(reply.request),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write('retry: 1000\n\n');
  let end: StreamEnd = 'server-stopping';
  while (!gone.signal.aborted) {
    const items = await next(gone.signal).catch(() => {
      end = 'service-unavailable';
      return undefined;
    });
    if (!items) break;
    const text = items.map(({ id, data }) => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
    const isTaken = raw.write(text.join('') || ': heartbeat\n\n');
    if (isTaken) continue;
    const stalled = AbortSignal.any([gone.signal, AbortSignal.timeout(stallMs)]);
    try {
      await once(raw, 'drain', { signal: stalled });
    } catch {
      end = 'slow-consumer';
      break;
    }
  }
  raw.end(`event: closed\ndata: ${JSON.stringify({ reason: end })}\n\n`);
  setTimeout(() => raw.destroy(), farewellMs).unref();
}
