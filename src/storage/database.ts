/**
 * The database port. Stores write one SQL text for both databases, in their common subset: `$1`
 * placeholders, insert … on conflict, keyed range reads, counters; integers (BIGINT) for money,
 * times and flags, DOUBLE PRECISION for prices, TEXT for ids and JSON, BYTEA for blobs. No JSON
 * operators, no date functions, no booleans. Where PostgreSQL needs a statement of its own
 * (journal-store.ts, event-store.ts, event-number-store.ts), both texts are side by side.
 */
export type SqlValue = string | number | null | Uint8Array;
/** Arrays are for PostgreSQL only. */
export type SqlParameter = SqlValue | readonly SqlValue[];
export type Row = Record<string, SqlValue>;

export interface Sql {
  readonly kind: 'sqlite' | 'postgres';
  /** All rows of a statement; BIGINT arrives as number, BYTEA as Uint8Array. */
  all<T extends Row = Row>(sql: string, params?: readonly SqlParameter[]): Promise<T[]>;
  /** The first row or undefined. */
  get<T extends Row = Row>(sql: string, params?: readonly SqlParameter[]): Promise<T | undefined>;
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, params?: readonly SqlParameter[]): Promise<number>;
}

export type TransactionOptions = {
  /** How long one statement may take or wait for others; by default as long as an answer may. */
  statementMs?: number;
  /**
   * The owner: `user:<id>`, or a part of the server. One owner's transactions never hold all
   * connections to PostgreSQL, so those that wait for each other's locks do not block others.
   */
  owner?: string;
};

/**
 * Outside of a transaction every statement is separate and sees the newest committed data. Every
 * call ends within seconds, with DatabaseUnavailable if the database does not answer: whether the
 * statement took effect is then unknown.
 */
export interface Database extends Sql {
  /** Whether other servers may use it, too. */
  readonly isShared: boolean;
  /** Why nothing can be stored until the process restarts; undefined if all is well. */
  readonly failure: string | undefined;
  /**
   * Runs `work` in one transaction, durable when the promise resolves, rolled back when it throws.
   * SQLite: writers take turns. PostgreSQL: read committed; lock rows or an advisory key for more.
   * `work` must only await statements of its own `tx`, never `database` itself, and change nothing
   * in memory: it runs again if it loses a deadlock.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Calls `heard` soon after each `announce` on the channel, in any process, and with an empty
   * payload if some may have been missed. Returns a function that unsubscribes.
   */
  listen(channel: Channel, heard: (payload: string) => void): () => void;
  /**
   * Notifies the channel's listeners after a commit. Never fails and is never awaited: an
   * announcement can be lost, and of several that follow closely only the last may arrive.
   */
  announce(channel: Channel, payload: string): void;
  close(): Promise<void>;
}

/** Channels of notifications between processes. */
export type Channel =
  | 'plimsoll_journal'
  | 'plimsoll_events'
  | 'plimsoll_engines'
  | 'plimsoll_changes';

export interface Transaction extends Sql {
  /** Takes a lock until the end of the transaction. No-op on SQLite: writers take turns. */
  lock(key: string): Promise<void>;
  /** Takes the lock if it is free now. Always true on SQLite. */
  tryLock(key: string): Promise<boolean>;
  /**
   * Runs `work` right before the commit, after all else, in the order of the calls: for rows that
   * many transactions change, which stay locked for a moment and are never waited for by one that
   * holds others' rows yet to come.
   */
  atEnd(work: () => Promise<void>): void;
  /** Runs several statements without parameters: a migration. */
  script(sql: string): Promise<void>;
}

/** A row with the same key exists. `constraint` names the table or index, if known. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly constraint: string;
  constructor(constraint: string, options?: ErrorOptions) {
    super(`A record with the same key exists (${constraint})`, options);
    this.constraint = constraint;
  }
}

/** The database cannot be reached or does not answer: the caller should retry later. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
}

/** The transaction repeatedly lost a deadlock or conflicted with another one. */
export class TransactionConflict extends DatabaseUnavailable {
  override readonly name = 'TransactionConflict';
}
