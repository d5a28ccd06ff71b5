import type { AuditAction, AuditDetails } from '../contract/audit-details.ts';
import type { Command, Commit, EntryDeal } from '../journal/entry.ts';
import { ENTRY_BYTES, insertAuditEntry } from '../storage/audit-store.ts';
import type { Database, Sql, Transaction, TransactionOptions } from '../storage/database.ts';
import { countHolding, type Holding, readHeldBytes } from '../storage/holding-store.ts';
import type { HoldingKind } from '../words/holdings.ts';
import { forbidden } from './errors.ts';
import { Telling, type TellingJournal } from './telling.ts';

/** Who makes a change, as named in the audit. */
export type Actor = {
  actor: string;
  tokenId: string | null;
  /** Of the transaction, if not the actor: people of a user share what a user may have. */
  owner?: string;
};

/** A user's name in the audit, and as the owner of transactions. */
export const userActor = (userId: string): string => `user:${userId}`;

/** Who acts in the user's name; the user; or `operator` for the bootstrap token. */
export const actorOf = ({
  userId,
  tokenId,
  from,
  actor = userId === undefined ? 'operator' : userActor(userId),
}: {
  userId: string | undefined;
  tokenId: string;
  from?: string | undefined;
  actor?: string;
}): Actor => ({
  ...{ actor, tokenId: from ?? tokenId },
  ...(from !== undefined && userId !== undefined ? { owner: userActor(userId) } : {}),
});

const auditBytes = (details: object): number => ENTRY_BYTES + JSON.stringify(details).length;

/** What the audit says of a change. No secrets. */
export type AuditNote = { [A in AuditAction]: NoteOf<A> }[AuditAction];
type NoteOf<A extends AuditAction> = {
  action: A;
  details: AuditDetails<A>;
  /** The user and the account that it concerns. */
  userId?: string | undefined;
  accountId?: string | undefined;
  /** If not the caller: a rule of the operator's. */
  actor?: string;
};

export type Changed<T> = {
  result: T;
  /** At least one note, unless everything was already as requested. */
  audit: readonly [AuditNote, ...AuditNote[]] | 'unchanged';
};

/** The notes of a change that may have changed nothing. */
export function auditOf(notes: readonly AuditNote[]): Changed<unknown>['audit'] {
  const [first, ...others] = notes;
  return first ? [first, ...others] : 'unchanged';
}

/** A transaction that can send its changes to the live side. */
export type ChangeTransaction = Transaction & {
  /**
   * Reaches the account's live state in the right place between its snapshots. If everything was
   * stored before, send no content: that waits until the earlier content has its place.
   */
  tell(
    accountNumber: number,
    content: { deals?: readonly EntryDeal[]; command?: Command },
  ): Promise<void>;
  /** Appends a whole commit to the journal. */
  append(commit: Commit): Promise<void>;
  /**
   * Counts the transaction's additions to a user's stored things, or removals; returns the user's
   * new count of the kind. From then on the user's other changes of that kind wait. Throws
   * `forbidden` for more bytes than a user may have in all.
   */
  hold(userId: string, kind: HoldingKind, added: Holding): Promise<Holding>;
};

/**
 * The only way to change stored data: in one transaction with the audit's notes, so that neither
 * exists without the other. Data sent to the live side has its place in the journal when the
 * promise resolves.
 */
export class Changes {
  readonly #database: Database;
  readonly #journal: TellingJournal;
  readonly now: () => number;
  /** Limits of one user's stored data. */
  readonly mostBytes: number;

  constructor(
    database: Database,
    journal: TellingJournal,
    now: () => number,
    mostBytes = Number.POSITIVE_INFINITY,
  ) {
    this.#database = database;
    this.#journal = journal;
    this.now = now;
    this.mostBytes = mostBytes;
  }

  /**
   * Makes a requested change; the requester owns the transaction. `work` may run again: see
   * Database.transaction.
   */
  async make<T>(
    by: Actor,
    work: (tx: ChangeTransaction) => Promise<Changed<T>>,
    options?: TransactionOptions,
  ): Promise<T> {
    let isChanged = false;
    const audited = async (tx: ChangeTransaction): Promise<T> => {
      const { result, audit } = await work(tx);
      isChanged = audit !== 'unchanged';
      if (audit !== 'unchanged') await this.#writeNotes(tx, by, audit);
      return result;
    };
    const result = await this.record(audited, { owner: by.owner ?? by.actor, ...options });
    // Whoever follows such changes hears at once; others find them with their next request.
    if (isChanged) this.#database.announce('plimsoll_changes', '');
    return result;
  }

  /** Stores facts from platforms and clients unchanged, and their consequences. */
  async record<T>(
    work: (tx: ChangeTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    // Work that loses a deadlock runs again: data it sent before is gone with its transaction.
    const { result, staged } = await this.#database.transaction(async (tx) => {
      const telling = new Telling(tx, this.#journal, this.now);
      const result = await work({
        ...tx,
        append: (commit) => telling.append(commit),
        hold: (userId, kind, added) => this.#hold(tx, userId, kind, added),
        tell: (accountNumber, content) => telling.tell(accountNumber, content),
      });
      return { result, staged: await telling.end() };
    }, options);
    if (staged) await this.#journal.release(staged);
    return result;
  }

  /**
   * Throws `forbidden` for a user at the limit, who sends more facts. They are counted as they are
   * stored; what Plimsoll finds out itself is stored in any case.
   */
  mayAdd(userId: string): Promise<void> {
    return this.#checkRoom(this.#database, userId);
  }

  async #checkRoom(sql: Sql, userId: string): Promise<void> {
    if (!Number.isFinite(this.mostBytes)) return;
    if ((await readHeldBytes(sql, userId)) <= this.mostBytes) return;
    const most = Math.round(this.mostBytes / 2 ** 20);
    throw forbidden(`The limit of ${most} MiB stored for one user is reached: delete something`);
  }

  async #hold(
    tx: Transaction,
    userId: string,
    kind: HoldingKind,
    added: Holding,
  ): Promise<Holding> {
    const held = await countHolding(tx, userId, kind, added);
    if (added.bytes > 0) await this.#checkRoom(tx, userId);
    return held;
  }

  async #writeNotes(tx: Transaction, by: Actor, audit: readonly AuditNote[]): Promise<void> {
    const byUser = new Map<string, Holding>();
    for (const note of audit) {
      const { userId } = note;
      const details: Record<string, unknown> = { ...note.details };
      if (userId !== undefined) {
        const { items, bytes } = byUser.get(userId) ?? { items: 0, bytes: 0 };
        byUser.set(userId, { items: items + 1, bytes: bytes + auditBytes(details) });
      }
      await insertAuditEntry(tx, {
        atMs: this.now(),
        actor: note.actor ?? by.actor,
        tokenId: note.actor === undefined ? by.tokenId : null,
        action: note.action,
        userId: note.userId ?? null,
        accountId: note.accountId ?? null,
        details,
      });
    }
    // Without checking the limit: a user at the limit must be able to delete, which is audited,
    // too.
    for (const [userId, added] of byUser) await countHolding(tx, userId, 'audit', added);
  }
}
