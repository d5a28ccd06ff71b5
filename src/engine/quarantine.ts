import { encodeCommit } from '../journal/commit-codec.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { PlacedEntry } from './tracked-account.ts';
import type { ParkedSlice } from './write-slice.ts';

/** Why an account's entries wait, as stored in its row. */
export type Park = {
  /** For an operator to read. */
  reason: string;
  /** The entry that could not be folded. */
  position: number;
  /** Entries up to here are in the account's stored state; those after it wait. */
  statePosition: number;
  /** Entries left out by an operator. */
  skipped: number[];
};

/**
 * An account with an entry that could not be folded. No other account is affected: its entries are
 * kept from there on, until an operator has them folded again, all of them or all but the bad one.
 */
export class Quarantine {
  readonly accountNumber: number;
  readonly park: Park;
  /** Entries up to this position are stored as waiting, or were folded before. */
  until: number;
  /** Entries after `until`, in order. */
  readonly #waiting: PlacedEntry[] = [];
  /**
   * `collecting` until the entries taken before the failure was noticed are found; then `waiting`,
   * and stored as it grows; `refolding` while its entries are folded again.
   */
  state: 'collecting' | 'waiting' | 'refolding' = 'waiting';
  /** An operator has ended it, but folding could not begin yet. */
  isEndWanted = false;

  constructor(accountNumber: number, park: Park, until: number) {
    this.accountNumber = accountNumber;
    this.park = park;
    this.until = until;
  }

  static read(accountNumber: number, park: string, until: number): Quarantine {
    return new Quarantine(accountNumber, JSON.parse(park) as Park, until);
  }

  /** Keeps an entry, unless already kept. */
  add(position: number, entry: JournalEntry): void {
    const last = this.#waiting.at(-1)?.position ?? this.until;
    if (position > last) this.#waiting.push({ position, entry });
  }

  /** Adds the entries after the account's stored state, up to the noticing of the failure. */
  collected(entries: readonly PlacedEntry[], statePosition: number): void {
    this.#waiting.unshift(...entries);
    this.park.statePosition = statePosition;
    this.until = statePosition;
    this.state = 'waiting';
  }

  /** Takes the unstored entries. */
  takeWaiting(): PlacedEntry[] {
    return this.#waiting.splice(0);
  }

  /** The rows to store; undefined while none may be stored. */
  toStore(): ParkedSlice | undefined {
    if (this.state !== 'waiting') return undefined;
    return {
      accountNumber: this.accountNumber,
      position: this.#waiting.at(-1)?.position ?? this.until,
      park: JSON.stringify(this.park),
      entries: this.#waiting.map(({ position, entry }) => ({
        position,
        body: encodeCommit({ receivedUtcMs: entry.receivedUtcMs, entries: new Map([[0, entry]]) }),
      })),
    };
  }

  hasStored({ position, entries }: ParkedSlice): void {
    this.until = position;
    this.#waiting.splice(0, entries.length);
  }
}
