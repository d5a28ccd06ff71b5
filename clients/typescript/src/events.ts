import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Client } from 'openapi-fetch';
import { dataOf, PlimsollError } from './error.ts';
import { sleep } from './retry.ts';
import type {
  DrawdownEvent,
  EnrolmentEvent,
  FeedEvent,
  LimitWarning,
  paths,
  RevisionEvent,
  TrackerEvent,
} from './schema.ts';

/** Distinguished by `kind`. */
export type AnyEvent = TrackerEvent | LimitWarning | RevisionEvent | EnrolmentEvent | FeedEvent;

/** `drawdown`: broken loss limits only; `tracker`: events of all kinds. */
export type FollowedEvents = { drawdown: DrawdownEvent; tracker: AnyEvent };

export type EventFilter = {
  /** The last sequenceNumber that you have seen; absent: from the first event on. */
  after?: number;
  accountId?: string;
  trackerId?: string;
  /** Ends the loop by throwing its reason. */
  signal?: AbortSignal;
};

const WAIT_SECONDS = 25;
export const PAUSE_MS = 1000;

/** Long polls, one after another. Throws PlimsollError if the server refuses them. */
export async function* followEvents<Feed extends keyof FollowedEvents>(
  api: Client<paths>,
  feed: Feed,
  { after = 0, signal, ...filter }: EventFilter,
): AsyncGenerator<FollowedEvents[Feed], void, undefined> {
  let previousSequenceNumber = after;
  for (;;) {
    const query = { ...filter, previousSequenceNumber, wait: WAIT_SECONDS };
    const options = { params: { query }, ...(signal ? { signal } : {}) };
    const events = await onceThere<readonly (DrawdownEvent | AnyEvent)[]>(signal, () =>
      feed === 'drawdown'
        ? dataOf(api.GET('/users/current/drawdown-events/stream', options))
        : dataOf(api.GET('/users/current/tracker-events/stream', options)),
    );
    for (const event of events) {
      previousSequenceNumber = event.sequenceNumber;
      yield event as FollowedEvents[Feed];
    }
  }
}

/** Server-sent events; an ended stream is reopened after the last event. */
export async function* followLive<Feed extends keyof FollowedEvents>(
  api: Client<paths>,
  feed: Feed,
  { after = 0, signal, ...filter }: EventFilter,
): AsyncGenerator<FollowedEvents[Feed], void, undefined> {
  let previousSequenceNumber = after;
  for (;;) {
    const query = { ...filter, previousSequenceNumber };
    const options = {
      ...{ params: { query }, parseAs: 'stream' as const },
      ...(signal ? { signal } : {}),
    };
    const body = await onceThere(signal, () =>
      feed === 'drawdown'
        ? dataOf(api.GET('/users/current/drawdown-events/live', options))
        : dataOf(api.GET('/users/current/tracker-events/live', options)),
    );
    try {
      const messages = messagesOf(body as ReadableStream<Uint8Array<ArrayBuffer>>, signal);
      for await (const { event: name, data } of messages) {
        if (name === 'closed') break;
        const event = JSON.parse(data) as FollowedEvents[Feed];
        previousSequenceNumber = event.sequenceNumber;
        yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isBrokenConnection(error)) throw error;
    }
    await sleep(PAUSE_MS, signal);
  }
}

/** A request that was collected no longer passes its signal on to the answer: this one does. */
export const messagesOf = (body: ReadableStream<Uint8Array<ArrayBuffer>>, signal?: AbortSignal) =>
  body
    .pipeThrough(new TextDecoderStream(), signal ? { signal } : {})
    .pipeThrough(new EventSourceParserStream());

/**
 * A feed outlives the server's restarts: an outage longer than the client's retries is waited for,
 * too.
 */
export async function onceThere<Data>(
  signal: AbortSignal | undefined,
  ask: () => Promise<Data>,
): Promise<Data> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isRefused =
        error instanceof PlimsollError && error.status < 500 && error.status !== 429;
      const isAway = error instanceof PlimsollError || isBrokenConnection(error);
      signal?.throwIfAborted();
      if (isRefused || !isAway) throw error;
    }
    await sleep(PAUSE_MS, signal);
  }
}

/** Thrown by fetch if a connection cannot be made or breaks. */
export const isBrokenConnection = (error: unknown): boolean => error instanceof TypeError;
