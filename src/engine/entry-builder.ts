import type { EntryAccount } from './entry-account.ts';
import type { EntryDeal, JournalEntry } from './journal-entry.ts';

/** Most entries of single snapshots are as small; those of batches grow in few steps. */
const FIRST_CAPACITY = 32;
const GROWTH = 4;

/** Collects the snapshots of many requests, and of one partition, into one journal entry. */
export class EntryBuilder {
  readonly #accounts: EntryAccount[] = [];
  readonly #deals: EntryDeal[] = [];
  #rows = 0;
  #timeMs = new Float64Array(FIRST_CAPACITY);
  #balance = new Float64Array(FIRST_CAPACITY);
  #equity = new Float64Array(FIRST_CAPACITY);
  #account = new Uint32Array(FIRST_CAPACITY);

  /** Adds an account, once, and returns its place in the entry. */
  addAccount(account: EntryAccount): number {
    return this.#accounts.push(account) - 1;
  }

  /** Adds a snapshot and returns its row. */
  addRow(account: number, timeMs: number, balance: number, equity: number): number {
    const row = this.#rows;
    if (row === this.#timeMs.length) this.#grow();
    this.#timeMs[row] = timeMs;
    this.#balance[row] = balance;
    this.#equity[row] = equity;
    this.#account[row] = account;
    this.#rows = row + 1;
    return row;
  }

  /** Deals must be added in the order of their rows. */
  addDeal(deal: EntryDeal): void {
    this.#deals.push(deal);
  }

  build(receivedUtcMs: number): JournalEntry {
    return {
      receivedUtcMs,
      accounts: this.#accounts,
      deals: this.#deals,
      command: undefined,
      rowCount: this.#rows,
      timeMs: this.#timeMs,
      balance: this.#balance,
      equity: this.#equity,
      account: this.#account,
    };
  }

  #grow(): void {
    const capacity = this.#timeMs.length * GROWTH;
    this.#timeMs = grown(this.#timeMs, new Float64Array(capacity));
    this.#balance = grown(this.#balance, new Float64Array(capacity));
    this.#equity = grown(this.#equity, new Float64Array(capacity));
    this.#account = grown(this.#account, new Uint32Array(capacity));
  }
}

function grown<T extends Float64Array | Uint32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
