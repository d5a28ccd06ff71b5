import { MINUTE_NUMBERS, minutesIn } from '../domain/live/fold-minute.ts';
import type { EquityMinute } from '../domain/live/live-records.ts';
import type { StoredMinute } from '../storage/minute-store.ts';

/**
 * Minutes of a partition's accounts that the database may not have. All accounts close theirs at
 * once: so they are numbers in two lists, without an object or room in each account. They may be
 * stored at any time before the states that are folded beyond them: storing them again changes
 * nothing.
 */
export class ClosedMinutes {
  /** The account of each minute. */
  #accounts: number[] = [];
  /** MINUTE_NUMBERS of each. */
  #numbers: number[] = [];
  /** Being written, or written last. */
  #taken: readonly StoredMinute[] = [];

  get size(): number {
    return this.#accounts.length;
  }

  /** Adds minutes of an account, MINUTE_NUMBERS each. */
  add(accountNumber: number, numbers: readonly number[]): void {
    for (let index = 0; index < numbers.length; index += 1) {
      if (index % MINUTE_NUMBERS === 0) this.#accounts.push(accountNumber);
      this.#numbers.push(numbers[index] ?? 0);
    }
  }

  /** Those of an account, also those being written, in any order. */
  of(accountNumber: number): EquityMinute[] {
    const all = [...this.#taken, ...minutesOf(this.#accounts, this.#numbers)];
    return all
      .filter((minute) => minute.accountNumber === accountNumber)
      .map(({ accountNumber: _, ...minute }) => minute);
  }

  /** Takes the oldest, at most `limit`; those taken before are stored by now. */
  take(limit = this.size): readonly StoredMinute[] {
    const accounts = this.#accounts.splice(0, limit);
    this.#taken = minutesOf(accounts, this.#numbers.splice(0, limit * MINUTE_NUMBERS));
    return this.#taken;
  }

  /** Of an account that is no longer folded. */
  drop(accountNumber: number): void {
    if (!this.#accounts.includes(accountNumber)) return;
    const ofPlace = (index: number): number | undefined =>
      this.#accounts[Math.floor(index / MINUTE_NUMBERS)];
    this.#numbers = this.#numbers.filter((_, index) => ofPlace(index) !== accountNumber);
    this.#accounts = this.#accounts.filter((number) => number !== accountNumber);
  }
}

const minutesOf = (accounts: readonly number[], numbers: readonly number[]): StoredMinute[] =>
  minutesIn(numbers).map((minute, place) => ({ accountNumber: accounts[place] ?? 0, ...minute }));
