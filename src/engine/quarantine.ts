import { encodeCommit } from '../journal/commit-codec.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { PlacedEntry } from './tracked-account.ts';
import type { ParkedSlice } from './write-slice.ts';

/** Why an account's entries wait, as its row tells. */
export type Park = {
  /** Words for an operator. */
  reason: string;
  /** The entry that could not be folded. */
  position: number;
  /** Entries up to here are in the account's stored state; those after it wait. */
  statePosition: number;
  /** Entries that an operator has left out. */
  skipped: number[];
};

/** How many bytes of reason are kept. */
const MAX_REASON = 500;

/**
 * An account of which an entry could not be folded. It hurts nobody else: its entries are kept from
 * there on, until an operator has them folded again, all of them or all but the bad one.
 */
export class Quarantine {
  readonly accountNumber: number;
  readonly park: Park;
  /** Entries up to here are stored as waiting, or folded before. */
  until: number;
  /** Entries after `until`, in order. */
  readonly #waiting: PlacedEntry[] = [];
  /** Entries from before it was noticed are still being collected: nothing is stored before. */
  isCollecting = false;
  /** It is being folded again. */
  isEnding = false;
  /** An operator has asked for its end while that could not be begun. */
  isEndWanted = false;

  constructor(accountNumber: number, park: Park, until: number) {
    this.accountNumber = accountNumber;
    this.park = { ...park, reason: park.reason.slice(0, MAX_REASON) };
    this.until = until;
  }

  static read(accountNumber: number, park: string, until: number): Quarantine {
    return new Quarantine(accountNumber, JSON.parse(park) as Park, until);
  }

  /** Keeps an entry; one that is kept already is left out. */
  add(position: number, entry: JournalEntry): void {
    const last = this.#waiting.at(-1)?.position ?? this.until;
    if (position > last) this.#waiting.push({ position, entry });
  }

  /** Entries from before it was noticed, after what is stored of the account. */
  collected(entries: readonly PlacedEntry[], statePosition: number): void {
    this.#waiting.unshift(...entries);
    this.park.statePosition = statePosition;
    this.until = statePosition;
    this.isCollecting = false;
  }

  /** Takes the entries that are not stored. */
  takeWaiting(): PlacedEntry[] {
    return this.#waiting.splice(0);
  }

  /** What is not stored yet; undefined while it cannot be. */
  toStore(): ParkedSlice | undefined {
    if (this.isCollecting || this.isEnding) return undefined;
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
