import type { Command, Commit, EntryDeal } from '../journal/entry.ts';
import { insertAuditEntry } from '../storage/audit-store.ts';
import type { Database, Transaction, TransactionOptions } from '../storage/database.ts';
import type { Principal } from './context.ts';
import { Telling, type TellingJournal } from './telling.ts';

/** Who changes something, as named in the audit. */
export type Actor = { actor: string; tokenId: string | null };

/** A user's name in the audit, and as the owner of transactions. */
export const userActor = (userId: string): string => `user:${userId}`;

/** The user, or `operator` for the bootstrap token. */
export const actorOf = ({ userId, tokenId }: Principal): Actor => ({
  actor: userId === undefined ? 'operator' : userActor(userId),
  tokenId,
});

/**
 * A record as people read it. Stored ones, whose money is in units and whose times are in
 * milliseconds, have these fields, and are not let through.
 */
export type Presented = Record<string, unknown> & {
  readonly [stored in 'timeMs' | 'startTimeMs' | 'endTimeMs' | 'moneyDigits']?: never;
};

/** What the audit says of a change. */
export type AuditNote = {
  /** Dotted words, for example tracker.created. */
  action: string;
  /** The user and the account that it concerns. */
  userId?: string | undefined;
  accountId?: string | undefined;
  /** No secrets. */
  details?: Presented;
  /** If it is not the caller: a rule of the operator's. */
  actor?: string;
};

export type Changed<T> = {
  result: T;
  /** At least one note, unless everything was as it should be already. */
  audit: readonly [AuditNote, ...AuditNote[]] | 'unchanged';
};

/** A transaction that can tell the live side what it changes. */
export type ChangeTransaction = Transaction & {
  /**
   * Reaches the account's live state in the right place between its snapshots. If everything was
   * stored before, tell it without content: that waits until what was told then has its place.
   */
  tell(
    accountNumber: number,
    content: { deals?: readonly EntryDeal[]; command?: Command },
  ): Promise<void>;
  /** Appends a whole commit to the journal. */
  append(commit: Commit): Promise<void>;
};

/**
 * The only way to change what is stored: in one transaction with the audit's notes, so that neither
 * exists without the other. What a transaction tells the live side has its place in the journal
 * when the promise resolves.
 */
export class Changes {
  readonly #database: Database;
  readonly #journal: TellingJournal;
  readonly #now: () => number;

  constructor(database: Database, journal: TellingJournal, now: () => number) {
    this.#database = database;
    this.#journal = journal;
    this.#now = now;
  }

  /**
   * Makes a change that somebody asked for, who owns the transaction. `work` may run again: see
   * Database.transaction.
   */
  make<T>(
    by: Actor,
    work: (tx: ChangeTransaction) => Promise<Changed<T>>,
    options?: TransactionOptions,
  ): Promise<T> {
    const audited = async (tx: ChangeTransaction): Promise<T> => {
      const { result, audit } = await work(tx);
      if (audit !== 'unchanged') await this.#writeNotes(tx, by, audit);
      return result;
    };
    return this.record(audited, { owner: by.actor, ...options });
  }

  /** Stores facts from platforms and clients as they are, and what follows from them. */
  async record<T>(
    work: (tx: ChangeTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    // Work that loses a deadlock runs again: what it told before is gone with its transaction.
    const { result, staged } = await this.#database.transaction(async (tx) => {
      const telling = new Telling(tx, this.#journal, this.#now);
      const result = await work({
        ...tx,
        append: (commit) => telling.append(commit),
        tell: (accountNumber, content) => telling.tell(accountNumber, content),
      });
      return { result, staged: await telling.end() };
    }, options);
    if (staged) await this.#journal.release(staged);
    return result;
  }

  async #writeNotes(tx: Transaction, by: Actor, audit: readonly AuditNote[]): Promise<void> {
    for (const note of audit) {
      await insertAuditEntry(tx, {
        atMs: this.#now(),
        actor: note.actor ?? by.actor,
        tokenId: note.actor === undefined ? by.tokenId : null,
        action: note.action,
        userId: note.userId ?? null,
        accountId: note.accountId ?? null,
        details: note.details ?? {},
      });
    }
  }
}
