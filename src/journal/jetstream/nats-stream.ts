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

/** The subject on which processes announce new messages to each other; not stored. */
const NEWS = 'plimsoll.journal.news';
const ANSWER_MS = 2000;
/** Size of a message in addition to its body, with room to spare. */
const HEADER_BYTES = 1024;

export type NatsOptions = {
  urls: string;
  logger: JournalLogger;
  /** Whether it already holds a journal: then it is never created. */
  holdsJournal?: boolean;
};

/** The stream of a real cluster. */
export class NatsStream implements Stream {
  readonly identity: string;
  /** Reasons why the stream is less safe than it should be, for operators. */
  readonly warnings: readonly string[];
  readonly #link: NatsLink;
  readonly #managers = new WeakMap<NatsConnection, Promise<JetStreamManager>>();
  #maxBytes: number;

  /**
   * Opens the stream; creates it if there is none, unless `holdsJournal`. Throws UnfitServer or
   * JournalUnavailable.
   */
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

  /** Why nothing can be appended now, as far as this process knows; undefined if it can. */
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
      // An earlier copy is still being replicated, which may fail.
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
      // A stream that never had a message reports 0 as its first.
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

/** A replica that is behind, or about to drop messages, may return others than requested. */
async function read(
  manager: JetStreamManager,
  query: DirectMsgRequest,
  isAsked: (sequence: number) => boolean,
): Promise<StreamMessage | undefined> {
  const found = await manager.direct.getMessage(STREAM, query);
  if (!found || !isAsked(found.seq)) return undefined;
  return { sequence: found.seq, id: found.header.get('Nats-Msg-Id'), body: found.data };
}

/** Faults of the network or the servers pass or are fixed by an operator; nothing is lost. */
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
