import type { EventRecord } from '../../../src/contract/operations/tracker-events.ts';
import { ApiError, request } from '../lib/api.ts';
import { onReconnect } from '../lib/connection.ts';

const ADDRESS = '/users/current/tracker-events/live';
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/**
 * Follows server-sent events until the signal aborts. By fetch, because the browser's own
 * EventSource can't send the token's header; like it, this reconnects with Last-Event-ID: after a
 * growing pause, or at once when the server answers other requests again.
 */
export async function followEvents(
  start: { after: number },
  heard: (event: EventRecord) => void,
  signal: AbortSignal,
): Promise<void> {
  let { after } = start;
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      const headers = { accept: 'text/event-stream', 'last-event-id': String(after) };
      const response = await request(ADDRESS, { headers, signal }, false);
      waitMs = FIRST_WAIT_MS;
      for await (const message of messagesOf(response)) {
        if (message.id === undefined) continue;
        after = Math.max(after, message.id);
        heard(JSON.parse(message.data) as EventRecord);
      }
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status === 401)) return;
    }
    if (signal.aborted) return;
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
  }
}

type Message = { id: number | undefined; data: string };

/** The messages of an event stream, by the HTML standard's "Server-sent events". */
async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = readMessage(block);
      if (message) yield message;
    }
  }
}

/** A message with an id and data; undefined for comments and the closing words. */
function readMessage(block: string): Message | undefined {
  let id: number | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('id:')) id = Number(line.slice(3));
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  return id === undefined || data.length === 0 ? undefined : { id, data: data.join('\n') };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const forget = onReconnect(done);
    signal.addEventListener('abort', done, { once: true });
  });
}
