import type { LiveMessage } from '../../../src/contract/operations/live-standing.ts';
import { ApiError, request } from '../lib/api.ts';
import { noteAnswer, onReconnect } from '../lib/connection.ts';
import { setLive } from '../lib/live.ts';

/** What pages show besides is read when they are told of a change. */
const ADDRESS = '/users/current/standing/live?part=standing&part=incidents';
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/**
 * Follows the standing of all accounts until the signal aborts. By fetch, because the browser's own
 * EventSource can't send the token's header; like it, this reconnects with Last-Event-ID: after a
 * growing pause, or at once when the server answers other requests again.
 */
export async function followStanding(
  heard: (message: LiveMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      };
      const response = await request(ADDRESS, { headers, signal }, false);
      waitMs = FIRST_WAIT_MS;
      for await (const { id, data } of messagesOf(response)) {
        const message = JSON.parse(data) as LiveMessage;
        noteAnswer();
        // While the whole state is told, there is nothing to resume from.
        if (message.kind === 'begin' && message.reason !== 'resumed') lastId = undefined;
        lastId = id ?? lastId;
        if (lastId !== undefined) setLive(true);
        heard(message);
      }
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status === 401)) return;
    } finally {
      setLive(false);
    }
    if (signal.aborted) return;
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
  }
}

type Message = { id: string | undefined; data: string };

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

/** A message with data; undefined for comments and the closing words. */
function readMessage(block: string): Message | undefined {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('id:')) id = line.slice(3).trim();
    else if (line.startsWith('event:')) return undefined;
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  return data.length === 0 ? undefined : { id, data: data.join('\n') };
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
