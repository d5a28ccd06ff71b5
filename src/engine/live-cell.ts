import type { BrokerClock, BrokerTimeMs } from '../domain/broker-time.ts';
import type { LiveAccount } from '../domain/live/live-account.ts';
import { ownBytes, type TakeBytes } from '../domain/live/live-account-codec.ts';
import type { Money } from '../domain/money.ts';
import type { CapturedAccount } from './captured-account.ts';

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
  readonly account: LiveAccount;
  readonly createdAtMs: number;
  clock: BrokerClock;
  readonly moneyDigits: number;
  isDirty: boolean;
  /** The state that found it by its id last, for as long as it is in there. */
  home: object | undefined;
  /** It must be kept as it stands until a checkpoint has it. */
  captured: CapturedAccount | undefined;
  watches: Watch[] | undefined;
  /** Where its last snapshots lie, and how many there were. */
  readonly slot: number;
  snapshotCount: number;
  /** Of its closed hours: never the same for others, in this process. */
  hoursVersion: number;
};

let versions = 0;

/** The cell's closed hours are about to change in the database. */
export function changeHours(cell: LiveCell): void {
  versions += 1;
  cell.hoursVersion = versions;
}

/** A cell that nothing was folded into yet, with a slot of its own. */
export const newCell = (
  account: LiveAccount,
  createdAtMs: number,
  clock: BrokerClock,
  moneyDigits: number,
  slot: number,
): LiveCell => {
  versions += 1;
  return {
    account,
    createdAtMs,
    clock,
    moneyDigits,
    isDirty: false,
    home: undefined,
    captured: undefined,
    watches: undefined,
    slot,
    snapshotCount: 0,
    hoursVersion: versions,
  };
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
    const offset = offsetOf(cell.slot, cell.snapshotCount % SNAPSHOTS_BEFORE);
    block[offset] = timeMs;
    block[offset + 1] = balance;
    block[offset + 2] = equity;
    cell.snapshotCount += 1;
  }

  /** The account's last snapshots from the oldest to the newest, three doubles each. */
  encode(cell: LiveCell, take: TakeBytes = ownBytes): Uint8Array {
    const count = Math.min(cell.snapshotCount, SNAPSHOTS_BEFORE);
    const bytes = take(count * NUMBERS_EACH * 8);
    const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, count * NUMBERS_EACH);
    const block = this.#blockOf(cell.slot);
    const first = cell.snapshotCount - count;
    for (let index = 0; index < count; index += 1) {
      const offset = offsetOf(cell.slot, (first + index) % SNAPSHOTS_BEFORE);
      numbers.set(block.subarray(offset, offset + NUMBERS_EACH), index * NUMBERS_EACH);
    }
    return bytes;
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

/**
 * Where one of an account's snapshots lies in its block: beside the same one of its neighbours, which
 * come in the same batch.
 */
const offsetOf = (slot: number, snapshot: number): number =>
  (snapshot * ACCOUNTS_PER_BLOCK + (slot % ACCOUNTS_PER_BLOCK)) * NUMBERS_EACH;

export const bytesOfNumbers = (numbers: Float64Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

/** A copy: the driver's bytes need not be aligned for doubles. */
export function numbersOfBytes(stored: Uint8Array): Float64Array {
  const numbers = new Float64Array(stored.byteLength / 8);
  new Uint8Array(numbers.buffer).set(stored);
  return numbers;
}
