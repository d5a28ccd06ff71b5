import type { BrokerClockView } from './broker-clock-view.ts';
import { ACCOUNT_NUMBERS, LiveAccount } from './live-account.ts';
import { TRACKER_NUMBERS } from './live-tracker.ts';
import type { NumberRow } from './number-rows.ts';
import { makeTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/*
 * Layout, little-endian: version (1 byte), number of trackers (2 bytes), the account's numbers
 * (doubles); per tracker the length of its id in bytes (2), the id (UTF-8), its numbers (doubles).
 */
const VERSION = 3;
const HEADER_BYTES = 3;

/** Gives memory of a length in bytes, aligned for doubles. */
export type TakeBytes = (length: number) => Uint8Array<ArrayBuffer>;
export const ownBytes: TakeBytes = (length) => new Uint8Array(length);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The account's state as bytes, equal for equal states, in memory that the caller may give. Definitions
 * and names are not in it.
 */
export function encodeLiveAccount(account: LiveAccount, take: TakeBytes = ownBytes): Uint8Array {
  const ids = account.trackers.map((tracker) => bytesOf(tracker.id));
  let length = HEADER_BYTES + ACCOUNT_NUMBERS * 8;
  for (const id of ids) length += 2 + id.length + TRACKER_NUMBERS * 8;
  const bytes = take(length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  view.setUint8(0, VERSION);
  view.setUint16(1, account.trackers.length, true);
  let offset = writeNumbers(view, HEADER_BYTES, account, ACCOUNT_NUMBERS);
  account.trackers.forEach((tracker, index) => {
    const id = ids[index] ?? new Uint8Array();
    view.setUint16(offset, id.length, true);
    bytes.set(id, offset + 2);
    offset = writeNumbers(view, offset + 2 + id.length, tracker, TRACKER_NUMBERS);
  });
  return bytes;
}

/** The account that was encoded, see restoreLiveAccount. */
export function decodeLiveAccount(
  bytes: Uint8Array,
  id: string,
  clock: BrokerClockView,
  definitions: readonly TrackerDefinition[],
  rules: TrackerRules,
): LiveAccount {
  const account = new LiveAccount(id, clock);
  restoreLiveAccount(account, bytes, definitions, rules);
  return account;
}

/**
 * Makes an account that nothing was folded into the one that was encoded. `definitions`: those of its
 * trackers, in any order; one that the bytes don't hold is left out (add it with addTracker), a
 * tracker without a definition is dropped. Throws RangeError when the bytes are of another version or
 * cut short.
 */
export function restoreLiveAccount(
  account: LiveAccount,
  bytes: Uint8Array,
  definitions: readonly TrackerDefinition[],
  rules: TrackerRules,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== VERSION) {
    throw new RangeError(`Live state of version ${view.getUint8(0)} was found, not ${VERSION}`);
  }
  const trackerCount = view.getUint16(1, true);
  let offset = readNumbers(view, HEADER_BYTES, account, ACCOUNT_NUMBERS);
  for (let index = 0; index < trackerCount; index += 1) {
    const idLength = view.getUint16(offset, true);
    const idBytes = bytes.subarray(offset + 2, offset + 2 + idLength);
    const trackerId = decoder.decode(idBytes);
    offset += 2 + idLength;
    const definition = definitions.find((candidate) => candidate.id === trackerId);
    if (definition) {
      const tracker = makeTracker(definition, rules, account.rows.trackers.take());
      offset = readNumbers(view, offset, tracker, TRACKER_NUMBERS);
      account.attach(tracker);
    } else offset += TRACKER_NUMBERS * 8;
  }
  if (offset !== bytes.length) throw new RangeError('Live state has bytes past its end');
}

/** UTF-8 of a short text: for ASCII, which ids are, without the cost of a call to the encoder. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 127) return encoder.encode(text);
    bytes[index] = code;
  }
  return bytes;
}

function writeNumbers(
  view: DataView,
  offset: number,
  { block, at }: NumberRow,
  count: number,
): number {
  for (let index = 0; index < count; index += 1) {
    const value = block[at + index] ?? Number.NaN;
    // Not every NaN has the same bits: the written one is the literal's.
    view.setFloat64(offset + index * 8, Number.isNaN(value) ? Number.NaN : value, true);
  }
  return offset + count * 8;
}

function readNumbers(
  view: DataView,
  offset: number,
  { block, at }: NumberRow,
  count: number,
): number {
  for (let index = 0; index < count; index += 1) {
    block[at + index] = view.getFloat64(offset + index * 8, true);
  }
  return offset + count * 8;
}
