import type { Transaction } from '../storage/database.ts';
import type { StoredCommit } from './commit-codec.ts';
import type { Commit } from './entry.ts';

/** Notified of appended commits. */
export type JournalListener = {
  /** A commit of this process has its position. Calls may come in another order than positions. */
  appended(position: number, commit: Commit): void;
  /** The log may have more than was reported. */
  more(): void;
};

/** Commits staged in a transaction, each with the log's own note of its place. */
export type Staged = readonly { readonly commit: Commit; readonly place: number | undefined }[];

/**
 * The journal: all received data, durable and in one order, the same for all that fold it.
 * Positions are whole numbers without gaps; a log may add commits of its own, without entries. A
 * commit acknowledged before another was begun has the lower position. A commit too large for the
 * log becomes several. An outage of the log is DatabaseUnavailable.
 */
export interface Journal {
  /** Fixed when the log is created. */
  readonly partitions: number;
  /** Durable when it resolves. If it rejects, the commit may still be in the log. */
  append(commit: Commit): Promise<void>;
  /**
   * Makes a commit part of the transaction that stores its data. Call `release` after the
   * transaction, and acknowledge nothing before it resolves: only then is the log sure to have
   * everything staged before. So a caller that staged nothing, because the same was stored before,
   * must call it, too.
   */
  stage(tx: Transaction, commit: Commit): Promise<Staged>;
  release(staged: readonly Staged[]): Promise<void>;
  /** Resolves when everything committed before the call, by any process, has its position. */
  settle(): Promise<void>;
  /** The newest position: at least that of everything acknowledged before the call. */
  head(): Promise<number>;
  /**
   * A position that the log has reached, found at little cost, for periodic checks whether anything
   * was missed. Also finishes the work of dead processes.
   */
  look(): Promise<number>;
  /** A read that returns fewer commits than this has reached the end. */
  readonly fullRead: number;
  /** The next batch of commits after a position, in order and without gaps; empty at the end. */
  read(after: number): Promise<StoredCommit[]>;
  /** Drops commits that all partitions have folded and stored, received before a time. */
  trim(receivedBeforeMs: number): Promise<void>;
  listen(listener: JournalListener): () => void;
  close(): Promise<void>;
}

export type JournalLogger = { warn(fields: object, message: string): void };

/** The journal in the settings is not the one that the database belongs to. */
export class WrongJournal extends Error {
  override readonly name = 'WrongJournal';
}
