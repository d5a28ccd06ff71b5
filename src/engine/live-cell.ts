import type { BrokerClock, BrokerTimeMs } from '../domain/broker-time.ts';
import type { LiveAccount } from '../domain/live/live-account.ts';
import type { Money } from '../domain/money.ts';

/** Snapshots that are kept as evidence: up to a breach, for each account, and after it. */
const SNAPSHOTS_BEFORE = 10;
export const SNAPSHOTS_AFTER = 16;
const NUMBERS_EACH = 3;
const NUMBERS_PER_ACCOUNT = SNAPSHOTS_BEFORE * NUMBERS_EACH;
const ACCOUNTS_PER_BLOCK = 1024;

/** An event that still waits for snapshots after its breach. */
type Watch = {
  trackerId: string;
  startTimeMs: BrokerTimeMs;
  /** Time, balance and equity of each. */
  after: number[];
  isDirty: boolean;
};

/** An account in memory with what the engine must know of it beside the fold's own state. */
export type LiveCell = {
  account: LiveAccount;
  readonly createdAtMs: number;
  clock: BrokerClock;
  isDirty: boolean;
  /** Removed from the partition's state. */
  isGone: boolean;
  watches: Watch[] | undefined;
  /** Where its last snapshots lie, and how many there were. */
  readonly slot: number;
  snapshotCount: number;
};

/**
 * The last snapshots of all accounts of a partition, in large blocks: an array for each account
 * would cost as much again as the numbers in it.
 */
export class RecentSnapshots {
  readonly #blocks: Float64Array[] = [];
  readonly #free: number[] = [];
  #slots = 0;

  takeSlot(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const slot = this.#slots;
    this.#slots += 1;
    if (slot % ACCOUNTS_PER_BLOCK === 0) {
      this.#blocks.push(new Float64Array(ACCOUNTS_PER_BLOCK * NUMBERS_PER_ACCOUNT));
    }
    return slot;
  }

  freeSlot(slot: number): void {
    this.#free.push(slot);
  }

  add(cell: LiveCell, timeMs: BrokerTimeMs, balance: Money, equity: Money): void {
    const block = this.#blockOf(cell.slot);
    const offset =
      (cell.slot % ACCOUNTS_PER_BLOCK) * NUMBERS_PER_ACCOUNT +
      (cell.snapshotCount % SNAPSHOTS_BEFORE) * NUMBERS_EACH;
    block[offset] = timeMs;
    block[offset + 1] = balance;
    block[offset + 2] = equity;
    cell.snapshotCount += 1;
  }

  /** The account's last snapshots from the oldest to the newest, three doubles each. */
  encode(cell: LiveCell): Uint8Array {
    const count = Math.min(cell.snapshotCount, SNAPSHOTS_BEFORE);
    const numbers = new Float64Array(count * NUMBERS_EACH);
    const block = this.#blockOf(cell.slot);
    const start = (cell.slot % ACCOUNTS_PER_BLOCK) * NUMBERS_PER_ACCOUNT;
    for (let index = 0; index < count; index += 1) {
      const place = (cell.snapshotCount - count + index) % SNAPSHOTS_BEFORE;
      const from = start + place * NUMBERS_EACH;
      numbers.set(block.subarray(from, from + NUMBERS_EACH), index * NUMBERS_EACH);
    }
    return bytesOfNumbers(numbers);
  }

  restore(cell: LiveCell, stored: Uint8Array): void {
    const numbers = numbersOfBytes(stored);
    for (let index = 0; index < numbers.length; index += NUMBERS_EACH) {
      this.add(cell, numbers[index] ?? 0, numbers[index + 1] ?? 0, numbers[index + 2] ?? 0);
    }
  }

  #blockOf(slot: number): Float64Array {
    const block = this.#blocks[Math.floor(slot / ACCOUNTS_PER_BLOCK)];
    if (!block) throw new Error(`Invariant: no block holds slot ${slot}`);
    return block;
  }
}

export const bytesOfNumbers = (numbers: Float64Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

/** A copy: the driver's bytes need not be aligned for doubles. */
export function numbersOfBytes(stored: Uint8Array): Float64Array {
  const numbers = new Float64Array(stored.byteLength / 8);
  new Uint8Array(numbers.buffer).set(stored);
  return numbers;
}
