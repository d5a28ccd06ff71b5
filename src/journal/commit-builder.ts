import {
  type Commit,
  type EntryDeal,
  GrowingColumns,
  type JournalEntry,
  partitionOf,
} from './entry.ts';

/** Entries of single snapshots rarely need more; those of batches grow in few steps. */
const FIRST_CAPACITY = 32;

/** An account in a commit: its entry, and its index there. */
export type Place = { readonly builder: EntryBuilder; readonly account: number };

/** Collects the snapshots of many requests, each into the entry of its account's partition. */
export class CommitBuilder {
  readonly #partitions: number;
  readonly #builders: (EntryBuilder | undefined)[] = [];

  constructor(partitions: number) {
    this.#partitions = partitions;
  }

  /** Adds an account and returns the target of its rows. Add each account only once. */
  addAccount(accountNumber: number): Place {
    const partition = partitionOf(accountNumber, this.#partitions);
    const builder = this.#builders[partition] ?? new EntryBuilder();
    this.#builders[partition] = builder;
    return { builder, account: builder.addAccount(accountNumber) };
  }

  build(receivedUtcMs: number): Commit {
    const entries = new Map<number, JournalEntry>();
    this.#builders.forEach((builder, partition) => {
      if (builder) entries.set(partition, builder.build(receivedUtcMs));
    });
    return { receivedUtcMs, entries };
  }
}

/** Collects the rows of one entry. */
export class EntryBuilder {
  readonly #accounts: number[] = [];
  readonly #deals: EntryDeal[] = [];
  readonly #columns = new GrowingColumns(FIRST_CAPACITY);

  addAccount(accountNumber: number): number {
    return this.#accounts.push(accountNumber) - 1;
  }

  /** Adds a snapshot and returns its row. */
  addRow(account: number, timeMs: number, balance: number, equity: number): number {
    return this.#columns.add(account, timeMs, balance, equity);
  }

  /** Adds a deal. Deals must be added in the order of their rows. */
  addDeal(deal: EntryDeal): void {
    this.#deals.push(deal);
  }

  build(receivedUtcMs: number): JournalEntry {
    return {
      receivedUtcMs,
      accounts: Uint32Array.from(this.#accounts),
      deals: this.#deals,
      command: undefined,
      ...this.#columns,
    };
  }
}
