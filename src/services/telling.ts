import { CommitBuilder, type Place } from '../journal/commit-builder.ts';
import { type Command, type Commit, commitOf, type EntryDeal } from '../journal/entry.ts';
import type { Journal, Staged } from '../journal/journal.ts';
import type { Transaction } from '../storage/database.ts';

/** Needs of changes from the journal. */
export type TellingJournal = Pick<Journal, 'partitions' | 'stage' | 'release'>;

/**
 * Data of a transaction for the live side, in order. Deals of any number of accounts share a
 * commit: it is stored once, and the accounts are loaded together.
 */
export class Telling {
  readonly #tx: Transaction;
  readonly #journal: TellingJournal;
  readonly #now: () => number;
  #staged: Staged[] | undefined;
  #deals: CommitBuilder | undefined;
  readonly #places = new Map<number, Place>();

  constructor(tx: Transaction, journal: TellingJournal, now: () => number) {
    this.#tx = tx;
    this.#journal = journal;
    this.#now = now;
  }

  async tell(
    accountNumber: number,
    { deals = [], command }: { deals?: readonly EntryDeal[]; command?: Command },
  ): Promise<void> {
    this.#staged ??= [];
    this.#addDeals(accountNumber, deals);
    if (!command) return;
    const { partitions } = this.#journal;
    await this.append(commitOf(this.#now(), accountNumber, partitions, command));
  }

  async append(commit: Commit): Promise<void> {
    await this.#appendDeals();
    this.#staged ??= [];
    this.#staged.push(await this.#journal.stage(this.#tx, commit));
  }

  /** Everything staged; undefined if there was nothing. */
  async end(): Promise<Staged[] | undefined> {
    await this.#appendDeals();
    return this.#staged;
  }

  #addDeals(accountNumber: number, deals: readonly EntryDeal[]): void {
    if (deals.length === 0) return;
    this.#deals ??= new CommitBuilder(this.#journal.partitions);
    const place = this.#places.get(accountNumber) ?? this.#deals.addAccount(accountNumber);
    this.#places.set(accountNumber, place);
    for (const [, ...deal] of deals) place.builder.addDeal([place.account, ...deal]);
  }

  async #appendDeals(): Promise<void> {
    const deals = this.#deals;
    this.#deals = undefined;
    this.#places.clear();
    if (deals) await this.append(deals.build(this.#now()));
  }
}
