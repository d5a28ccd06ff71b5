import type { BrokerTimeMs } from '../domain/broker-time.ts';
import { ownBytes, type TakeBytes } from '../domain/live/live-account-codec.ts';
import type { Money } from '../domain/money.ts';

/** Snapshots kept as evidence for each breach: up to it, and after it. */
const SNAPSHOTS_BEFORE = 10;
export const SNAPSHOTS_AFTER = 16;
/** Numbers of a snapshot: broker time, balance, equity, and the UTC time of receipt. */
export const NUMBERS_EACH = 4;
const NUMBERS_PER_ACCOUNT = SNAPSHOTS_BEFORE * NUMBERS_EACH;
const ACCOUNTS_PER_BLOCK = 1024;

/** Where the last snapshots of an account are kept, and how many it has had so far. */
type SnapshotPlace = { readonly slot: number; snapshotCount: number };

/**
 * The last snapshots of all accounts of a partition, in large blocks: one array per account would
 * take twice the memory of its numbers.
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

  add(
    place: SnapshotPlace,
    timeMs: BrokerTimeMs,
    balance: Money,
    equity: Money,
    receivedUtcMs: number,
  ): void {
    const block = this.#blockOf(place.slot);
    const offset = offsetOf(place.slot, place.snapshotCount % SNAPSHOTS_BEFORE);
    block[offset] = timeMs;
    block[offset + 1] = balance;
    block[offset + 2] = equity;
    block[offset + 3] = receivedUtcMs;
    place.snapshotCount += 1;
  }

  /** The account's last snapshots from the oldest to the newest, four doubles each. */
  encode(place: SnapshotPlace, take: TakeBytes = ownBytes): Uint8Array {
    const count = Math.min(place.snapshotCount, SNAPSHOTS_BEFORE);
    const bytes = take(count * NUMBERS_EACH * 8);
    const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, count * NUMBERS_EACH);
    const block = this.#blockOf(place.slot);
    const first = place.snapshotCount - count;
    for (let index = 0; index < count; index += 1) {
      const offset = offsetOf(place.slot, (first + index) % SNAPSHOTS_BEFORE);
      numbers.set(block.subarray(offset, offset + NUMBERS_EACH), index * NUMBERS_EACH);
    }
    return bytes;
  }

  restore(place: SnapshotPlace, stored: Uint8Array): void {
    const numbers = numbersOfBytes(stored);
    for (let index = 0; index < numbers.length; index += NUMBERS_EACH) {
      const at = (column: number): number => numbers[index + column] ?? 0;
      this.add(place, at(0), at(1), at(2), at(3));
    }
  }

  #blockOf(slot: number): Float64Array {
    const block = this.#blocks[Math.floor(slot / ACCOUNTS_PER_BLOCK)];
    if (!block) throw new Error(`Invariant: no block holds slot ${slot}`);
    return block;
  }
}

/**
 * The offset of one of an account's snapshots in its block: next to the same one of its neighbours,
 * which usually come in the same batch.
 */
const offsetOf = (slot: number, snapshot: number): number =>
  (snapshot * ACCOUNTS_PER_BLOCK + (slot % ACCOUNTS_PER_BLOCK)) * NUMBERS_EACH;

/**
 * Encoded snapshots up to the moment of an event, and those after it. An event found late may be
 * older than all of them.
 */
export function splitAt(
  encoded: Uint8Array,
  timeMs: BrokerTimeMs,
): { before: Uint8Array; after: number[] } {
  const numbers = numbersOfBytes(encoded);
  const times = numbers.filter((_, index) => index % NUMBERS_EACH === 0);
  const own = times.lastIndexOf(timeMs);
  const count = own >= 0 ? own + 1 : times.findLastIndex((time) => time <= timeMs) + 1;
  const end = count * NUMBERS_EACH;
  return {
    before: bytesOfNumbers(numbers.slice(0, end)),
    after: own >= 0 ? [...numbers.subarray(end)] : [],
  };
}

export const bytesOfNumbers = (numbers: Float64Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

/** A copy: the driver's bytes need not be aligned for doubles. */
export function numbersOfBytes(stored: Uint8Array): Float64Array {
  const numbers = new Float64Array(stored.byteLength / 8);
  new Uint8Array(numbers.buffer).set(stored);
  return numbers;
}
