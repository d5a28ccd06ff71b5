import type { EquityMinute } from '../domain/live/live-records.ts';
import type { StoredMinute } from '../storage/minute-store.ts';

/**
 * Minutes of a partition's accounts that the database may not have. All accounts close theirs at
 * once: so they lie in one list, and no account has room for them. They may be stored at any time
 * before the states that are folded beyond them: storing them again changes nothing.
 */
export class ClosedMinutes {
  /** Whose each is: apart, because an object for each would double what closing one costs. */
  #accounts: number[] = [];
  #minutes: EquityMinute[] = [];
  /** Being written, or written last. */
  #taken: readonly StoredMinute[] = [];

  get size(): number {
    return this.#accounts.length;
  }

  add(accountNumber: number, minute: EquityMinute): void {
    this.#accounts.push(accountNumber);
    this.#minutes.push(minute);
  }

  /** Those of an account, also those being written, in any order. */
  of(accountNumber: number): EquityMinute[] {
    const taken = this.#taken.filter((stored) => stored.accountNumber === accountNumber);
    return [
      ...taken.map(({ minute }) => minute),
      ...this.#minutes.filter((_, place) => this.#accounts[place] === accountNumber),
    ];
  }

  /** Takes the oldest, at most `limit`; those taken before are stored by now. */
  take(limit = this.size): readonly StoredMinute[] {
    const accounts = this.#accounts.splice(0, limit);
    const minutes = this.#minutes.splice(0, limit);
    this.#taken = minutes.map((minute, place) => ({ accountNumber: accounts[place] ?? 0, minute }));
    return this.#taken;
  }

  /** Of an account that is no longer folded. */
  drop(accountNumber: number): void {
    if (!this.#accounts.includes(accountNumber)) return;
    this.#minutes = this.#minutes.filter((_, place) => this.#accounts[place] !== accountNumber);
    this.#accounts = this.#accounts.filter((number) => number !== accountNumber);
  }
}
