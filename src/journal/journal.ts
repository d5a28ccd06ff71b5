import type { Transaction } from '../storage/database.ts';
import type { StoredCommit } from './commit-codec.ts';
import type { Commit } from './entry.ts';

/** Hears what is appended. */
export type JournalListener = {
  /** A commit of this process has its position. Calls may come in another order than positions. */
  appended(position: number, commit: Commit): void;
  /** The log may have more than was reported. */
  more(): void;
};

/** What waits in a transaction, each part with the log's own note of its place. */
export type Staged = readonly { readonly commit: Commit; readonly place: number | undefined }[];

/**
 * The journal: everything that came in, durable and in one order, the same for all who fold it.
 * Positions are whole numbers without gaps; a log may have commits of its own, without entries.
 * What was acknowledged before something else was begun has the lower position. A commit that is
 * more than the log takes at once becomes several. An outage of the log is DatabaseUnavailable.
 */
export interface Journal {
  /** Fixed for good when the log is created. */
  readonly partitions: number;
  /** Durable when it resolves. If it rejects, the commit may still be in the log. */
  append(commit: Commit): Promise<void>;
  /**
   * Makes a commit part of a transaction that stores what it tells of. `release` must be called
   * after the transaction, and nothing may be acknowledged before that resolves, which settles: also
   * by whoever found that another one had stored the same before, and staged nothing.
   */
  stage(tx: Transaction, commit: Commit): Promise<Staged>;
  release(staged: readonly Staged[]): Promise<void>;
  /** Resolves when everything committed before the call, by any process, has its position. */
  settle(): Promise<void>;
  /** The newest position: at least that of everything acknowledged before the call. */
  head(): Promise<number>;
  /**
   * A position that the log has reached, as far as that can be told at little cost, and sees to what
   * processes that died have left undone: for whoever looks now and then whether it missed anything.
   */
  look(): Promise<number>;
  /** A read of this many commits may have more behind it; fewer are all there are. */
  readonly fullRead: number;
  /** Commits after a position, in order and without gaps, a batch at a time; none at the end. */
  read(after: number): Promise<StoredCommit[]>;
  /** Drops commits that all partitions have folded and stored, received before a time. */
  trim(receivedBeforeMs: number): Promise<void>;
  listen(listener: JournalListener): () => void;
  close(): Promise<void>;
}

export type JournalLogger = { warn(fields: object, message: string): void };

/** The journal that the settings name is not that of the database. */
export class WrongJournal extends Error {
  override readonly name = 'WrongJournal';
}
