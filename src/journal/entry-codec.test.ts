import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../test/properties.ts';
import { EntryBuilder } from './commit-builder.ts';
import { type Command, type EntryDeal, type JournalEntry, WITHOUT_SNAPSHOT } from './entry.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';

const COLUMNS = ['timeMs', 'balance', 'equity', 'account'] as const;

/** Encodes and decodes, from bytes that are not aligned; everything must be as it was. */
function assertReadsBack(entry: JournalEntry): void {
  const encoded = encodeEntry(entry);
  assert.equal(encoded.length % 8, 0);
  const padded = new Uint8Array(encoded.length + 3);
  padded.set(encoded, 3);
  const read = decodeEntry(padded.subarray(3), entry.receivedUtcMs);
  assert.equal(read.rowCount, entry.rowCount);
  assert.equal(read.receivedUtcMs, entry.receivedUtcMs);
  assert.deepEqual(read.accounts, entry.accounts);
  assert.deepEqual(read.deals, entry.deals);
  assert.deepEqual(read.command, entry.command);
  for (const column of COLUMNS) {
    const expected = entry[column].subarray(0, entry.rowCount);
    assert.deepEqual([...read[column]], [...expected], column);
  }
}

const row = fc.record({
  account: fc.nat(4),
  timeMs: fc.oneof(
    fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
  ),
  balance: fc.oneof(fc.integer(), fc.maxSafeInteger()),
  profit: fc.oneof(fc.integer({ min: -5e6, max: 5e6 }), fc.maxSafeInteger()),
});

it('reads back snapshots of any amounts and times exactly as they were written', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 100 }), (rows) => {
      const builder = new EntryBuilder();
      for (const number of [9, 4_000_000_000, 1, 2, 3]) builder.addAccount(number);
      for (const { account, timeMs, balance, profit } of rows) {
        const equity = balance + profit;
        const worth = Number.isSafeInteger(equity) ? equity : Number.MAX_SAFE_INTEGER;
        builder.addRow(account, timeMs, balance, worth);
      }
      assertReadsBack(builder.build(1_700_000_000_123));
    }),
    { verbose: true },
  );
});

it('reads back more accounts than two bytes can number', () => {
  const builder = new EntryBuilder();
  for (let number = 0; number < 70_000; number += 1) {
    builder.addRow(builder.addAccount(number), number, 0 - number, number);
  }
  assertReadsBack(builder.build(1));
});

it('takes 14 bytes for a snapshot and 4 for its account while amounts are similar', () => {
  const builder = new EntryBuilder();
  for (let number = 0; number < 1000; number += 1) {
    const place = builder.addAccount(number);
    builder.addRow(place, 1_700_000_000_000 + number, 1_000_000_000, 1_000_000_000 - number);
  }
  const { length } = encodeEntry(builder.build(1_700_000_000_123));
  assert.ok(length < 18 * 1000 + 100, `${length} bytes`);
});

/** An entry of one account without snapshots. */
const bare = (parts: { deals?: EntryDeal[]; command?: Command }): JournalEntry => ({
  ...{ receivedUtcMs: 9, accounts: Uint32Array.of(7), deals: [], command: undefined },
  ...{ rowCount: 0, timeMs: new Float64Array(), balance: new Float64Array() },
  ...{ equity: new Float64Array(), account: new Uint32Array(), ...parts },
});

it('reads back deals and commands, and snapshots beside deals', () => {
  const lone: EntryDeal = [0, WITHOUT_SNAPSHOT, 'a €', 'DEAL_TYPE_BUY', 5, 6];
  assertReadsBack(bare({ deals: [lone] }));
  for (const command of [
    { kind: 'account-removed' },
    { kind: 'quarantine-ended' },
    { kind: 'quarantine-ended', withoutPosition: 2 ** 40 },
    { kind: 'clock-changed', clock: { zone: 'Europe/Athens', shiftHours: -0.5 } },
    { kind: 'tracker-added', definition: { id: 't', name: 'é', period: 'day' } },
  ] satisfies Command[]) {
    assertReadsBack(bare({ command }));
  }
  const builder = new EntryBuilder();
  const place = builder.addAccount(3);
  builder.addDeal([place, builder.addRow(place, 1, 2, 3), 'b', 'DEAL_TYPE_BALANCE', 4, -5]);
  assertReadsBack(builder.build(1));
});

it('refuses bytes that are cut, too long, or name missing accounts', () => {
  const builder = new EntryBuilder();
  const [one, two] = [builder.addAccount(1), builder.addAccount(2)];
  builder.addRow(one, 1, 2, 3);
  builder.addRow(two, 1, 2, 3);
  const encoded = encodeEntry(builder.build(1));
  for (let length = 0; length < encoded.length; length += 1) {
    assert.throws(() => decodeEntry(encoded.subarray(0, length), 1), RangeError, `${length} bytes`);
  }
  assert.throws(() => decodeEntry(Buffer.concat([encoded, Buffer.alloc(8)]), 1), RangeError);
  const strange = encoded.slice();
  // The second row's place, which is the last but one number of two bytes.
  strange[strange.length - 6] = 2;
  assert.throws(() => decodeEntry(strange, 1), /names an account/);
  const json = encodeEntry(bare({ command: { kind: 'account-removed' } }));
  json[json.length - 12] = 1;
  assert.throws(() => decodeEntry(json, 1), RangeError);
});

it('never takes more than the given bytes from damage, and never hangs', () => {
  const builder = new EntryBuilder();
  for (let number = 0; number < 5; number += 1) {
    builder.addRow(builder.addAccount(number), number, 100, 100 + number);
  }
  const encoded = encodeEntry(builder.build(1));
  const damage = fc.array(fc.tuple(fc.nat(encoded.length - 1), fc.nat(255)), { minLength: 1 });
  fc.assert(
    fc.property(damage, (changes) => {
      const bytes = encoded.slice();
      for (const [at, value] of changes) bytes[at] = value;
      try {
        const { rowCount, accounts, account } = decodeEntry(bytes, 1);
        assert.ok(rowCount <= bytes.length && accounts.length <= bytes.length);
        assert.ok(account.every((place) => place < accounts.length));
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});
