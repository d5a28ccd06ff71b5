import type { Commit, JournalEntry } from './entry.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';

/*
 * Layout of a commit, little-endian: format (4 bytes), number of entries (4), time of receipt
 * (double); for each entry its partition and its length in bytes (4 each); then the entries, whose
 * lengths are multiples of 8.
 */
const FORMAT = 1;
/** No version of Plimsoll will reach this: bytes with such a format are no commit. */
const UNLIKELY_FORMAT = 1000;
const HEAD_BYTES = 16;
const ITEM_BYTES = 8;

export function encodeCommit({ receivedUtcMs, entries }: Commit): Uint8Array {
  const encoded = [...entries].map(
    ([partition, entry]) => [partition, encodeEntry(entry)] as const,
  );
  const first = HEAD_BYTES + encoded.length * ITEM_BYTES;
  const bytes = new Uint8Array(encoded.reduce((sum, [, { length }]) => sum + length, first));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, FORMAT, true);
  view.setUint32(4, encoded.length, true);
  view.setFloat64(8, receivedUtcMs, true);
  let offset = first;
  encoded.forEach(([partition, entry], index) => {
    view.setUint32(HEAD_BYTES + index * ITEM_BYTES, partition, true);
    view.setUint32(HEAD_BYTES + index * ITEM_BYTES + 4, entry.length, true);
    bytes.set(entry, offset);
    offset += entry.length;
  });
  return bytes;
}

/**
 * A commit as read from the log. Its entries are decoded one by one, on demand: an owner of some
 * partitions does not need the others' entries, and an unreadable entry must not affect the rest.
 */
export class StoredCommit {
  readonly position: number;
  readonly body: Uint8Array;
  #receivedUtcMs = 0;
  readonly #entries = new Map<number, Uint8Array>();
  #damage: RangeError | undefined;

  /** Throws NewerFormat. */
  constructor(position: number, body: Uint8Array) {
    this.position = position;
    this.body = body;
    try {
      this.#receivedUtcMs = readTable(body, this.#entries);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#damage = error;
    }
  }

  /**
   * The entry of a partition; undefined if the commit has none for it. Throws RangeError if the
   * entry or the whole commit cannot be decoded.
   */
  entryOf(partition: number): JournalEntry | undefined {
    if (this.#damage) throw this.#damage;
    const bytes = this.#entries.get(partition);
    return bytes && decodeEntry(bytes, this.#receivedUtcMs);
  }
}

/** When a commit was received, in UTC milliseconds, from its bytes; 0 if they are no commit. */
export function receiptOf(body: Uint8Array): number {
  if (body.byteLength < HEAD_BYTES) return 0;
  return new DataView(body.buffer, body.byteOffset, body.byteLength).getFloat64(8, true);
}

/** Fills `entries`, by partition, and returns the time of receipt. */
function readTable(body: Uint8Array, entries: Map<number, Uint8Array>): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const format = view.getUint32(0, true);
  if (format > FORMAT && format < UNLIKELY_FORMAT) throw new NewerFormat(format);
  if (format !== FORMAT) throw new RangeError('A commit of the journal has no head');
  const count = view.getUint32(4, true);
  let offset = HEAD_BYTES + count * ITEM_BYTES;
  for (let index = 0; index < count; index += 1) {
    const item = HEAD_BYTES + index * ITEM_BYTES;
    const length = view.getUint32(item + 4, true);
    entries.set(view.getUint32(item, true), body.subarray(offset, offset + length));
    offset += length;
  }
  if (offset !== body.byteLength)
    throw new RangeError('A commit does not have the length that it states');
  return view.getFloat64(8, true);
}

/** The commit was written by a newer version of Plimsoll, which must fold it. */
export class NewerFormat extends Error {
  override readonly name = 'NewerFormat';
  constructor(format: number) {
    super(`The journal has commits of format ${format}: a newer Plimsoll must fold them`);
  }
}
