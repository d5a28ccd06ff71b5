/**
 * The database port. Stores write one SQL text for both databases, in their common subset:
 * `$1` placeholders, insert … on conflict, keyed range reads, counters; integers (BIGINT) for
 * money, times and flags, DOUBLE PRECISION for prices, TEXT for ids and JSON, BYTEA for blobs.
 * No JSON operators, no date functions, no booleans.
 */
export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, SqlValue>;

export interface Sql {
  readonly kind: 'sqlite' | 'postgres';
  /** All rows of a statement; BIGINT arrives as number, BYTEA as Uint8Array. */
  all<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]>;
  /** The first row or undefined. */
  get<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<T | undefined>;
  /** Runs a statement and tells how many rows it changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
}

/** Outside a transaction every statement stands alone and sees the newest committed data. */
export interface Database extends Sql {
  /**
   * Runs `work` in one transaction, durable when the promise resolves, rolled back when it throws.
   * SQLite: writers take turns. PostgreSQL: read committed; lock rows or an advisory key for more.
   * `work` must only await statements of its own `tx`, never `database` itself.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Calls `heard` soon after each transaction that notified the channel has committed, in whatever
   * process, and with an empty payload when some may have been missed. Returns how to stop.
   */
  listen(channel: Channel, heard: (payload: string) => void): () => void;
  close(): Promise<void>;
}

/** What processes tell each other about. */
export type Channel = 'plimsoll_journal' | 'plimsoll_events';

export interface Transaction extends Sql {
  /** Waits for a lock held until the end of the transaction. No-op on SQLite: writers take turns. */
  lock(key: string): Promise<void>;
  /** Takes the lock if it is free at this moment. Always true on SQLite. */
  tryLock(key: string): Promise<boolean>;
  /** Runs several statements without parameters: a migration. */
  script(sql: string): Promise<void>;
  /** Tells the channel's listeners, if and when the transaction commits. */
  notify(channel: Channel, payload: string): Promise<void>;
}

/** A row with the same key exists. `constraint` names the table or index where the driver tells. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly constraint: string;
  constructor(constraint: string, options?: ErrorOptions) {
    super(`A record with the same key exists (${constraint})`, options);
    this.constraint = constraint;
  }
}

/** The database can't be reached or is shutting down: the caller should retry later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
