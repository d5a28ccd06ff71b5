import {
  type DirectMsgRequest,
  type JetStreamManager,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { type NatsConnection, RequestError, TimeoutError } from '@nats-io/transport-node';
import type { JournalLogger } from '../journal.ts';
import { findStream, makeStream, STREAM, SUBJECT, warningsOf } from './make-stream.ts';
import { NatsLink } from './nats-link.ts';
import { JournalUnavailable, type Stream, type StreamMessage, type StreamState } from './stream.ts';

/** Where processes tell each other that the stream has come on; nothing of it is kept. */
const NEWS = 'plimsoll.journal.news';
const ANSWER_MS = 2000;
/** What a message takes beside its body, with room to spare. */
const HEADER_BYTES = 1024;

export type NatsOptions = {
  urls: string;
  logger: JournalLogger;
  /** Whether a journal is in it already: then it is never made. */
  holdsJournal?: boolean;
};

/** The stream of a real cluster. */
export class NatsStream implements Stream {
  readonly identity: string;
  /** Why it is not as safe as it should be, for operators. */
  readonly warnings: readonly string[];
  readonly #link: NatsLink;
  readonly #managers = new WeakMap<NatsConnection, Promise<JetStreamManager>>();
  #maxBytes: number;

  /** Makes the stream where there is none yet. Throws UnfitServer or JournalUnavailable. */
  static async open({ urls, logger, holdsJournal = false }: NatsOptions): Promise<NatsStream> {
    const link = await NatsLink.open(urls, logger);
    try {
      const { connection } = link;
      const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
      const isCluster = connection.info?.cluster !== undefined;
      const info = await (holdsJournal ? findStream(manager) : makeStream(manager, isCluster));
      return new NatsStream(link, connection, info);
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  private constructor(link: NatsLink, connection: NatsConnection, info: StreamInfo) {
    this.#link = link;
    this.identity = info.created;
    this.warnings = warningsOf(info.config);
    this.#maxBytes = roomOf(connection);
  }

  /** Why nothing can be appended at this moment, as far as this process knows. */
  get failure(): string | undefined {
    return this.#link.failure;
  }

  get maxBytes(): number {
    if (!this.#link.failure) this.#maxBytes = roomOf(this.#link.connection);
    return this.#maxBytes;
  }

  publish(id: string, body: Uint8Array, withinMs: number): Promise<number> {
    return this.#ask(async (manager) => {
      const ack = await manager.jetstream().publish(SUBJECT, body, {
        msgID: id,
        timeout: Math.ceil(withinMs),
        expect: { streamName: STREAM },
      });
      // A copy that came a moment earlier is on its way: it is not replicated yet, and may never be.
      if (!(ack.seq > 0)) throw new JournalUnavailable('The message is still being replicated');
      return ack.seq;
    });
  }

  next(after: number): Promise<StreamMessage | undefined> {
    return this.#ask((manager) =>
      read(manager, { seq: after + 1, next_by_subj: SUBJECT }, (sequence) => sequence > after),
    );
  }

  get(sequence: number): Promise<StreamMessage | undefined> {
    return this.#ask((manager) => read(manager, { seq: sequence }, (found) => found === sequence));
  }

  state(): Promise<StreamState> {
    return this.#ask(async (manager) => {
      const { state } = await manager.streams.info(STREAM);
      // One that has never had a message begins at 0.
      return { first: Math.max(1, state.first_seq), last: state.last_seq };
    });
  }

  async purge(until: number): Promise<void> {
    await this.#ask((manager) => manager.streams.purge(STREAM, { seq: until + 1 }));
  }

  announce(sequence: number): void {
    this.#link.tell(NEWS, String(sequence));
  }

  onNews(heard: (sequence: number) => void): void {
    this.#link.subscribe(NEWS, (text) => {
      if (/^\d{1,15}$/.test(text)) heard(Number(text));
    });
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  async #ask<T>(work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    const { connection } = this.#link;
    try {
      return await work(await this.#managerOf(connection));
    } catch (error) {
      if (error instanceof TimeoutError) void this.#link.suspect(connection);
      throw unavailable(error);
    }
  }

  #managerOf(connection: NatsConnection): Promise<JetStreamManager> {
    const options = { checkAPI: false, timeout: ANSWER_MS };
    const known = this.#managers.get(connection) ?? jetstreamManager(connection, options);
    this.#managers.set(connection, known);
    return known;
  }
}

const roomOf = ({ info }: NatsConnection): number => (info?.max_payload ?? 0) - HEADER_BYTES;

/** A replica that is behind, or is about to drop messages, may give others than were asked for. */
async function read(
  manager: JetStreamManager,
  query: DirectMsgRequest,
  isAsked: (sequence: number) => boolean,
): Promise<StreamMessage | undefined> {
  const found = await manager.direct.getMessage(STREAM, query);
  if (!found || !isAsked(found.seq)) return undefined;
  return { sequence: found.seq, id: found.header.get('Nats-Msg-Id'), body: found.data };
}

/** Whatever goes wrong on the way or there passes, or an operator sees to it: nothing is lost. */
function unavailable(cause: unknown): unknown {
  if (cause instanceof JournalUnavailable || cause instanceof TypeError) return cause;
  if (cause instanceof TimeoutError)
    return new JournalUnavailable('NATS did not answer in time', { cause });
  const isLeaderless =
    hasNoResponders(cause) || (cause instanceof Error && hasNoResponders(cause.cause));
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = isLeaderless ? 'the stream has no leader' : message;
  return new JournalUnavailable(`The journal cannot be used: ${reason}`, { cause });
}

const hasNoResponders = (error: unknown): boolean =>
  error instanceof RequestError && error.isNoResponders();
