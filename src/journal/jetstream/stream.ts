import { DatabaseUnavailable } from '../../storage/database.ts';

/** A message of the stream: its id is what the stream tells copies by. */
export type StreamMessage = { sequence: number; id: string; body: Uint8Array };

/** What the stream says of itself, which an answer that is out of date makes too little. */
export type StreamState = { first: number; last: number };

/**
 * What the journal needs of a replicated log. Every call ends within seconds, with JournalUnavailable
 * where the log does not answer or cannot do it now: what was asked for may be done all the same,
 * at once or later.
 */
export interface Stream {
  /** Names this stream among all that ever had its name. */
  readonly identity: string;
  /** As much a message can hold. */
  readonly maxBytes: number;
  /**
   * Appends a message, replicated and on disk when it resolves, and tells its sequence number: the
   * first copy's where the stream remembers one with the same id.
   */
  publish(id: string, body: Uint8Array, withinMs: number): Promise<number>;
  /** The first message after a sequence number; undefined where the replica that is asked has none. */
  next(after: number): Promise<StreamMessage | undefined>;
  /** The message with a sequence number; undefined where the replica that is asked has none. */
  get(sequence: number): Promise<StreamMessage | undefined>;
  state(): Promise<StreamState>;
  /** Drops all messages up to a sequence number. */
  purge(until: number): Promise<void>;
  /** Tells all processes of a sequence number that was given; such news can be lost. */
  announce(sequence: number): void;
  /** Calls `heard` with every sequence number that others announce. */
  onNews(heard: (sequence: number) => void): void;
  close(): Promise<void>;
}

/** The journal can't be reached, or cannot take anything now: the caller should retry later. */
export class JournalUnavailable extends DatabaseUnavailable {
  override readonly name = 'JournalUnavailable';
}
