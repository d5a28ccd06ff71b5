import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { EntryAccount } from './entry-account.ts';
import { EntryBuilder } from './entry-builder.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';
import { type JournalEntry, smallEntry, WITHOUT_SNAPSHOT } from './journal-entry.ts';

const named = (number: number): EntryAccount =>
  new EntryAccount({ number, id: `account-${number}`, createdAtMs: 7 });
const COLUMNS = ['timeMs', 'balance', 'equity', 'account'] as const;

/** Encodes and decodes, from bytes that are not aligned; everything must be as it was. */
function assertReadsBack(entry: JournalEntry): void {
  const encoded = encodeEntry(entry);
  const padded = new Uint8Array(encoded.length + 3);
  padded.set(encoded, 3);
  const read = decodeEntry(padded.subarray(3));
  assert.equal(read.rowCount, entry.rowCount);
  assert.equal(read.receivedUtcMs, entry.receivedUtcMs);
  const numbers = entry.accounts.map(({ number }) => number);
  assert.deepEqual([...read.accounts], numbers);
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
      for (const number of [9, 4_000_000_000, 1, 2, 3]) builder.addAccount(named(number));
      for (const { account, timeMs, balance, profit } of rows) {
        const equity = balance + profit;
        builder.addRow(
          account,
          timeMs,
          balance,
          Number.isSafeInteger(equity) ? equity : Number.MAX_SAFE_INTEGER,
        );
      }
      assertReadsBack(builder.build(1_700_000_000_123));
    }),
    { verbose: true },
  );
});

it('reads back more accounts than two bytes can tell apart', () => {
  const builder = new EntryBuilder();
  for (let number = 0; number < 70_000; number += 1) {
    builder.addRow(builder.addAccount(named(number)), number, 0 - number, number);
  }
  assertReadsBack(builder.build(1));
});

it('takes 14 bytes for a snapshot and 4 for its account while amounts are alike', () => {
  const builder = new EntryBuilder();
  for (let number = 0; number < 1000; number += 1) {
    const place = builder.addAccount(named(number));
    builder.addRow(place, 1_700_000_000_000 + number, 1_000_000_000, 1_000_000_000 - number);
  }
  const { length } = encodeEntry(builder.build(1_700_000_000_123));
  assert.ok(length < 18 * 1000 + 250, `${length} bytes`);
});

it('reads back deals and commands, and refuses what it does not know', () => {
  const deals = [[0, WITHOUT_SNAPSHOT, 'a €', 'DEAL_TYPE_BUY', 5, 6]] as const;
  assertReadsBack(smallEntry(9, named(1), { deals }));
  assertReadsBack(smallEntry(9, named(1), { command: { kind: 'account-removed' } }));
  const head = Buffer.from('{"v":1,"rows":0}');
  const strange = Buffer.concat([Buffer.from([head.length, 0, 0, 0]), head, Buffer.alloc(8)]);
  assert.throws(() => decodeEntry(strange), /version 1/);
});
