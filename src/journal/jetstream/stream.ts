import { DatabaseUnavailable } from '../../storage/database.ts';

/** A message of the stream, which recognises copies by their id. */
export type StreamMessage = { sequence: number; id: string; body: Uint8Array };

/** Sequence numbers of the stream, as it reports them; outdated ones are too low. */
export type StreamState = { first: number; last: number };

/**
 * The journal's requirements of a replicated log. Every call ends within seconds, with
 * JournalUnavailable if the log does not answer or cannot do it now; it may take effect anyway, or
 * later.
 */
export interface Stream {
  /** Identifies this stream among all streams that ever had its name. */
  readonly identity: string;
  /** The largest body of a message. */
  readonly maxBytes: number;
  /**
   * Appends a message; it is replicated and on disk when this resolves. Returns its sequence
   * number, or that of the first copy if the stream remembers one with the same id.
   */
  publish(id: string, body: Uint8Array, withinMs: number): Promise<number>;
  /** The first message after a sequence number; undefined if the replica asked has none. */
  next(after: number): Promise<StreamMessage | undefined>;
  /** The message with a sequence number; undefined if the replica asked does not have it. */
  get(sequence: number): Promise<StreamMessage | undefined>;
  state(): Promise<StreamState>;
  /** Drops all messages up to a sequence number. */
  purge(until: number): Promise<void>;
  /** Announces a new sequence number to all processes; announcements can be lost. */
  announce(sequence: number): void;
  /** Calls `heard` with every sequence number that others announce. */
  onNews(heard: (sequence: number) => void): void;
  close(): Promise<void>;
}

/** The journal can't be reached, or cannot take anything now: the caller should retry later. */
export class JournalUnavailable extends DatabaseUnavailable {
  override readonly name = 'JournalUnavailable';
}
