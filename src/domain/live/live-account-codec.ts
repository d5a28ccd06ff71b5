import { linkEnrolment } from '../programs/enrolment-changes.ts';
import { ENROLMENT_NUMBERS } from '../programs/live-enrolment.ts';
import { trackersOf } from '../programs/phase-trackers.ts';
import type { EnrolmentDefinition } from '../programs/program-definition.ts';
import type { BrokerClockView } from './broker-clock-view.ts';
import { ACCOUNT_NUMBERS, LiveAccount } from './live-account.ts';
import { TRACKER_NUMBERS } from './live-tracker.ts';
import type { NumberRow } from './number-rows.ts';
import { noteSettling } from './settle-breaches.ts';
import { makeTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';
import { restOf, restoreRest } from './window-codec.ts';

/*
 * Layout, little-endian: version (1 byte), number of trackers and of enrolments (2 bytes each), the
 * account's numbers (doubles); the length of the text that follows (4), rare parts of the state as
 * JSON (UTF-8): see window-codec.ts; per tracker, then per enrolment, the length of its id in bytes
 * (2), the id (UTF-8), its numbers (doubles).
 */
const VERSION = 6;
const HEADER_BYTES = 5;

/** Returns memory of a length in bytes, aligned for doubles. */
export type TakeBytes = (length: number) => Uint8Array<ArrayBuffer>;
export const ownBytes: TakeBytes = (length) => new Uint8Array(length);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The account's state as bytes, without definitions and names. Equal states give equal bytes. */
export function encodeLiveAccount(account: LiveAccount, take: TakeBytes = ownBytes): Uint8Array {
  const { trackers, enrolments } = account;
  const rest = bytesOf(restOf(account, encodeLiveAccount));
  const trackerIds = trackers.map(({ id }) => bytesOf(id));
  const enrolmentIds = enrolments.map(({ id }) => bytesOf(id));
  let length = HEADER_BYTES + ACCOUNT_NUMBERS * 8 + 4 + rest.length;
  for (const id of trackerIds) length += 2 + id.length + TRACKER_NUMBERS * 8;
  for (const id of enrolmentIds) length += 2 + id.length + ENROLMENT_NUMBERS * 8;
  const bytes = take(length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  view.setUint8(0, VERSION);
  view.setUint16(1, trackers.length, true);
  view.setUint16(3, enrolments.length, true);
  let offset = writeNumbers(view, HEADER_BYTES, account, ACCOUNT_NUMBERS);
  view.setUint32(offset, rest.length, true);
  bytes.set(rest, offset + 4);
  offset += 4 + rest.length;
  const write = (id: Uint8Array | undefined, row: NumberRow, count: number): void => {
    view.setUint16(offset, id?.length ?? 0, true);
    if (id) bytes.set(id, offset + 2);
    offset = writeNumbers(view, offset + 2 + (id?.length ?? 0), row, count);
  };
  for (const [index, tracker] of trackers.entries()) {
    write(trackerIds[index], tracker, TRACKER_NUMBERS);
  }
  for (const [index, enrolment] of enrolments.entries()) {
    write(enrolmentIds[index], enrolment, ENROLMENT_NUMBERS);
  }
  return bytes;
}

/** Definitions that the accounts may use, in any order. */
export type LiveDefinitions = {
  trackers: readonly TrackerDefinition[];
  enrolments: readonly EnrolmentDefinition[];
};

/** The account that was encoded; see restoreLiveAccount. */
export function decodeLiveAccount(
  bytes: Uint8Array,
  id: string,
  clock: BrokerClockView,
  definitions: LiveDefinitions,
  rules: TrackerRules,
): LiveAccount {
  const account = new LiveAccount(id, clock);
  restoreLiveAccount(account, bytes, definitions, rules);
  return account;
}

/**
 * Restores an encoded account into a new one. Definitions without state in the bytes are ignored,
 * and state without a definition is dropped; an enrolment's definition includes its trackers.
 * Throws RangeError if the bytes are of another version or length.
 */
export function restoreLiveAccount(
  account: LiveAccount,
  bytes: Uint8Array,
  definitions: LiveDefinitions,
  rules: TrackerRules,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== VERSION) {
    throw new RangeError(`Live state of version ${view.getUint8(0)} was found, not ${VERSION}`);
  }
  const { enrolments } = definitions;
  const owned = enrolments.flatMap((one) => trackersOf(one).map(({ definition }) => definition));
  const trackers = [...definitions.trackers, ...owned];
  let offset = readNumbers(view, HEADER_BYTES, account, ACCOUNT_NUMBERS);
  const restLength = view.getUint32(offset, true);
  const rest = decoder.decode(bytes.subarray(offset + 4, offset + 4 + restLength));
  offset += 4 + restLength;
  const readId = (): string => {
    const length = view.getUint16(offset, true);
    const id = decoder.decode(bytes.subarray(offset + 2, offset + 2 + length));
    offset += 2 + length;
    return id;
  };
  for (let index = 0; index < view.getUint16(1, true); index += 1) {
    const id = readId();
    const definition = trackers.find((candidate) => candidate.id === id);
    if (definition) {
      const tracker = makeTracker(definition, rules, account.rows.trackers.take());
      readNumbers(view, offset, tracker, TRACKER_NUMBERS);
      account.attach(tracker);
    }
    offset += TRACKER_NUMBERS * 8;
  }
  for (let index = 0; index < view.getUint16(3, true); index += 1) {
    const id = readId();
    const definition = enrolments.find((candidate) => candidate.id === id);
    if (definition) {
      readNumbers(view, offset, linkEnrolment(account, definition), ENROLMENT_NUMBERS);
    }
    offset += ENROLMENT_NUMBERS * 8;
  }
  if (offset !== bytes.length) throw new RangeError('Live state has bytes past its end');
  restoreRest(account, rest, (own) =>
    decodeLiveAccount(own, account.id, account.clock, definitions, rules),
  );
  noteSettling(account);
}

/** The UTF-8 of an id; for ASCII, as ids mostly are, without the cost of calling the encoder. */
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
    // NaNs differ in their bits: writing one NaN only makes the bytes of equal states equal.
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
